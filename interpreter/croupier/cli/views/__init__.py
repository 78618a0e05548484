"""What people see: the log of a game, a position, the summary of a simulation.  Data in, drawn text out."""
