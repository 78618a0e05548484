"""Functions that Python calls as it calls its own, without `ctypes` in between, which would cost more than what most of them do.

What they are bound to is the address of a position; `execution/llvm_compiler.py` makes objects of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from croupier.printers import llvm_layout as l
from croupier.printers.assembly import Fn

PYTHON = {
    "PyLong_AsLongLong": "i64 (ptr)", "PyLong_FromLongLong": "ptr (i64)", "PyLong_AsVoidPtr": "ptr (ptr)", "PyErr_Clear": "void ()",
    "PyErr_Occurred": "ptr ()", "PyList_New": "ptr (i64)", "PyList_SetItem": "i32 (ptr, i64, ptr)", "Py_DecRef": "void (ptr)",
    "PyBytes_FromStringAndSize": "ptr (ptr, i64)", "PyBytes_AsString": "ptr (ptr)", "PyBytes_Size": "i64 (ptr)",
    "PyInterpreterState_Get": "ptr ()", "PyInterpreterState_ThreadHead": "ptr (ptr)", "PyThreadState_Next": "ptr (ptr)",
    "PyThreadState_Get": "ptr ()", "PyEval_SaveThread": "ptr ()", "PyEval_RestoreThread": "void (ptr)",
}  # fmt: skip
"""What is called of Python, with its type."""
NO_NUMBER = -(2**63)


def declarations() -> list[str]:
    """What is called of Python, declared."""
    return [f"declare {kind.replace(' (', f' @{name}(')}" for name, kind in PYTHON.items()]


class Method(Fn):
    """A function that Python calls, `python.` and its name, with one argument or none. `%S` is the position. What it gives is an object, or null."""

    def __init__(self, name: str) -> None:
        super().__init__(f"python.{name}", [("self", "ptr"), ("argument", "ptr")], "ptr", public=True)
        self.line("%S = call ptr @PyLong_AsVoidPtr(ptr %self)")

    def python(self, name: str, *args: str) -> str:
        """Call Python; the value, or null for nothing."""
        gives, _, takes = PYTHON[name].rstrip(")").partition(" (")
        given = ", ".join(f"{kind} {arg}" for kind, arg in zip(takes.split(", "), args, strict=False))
        text = f"call {gives} @{name}({given})"
        if gives == "void":
            self.line(text)
            return "null"
        return self.value(text)

    def give_object(self, value: str) -> None:
        self.end(f"ret ptr {value}")

    def give_number(self, value: str) -> None:
        self.give_object(self.python("PyLong_FromLongLong", value))

    def is_null(self, value: str) -> str:
        """An i1."""
        return self.value(f"icmp eq ptr {value}, null")

    def or_error(self, value: str) -> str:
        """A value of Python's that is null if there is an error: that is given then."""
        with self.when(self.is_null(value)):
            self.give_object("null")
        return value

    def integer(self) -> str:
        """The argument as a number; `NO_NUMBER` if Python takes it for none, or it is too large."""
        place, number = self.slot(), self.python("PyLong_AsLongLong", "%argument")
        self.store(number, place)
        with self.when(self.test("eq", number, "-1")):
            ok = self.label()
            error = self.python("PyErr_Occurred")
            with self.when(self.is_null(error)):
                self.jump(ok)
            self.python("PyErr_Clear")
            self.store(str(NO_NUMBER), place)
            self.place(ok)
        return self.load(place)

    def thread(self) -> str:
        """The thread of Python that runs."""
        return self.value(f"ptrtoint ptr {self.python('PyThreadState_Get')} to i64")

    def is_elsewhere(self) -> str:
        """An i1: is this another thread than that whose memory it is?"""
        return self.test("ne", self.load(self.at("%S", l.OWNER)), self.thread())

    def others(self) -> str:
        """An i1: are there other threads of Python?"""
        first = self.python("PyInterpreterState_ThreadHead", self.python("PyInterpreterState_Get"))
        return self.value(f"icmp ne ptr {self.python('PyThreadState_Next', first)}, null")

    @contextmanager
    def letting_go_on(self, others: str) -> Iterator[None]:
        """Other threads of Python may run beside what is emitted inside, if there are any: releasing its lock takes longer than most steps."""
        held, back, after = self.slot(), self.label(), self.label()
        self.store("null", held, "ptr")
        with self.when(others):
            self.store(self.python("PyEval_SaveThread"), held, "ptr")
        yield
        thread = self.load(held, "ptr")
        self.branch(self.is_null(thread), after, back)
        self.place(back)
        self.python("PyEval_RestoreThread", thread)
        self.place(after)
