"""Views: the log of a game, a position, options, as styled text.

What comes in is data, what goes out is text.
"""
