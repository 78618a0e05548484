"""Builder of functions that CPython calls as built-ins (METH_NOARGS, METH_O): `ctypes` would cost more than
most of them take.

`self` is the address of a position, as an int; `execution/llvm_compiler.py` makes the function objects.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from croupier.printers.llvm_builder import FunctionBuilder, Operand
from croupier.printers.llvm_layout import Header

C_API = {
    "PyLong_AsLongLong": "i64 (ptr)",
    "PyLong_FromLongLong": "ptr (i64)",
    "PyLong_AsVoidPtr": "ptr (ptr)",
    "PyErr_Clear": "void ()",
    "PyErr_Occurred": "ptr ()",
    "PyList_New": "ptr (i64)",
    "PyList_SetItem": "i32 (ptr, i64, ptr)",
    "Py_DecRef": "void (ptr)",
    "PyBytes_FromStringAndSize": "ptr (ptr, i64)",
    "PyBytes_AsString": "ptr (ptr)",
    "PyBytes_Size": "i64 (ptr)",
    "PyInterpreterState_Get": "ptr ()",
    "PyInterpreterState_ThreadHead": "ptr (ptr)",
    "PyThreadState_Next": "ptr (ptr)",
    "PyThreadState_Get": "ptr ()",
    "PyEval_SaveThread": "ptr ()",
    "PyEval_RestoreThread": "void (ptr)",
}
"""Functions of the C API that compiled code calls, with their types."""
NO_NUMBER = -(2**63)


def declarations() -> list[str]:
    """LLVM declarations of these functions."""
    return [f"declare {kind.replace(' (', f' @{name}(')}" for name, kind in C_API.items()]


class BuiltinBuilder(FunctionBuilder):
    """A builder of the built-in function `python.NAME`, which takes at most one argument.

    `%S` is the position. It returns an object, or null for an exception.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"python.{name}", "*self *argument", "ptr", public=True)
        self.emit("%S = call ptr @PyLong_AsVoidPtr(ptr %self)")
        self.pointers.add("%S")

    def call_c_api(self, name: str, *args: Operand) -> str:
        """Call a function of the C API; return the operand of its result, `null` for void."""
        returns, _, parameters = C_API[name].rstrip(")").partition(" (")
        given = ", ".join(f"{kind} {arg}" for kind, arg in zip(parameters.split(", "), args, strict=False))
        text = f"call {returns} @{name}({given})"
        if returns == "void":
            self.emit(text)
            return "null"
        return self.emit_value(text)

    def ret_object(self, value: str) -> None:
        self.terminate(f"ret ptr {value}")

    def ret_int(self, value: Operand) -> None:
        self.ret_object(self.call_c_api("PyLong_FromLongLong", value))

    def is_null(self, value: str) -> str:
        """An i1."""
        return self.emit_value(f"icmp eq ptr {value}, null")

    def or_return_null(self, value: str) -> str:
        """Return null if a value of the C API is null; otherwise go on with it."""
        with self.when(self.is_null(value)):
            self.ret_object("null")
        return value

    def argument_as_int(self) -> str:
        """The argument as i64; `NO_NUMBER` if it is no int, or too large."""
        place, number = self.alloca(), self.call_c_api("PyLong_AsLongLong", "%argument")
        self.store(number, place)
        with self.when(self.icmp("eq", number, -1)):
            ok = self.new_label()
            error = self.call_c_api("PyErr_Occurred")
            with self.when(self.is_null(error)):
                self.jump(ok)
            self.call_c_api("PyErr_Clear")
            self.store(NO_NUMBER, place)
            self.start_block(ok)
        return self.load(place)

    def current_thread(self) -> str:
        """The running thread of Python, as i64."""
        return self.emit_value(f"ptrtoint ptr {self.call_c_api('PyThreadState_Get')} to i64")

    def is_other_thread(self) -> str:
        """Emit an i1 that is true if the running thread is not the owner of the memory."""
        return self.icmp("ne", self.load(self.gep("%S", Header.OWNER_THREAD)), self.current_thread())

    def has_other_threads(self) -> str:
        """Emit an i1 that is true if the interpreter has more than one thread."""
        first = self.call_c_api("PyInterpreterState_ThreadHead", self.call_c_api("PyInterpreterState_Get"))
        return self.emit_value(f"icmp ne ptr {self.call_c_api('PyThreadState_Next', first)}, null")

    @contextmanager
    def gil_released(self, others: str) -> Iterator[None]:
        """Release the GIL around what is emitted inside, if there are other threads: releasing it takes
        longer than most steps.
        """
        held, back, after = self.variable("null", "ptr"), self.new_label(), self.new_label()
        with self.when(others):
            self.store(self.call_c_api("PyEval_SaveThread"), held, "ptr")
        yield
        thread = self.load(held, "ptr")
        self.branch(self.is_null(thread), after, back)
        self.start_block(back)
        self.call_c_api("PyEval_RestoreThread", thread)
        self.start_block(after)
