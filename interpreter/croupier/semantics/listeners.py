"""Hooks and watchers have no name: what they are known by is what they listen to."""

from __future__ import annotations

from typing import TypeAlias

from croupier.syntax import nodes as n

Listener: TypeAlias = n.Hook | n.Watch | n.EndWhen
WORDS = {"instead": "instead of", "reaction": "in"}


def like(one: n.Hook, other: n.Hook) -> bool:
    """Do two hooks listen to the same in the same way?"""
    return (one.kind, one.pattern.name) == (other.kind, other.pattern.name)


def head(item: Listener) -> str:
    """What a hook or watcher listens to, as written, without layout."""
    match item:
        case n.Hook():
            guard = "" if item.guard is None else f" if {item.guard.span.text}"
            text = f"{WORDS.get(item.kind, item.kind)} {item.pattern.span.text}{guard}"
        case n.Watch():
            text = f"watch {item.value.span.text}"
        case n.EndWhen():
            text = f"end when {item.condition.span.text}"
    return " ".join(text.split())
