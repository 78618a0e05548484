"""A document as a text: authored text is sanitised and escaped here and nowhere else."""

from croupier.authoring.rulebook.render.html import render_html
from croupier.authoring.rulebook.render.markdown import render_markdown

__all__ = ["render_html", "render_markdown"]
