"""The one place that knows `llvmlite` and `ctypes`: assembly in, objects and callable functions out. It can be imported where there is no compiler.

What is compiled here was written by this package from the checked, lowered form: names in it are counters, and of what an author wrote only numbers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from threading import Lock
from typing import Any

from croupier.printers.python_calls import PYTHON

KINDS: dict[str, Any] = {"a": ctypes.c_void_p, "n": ctypes.c_int64, "b": ctypes.c_char_p}  # an address, a number, bytes
ONE_ARGUMENT, NO_ARGUMENT = 8, 4  # `METH_O` and `METH_NOARGS` of Python
PASSES = ("always_inliner", "sroa", "simplify_cfg", "instruction_combine")  # the default pipeline takes five times as long, for a tenth more speed
LEFT_OUT = "disable-lsr"  # of what makes code: it takes a fifth of the time, and code is slower for it
_emitting = Lock()


def installed() -> bool:
    """Is the compiler there?"""
    return find_spec("llvmlite") is not None


def compiler() -> Any:
    """The compiler, which has no types of its own."""
    from llvmlite import binding  # type: ignore[import-untyped]

    return binding


def features() -> frozenset[str]:
    """Which of the instructions that help this processor has: `bmi2` for picking bits."""
    llvm = compiler()
    if not llvm.get_process_triple().startswith("x86_64"):
        return frozenset()
    found = llvm.get_host_cpu_features()
    return frozenset(name for name in ("bmi2",) if found.get(name, False))


def target() -> str:
    """What compiled code depends on besides the assembly: the versions of the compiler, the processor, what is done to make code quick."""
    import llvmlite

    llvm = compiler()
    versions, features = map(str, llvm.llvm_version_info), llvm.get_host_cpu_features().flatten()
    return " ".join([llvmlite.__version__, *versions, llvm.get_process_triple(), llvm.get_host_cpu_name(), features, *PASSES, LEFT_OUT])


class Misprinted(RuntimeError):
    """The compiler does not accept the assembly: a mistake of the back end."""


def object_code(assembly: str, *, careful: bool = True) -> bytes:
    """Assembly, compiled for this processor; not `careful`: in a sixth of the time, and it takes one and a half to four times as long to run.

    Raises `Misprinted`.
    """
    llvm = compiler()
    machine = _machine(int(careful))
    try:
        module = llvm.parse_assembly(assembly)
        module.verify()
    except RuntimeError as said:
        raise Misprinted(str(said)) from None
    if careful:
        passes = llvm.create_new_module_pass_manager()
        for name in PASSES:
            getattr(passes, f"add_{name}_pass")()
        passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=1)))
    with _left_out():
        made: bytes = machine.emit_object(module)
    return made


@contextmanager
def _left_out() -> Iterator[None]:
    """Meanwhile the compiler does not do what is left out; what others have it compile later is compiled as ever."""
    llvm = compiler()
    with _emitting:
        llvm.set_option("croupier", f"-{LEFT_OUT}=true")
        try:
            yield
        finally:
            llvm.set_option("croupier", f"-{LEFT_OUT}=false")


def _machine(level: int = 1) -> Any:
    llvm = compiler()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    found = llvm.Target.from_triple(llvm.get_process_triple())
    return found.create_target_machine(cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=level, jit=True)


class Engine:
    """Compiled code in memory; the functions in it live as long as this."""

    def __init__(self, code: bytes) -> None:
        llvm = compiler()
        machine = _machine()
        _name_python()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self._functions: dict[str, Callable[..., int]] = {}

    def function(self, name: str, arguments: str) -> Callable[..., int]:
        """A function by name, that gives an i64 and releases the interpreter's lock; `arguments` has a letter for each: see `KINDS`."""
        if name not in self._functions:
            self._functions[name] = ctypes.CFUNCTYPE(ctypes.c_int64, *(KINDS[a] for a in arguments))(self._engine.get_function_address(name))
        return self._functions[name]

    def method(self, name: str, arguments: int, memory: object, position: int) -> Callable[..., Any]:
        """What `printers/llvm_steps.py` writes, bound to a position in memory, as a function of Python; with it live the code and the memory."""
        where = self._engine.get_function_address(f"python.{name}")
        definition = Definition(name.encode("ascii"), where, ONE_ARGUMENT if arguments else NO_ARGUMENT, None)
        made: Callable[..., object] = ctypes.pythonapi.PyCFunction_NewEx(ctypes.byref(definition), Bound(position, self, memory, definition), None)
        return made


class Definition(ctypes.Structure):
    """Python's `PyMethodDef`."""

    _fields_ = (("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


class Bound(int):
    """An address that a function is bound to, with what has to live as long as the function."""

    def __new__(cls, address: int, *alive: object) -> Bound:
        made = super().__new__(cls, address)
        made.alive = alive
        return made

    alive: tuple[object, ...]


@cache
def _name_python() -> None:
    """Make known what compiled code calls of Python, and how its functions become objects."""
    for name in PYTHON:
        compiler().add_symbol(name, ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value)
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)


class NativeMemory:
    """Words that native code works on: where they lie, and a view of them as numbers."""

    def __init__(self, words: int) -> None:
        self._words = (ctypes.c_int64 * words)()
        self.address = ctypes.addressof(self._words)
        self.view = memoryview(self._words).cast("B").cast("q")


def address_of(view: memoryview[int]) -> int:
    """Where the words of a view of `NativeMemory` lie."""
    return ctypes.addressof(ctypes.c_char.from_buffer(view))
