"""Showing diagnostics: to people, to programs, to build servers.

Renderers are functions from diagnostics to text; they print nothing.  Everything an author wrote goes through `sanitise`.
"""

from croupier.diagnostics.render.github import render_github
from croupier.diagnostics.render.human import render_human
from croupier.diagnostics.render.json import as_json, render_json
from croupier.diagnostics.render.sarif import render_sarif

__all__ = ["as_json", "render_github", "render_human", "render_json", "render_sarif"]
