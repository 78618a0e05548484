"""LLVM driver: assembly in, object files and callable functions out.

The only module that imports `llvmlite` and `ctypes`.

The module can be imported without `llvmlite`; `is_installed` tells. The assembly comes from
`printers/llvm.py`, which writes names of its own and numbers: no text of a ruleset reaches the compiler.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from mmap import mmap
from threading import Lock
from typing import Any

from croupier.execution.compiler_threads import call_compiler
from croupier.printers.llvm_builder import parameters
from croupier.printers.llvm_cpython import C_API

ARGUMENT_TYPES: dict[str, Any] = {"ptr": ctypes.c_void_p, "i64": ctypes.c_int64}
ONE_ARGUMENT, NO_ARGUMENT = 8, 4  # METH_O and METH_NOARGS of the C API
# The default pipeline takes five times as long and gains a tenth of speed.
OPTIMIZATION_PASSES = ("always_inliner", "sroa", "simplify_cfg", "instruction_combine")
# loop strength reduction: it takes a fifth of the time to compile, and the code is slower with it
DISABLED_PASS = "disable-lsr"
_option_lock = Lock()


def is_installed() -> bool:
    """Return whether `llvmlite` is installed."""
    return find_spec("llvmlite") is not None


def compiler() -> Any:
    """The module `llvmlite.binding`, which is not typed."""
    from llvmlite import binding  # type: ignore[import-untyped]

    return binding


def cpu_features() -> frozenset[str]:
    """Instruction set extensions of this processor that printed code uses: `bmi2` for PDEP."""
    llvm = compiler()
    if not llvm.get_process_triple().startswith("x86_64"):
        return frozenset()
    found = llvm.get_host_cpu_features()
    return frozenset(name for name in ("bmi2",) if found.get(name, False))


def target_description() -> str:
    """Return what an object depends on besides its assembly: versions of the compiler, the processor, the
    passes.

    Part of the names of cache entries.
    """
    import llvmlite

    llvm = compiler()
    versions, features = map(str, llvm.llvm_version_info), llvm.get_host_cpu_features().flatten()
    return " ".join(
        [
            llvmlite.__version__,
            *versions,
            llvm.get_process_triple(),
            llvm.get_host_cpu_name(),
            features,
            *OPTIMIZATION_PASSES,
            DISABLED_PASS,
        ]
    )


class InvalidAssembly(RuntimeError):
    """LLVM rejects the assembly: a mistake of a printer."""


def compile_object(assembly: str, *, optimize: bool = True) -> bytes:
    """Compile assembly to an object file for this processor.

    Without `optimize` that takes a sixth of the time, and the code runs 1.5 to 4 times as long. Ctrl-C
    abandons it. Raises `InvalidAssembly`.
    """
    return call_compiler(lambda: _emit_object(assembly, optimize))


def _emit_object(assembly: str, optimize: bool) -> bytes:
    llvm = compiler()
    machine = _target_machine(int(optimize))
    try:
        module = llvm.parse_assembly(assembly)
        module.verify()
    except RuntimeError as said:
        raise InvalidAssembly(str(said)) from None
    if optimize:
        passes = llvm.create_new_module_pass_manager()
        for name in OPTIMIZATION_PASSES:
            getattr(passes, f"add_{name}_pass")()
        passes.run(
            module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=1))
        )
    with _pass_disabled():
        made: bytes = machine.emit_object(module)
    return made


@contextmanager
def _pass_disabled() -> Iterator[None]:
    """Disable an LLVM pass meanwhile.

    The option is global, so a lock guards it, and it is set back for other users of `llvmlite`.
    """
    llvm = compiler()
    with _option_lock:
        llvm.set_option("croupier", f"-{DISABLED_PASS}=true")
        try:
            yield
        finally:
            llvm.set_option("croupier", f"-{DISABLED_PASS}=false")


def _target_machine(level: int = 1) -> Any:
    llvm = compiler()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    found = llvm.Target.from_triple(llvm.get_process_triple())
    return found.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=level, jit=True
    )


class ExecutionEngine:
    """An object file loaded into memory. Its functions are valid as long as this object lives."""

    def __init__(self, code: bytes) -> None:
        llvm = compiler()
        machine = _target_machine()
        _register_c_api()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self._functions: dict[str, Callable[..., int]] = {}

    def function(self, name: str, signature: str) -> Callable[..., int]:
        """A function that returns an i64, as a `ctypes` function, which releases the GIL."""
        if name not in self._functions:
            types = (ARGUMENT_TYPES[kind] for kind in parameters(signature).values())
            self._functions[name] = ctypes.CFUNCTYPE(ctypes.c_int64, *types)(
                self._engine.get_function_address(name)
            )
        return self._functions[name]

    def method(self, name: str, arguments: int, memory: object, position: int) -> Callable[..., Any]:
        """A function of `printers/llvm_steps.py` as a built-in function of CPython, bound to the address of a
        position.

        It keeps this object and `memory` alive. `arguments`: how many it takes, 0 or 1.
        """
        where = self._engine.get_function_address(f"python.{name}")
        definition = PyMethodDef(
            name.encode("ascii"), where, ONE_ARGUMENT if arguments else NO_ARGUMENT, None
        )
        made: Callable[..., object] = ctypes.pythonapi.PyCFunction_NewEx(
            ctypes.byref(definition), BoundAddress(position, self, memory, definition), None
        )
        return made


class PyMethodDef(ctypes.Structure):
    """The struct `PyMethodDef` of the C API."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class BoundAddress(int):
    """The `self` of a built-in function: an address, with references to what must live as long as the
    function.
    """

    def __new__(cls, address: int, *alive: object) -> BoundAddress:
        made = super().__new__(cls, address)
        made.alive = alive
        return made

    alive: tuple[object, ...]


@cache
def _register_c_api() -> None:
    """Register the functions of the C API that compiled code calls, and declare the one that makes function
    objects.
    """
    for name in C_API:
        compiler().add_symbol(name, ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value)
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)


# words from which memory is mapped: its pages are zeroed when they are used, and most copies for look-ahead
# never are
LEAST_MAPPED = 1 << 13


class NativeMemory:
    """Zeroed memory of so many 64-bit words for native code: its address, and a view as signed integers."""

    def __init__(self, words: int) -> None:
        mapped = words >= LEAST_MAPPED
        self._memory = mmap(-1, 8 * words) if mapped else (ctypes.c_int64 * words)()
        self.view = memoryview(self._memory).cast("B").cast("q")
        self.address = address_of(self.view) if words else 0


def address_of(view: memoryview[int]) -> int:
    """The address of a view of `NativeMemory`."""
    return ctypes.addressof(ctypes.c_char.from_buffer(view))
