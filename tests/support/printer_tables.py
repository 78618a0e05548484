"""What each printer makes of the programs of its table, `tests/unit/printers/MODULE.txt` (`core_tables`).

A program that is only a body is that of a function `f`, which does not wait. Behind `=>` stand the lines that
are printed of it:

    shows: f.f go                   these functions instead of all that the module is asked for by default
    from: store                     only what stands from the first line on that begins like this
    until: ret                      only what stands before the next line that begins like this
    print: direct                   what is printed: a row of `PRINTED` of the module

In LLVM assembly values, labels and variables are numbered anew in the order in which they stand there. What
stands in every function is left out: its first blocks, and room for locals of one word. Addresses stand where
they are used, `%S.FUEL` and `%S[24][%v1]`, and words that are returned together in one line; a jump to the
next line goes without saying. `from` and `until` see what is left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from core_tables import TableCase, Tables
from croupier.core import operations as op
from croupier.core.types import CoreProgram
from lowering_tables import BASE, engine, sections

ALONE = "function f() 0"  # the head of a body that stands alone
LIMITS = {"fuel": 1000, "decisions": 40, "chance": 20}
Printed = dict[str, list[str]]  # functions and what else is printed, by name


def program_of(case: TableCase) -> CoreProgram:
    """The program of a case."""
    return case.program(head=ALONE)


# ---------------------------------------------------------------- Python
def python_parts(text: str) -> Printed:
    """The functions, classes and assignments of a Python text, by name."""
    out: Printed = {}
    name = ""
    for line in text.splitlines():
        found = re.match(r"(?:def|class) (\w+)|(\w+) = ", line)
        if found:
            name = found[1] or found[2]
        out.setdefault(name, []).append(line)
    return out


def python_code(case: TableCase) -> Printed:
    """The functions of a program, which do not wait, and the rows that they read."""
    from croupier.printers.python import functions_source

    program = program_of(case)
    functions = {n: f for n, f in program.functions.items() if not f.waits}
    alone = replace(program, functions=functions, main=next(iter(functions)), exports=frozenset(functions))
    parts = python_parts(functions_source(alone))
    out = {name: lines for name, lines in parts.items() if name not in program.memories}
    if case.is_bare:
        out["f_f"] = [line.removeprefix("    ") for line in out["f_f"][1:]]
    return out


def python_states(case: TableCase) -> Printed:
    """A program that is cut into states: without `shows`, its states and functions."""
    from croupier.passes.pipeline import prepare_python_steps
    from croupier.printers.python import python_source

    program = case.program()
    if not program.states:
        program = prepare_python_steps(program)
    parts = python_parts(python_source(program).text)
    return chosen(case, parts, lambda name: name.startswith(("state_", "f_")))


def python_direct(case: TableCase) -> Printed:
    """A program that plays whole games: without `shows`, its functions that wait."""
    from croupier.printers.python_direct import playout_source

    text = playout_source(case.program(), checked="checked" in case.options.get("print", ""))
    return chosen(case, python_parts(text), lambda name: name.startswith("w_"))


def chosen(case: TableCase, parts: Printed, usual: Callable[[str], bool]) -> Printed:
    """The parts that a case shows, or those that are shown usually."""
    names = case.options["shows"].split() if "shows" in case.options else list(filter(usual, parts))
    return {name: parts[name] for name in names}


def python_checker(case: TableCase) -> Printed:
    """What the allow-list says of a Python text, in which positions have the attributes `Z` and `fuel`."""
    from croupier.printers.python_checker import Disallowed, check_source

    try:
        check_source(case.before, {"NONE", "LIMIT", "product"}, {"Z", "fuel", "__slots__"})
    except Disallowed as refused:
        return {"": [f"refused: {refused}"]}
    return {"": ["allowed"]}


# ---------------------------------------------------------------- effects
def function_effects(case: TableCase) -> Printed:
    """The effects of each function, and what follows from them."""
    from croupier.printers import function_effects as effects

    program = case.program()
    recursive = effects.recursive_functions(program)
    inlined = effects.inlined_functions(program, recursive)
    out = []
    for name, found in effects.function_effects(program).items():
        words = [word for word in ("fails", "offers", "zones", "pays") if getattr(found, word)]
        words += [f"writes {' '.join(sorted(found.writes))}"] if found.writes else []
        words += ["recursive"] if name in recursive else []
        words += ["inlined"] if name in inlined else []
        kind = effects.return_type(program.functions[name], found)
        out.append(f"{name}: {', '.join(words) or 'nothing'}; returns {kind}")
    waiting = sorted(name for name in recursive if program.functions[name].waits)
    return {"": out + [f"{name}: waits, recursive" for name in waiting]}


def effects_of_body(case: TableCase) -> Printed:
    """The effects of the body of `f` with its calls."""
    from croupier.printers import function_effects as effects

    program = program_of(case)
    found = effects.body_effects(program.functions["f"].body, program, effects.function_effects(program))
    words = [word for word in ("fails", "offers", "zones", "pays") if getattr(found, word)]
    return {"": [", ".join([*words, *(f"writes {name}" for name in sorted(found.writes))])]}


# ---------------------------------------------------------------- C
def c_functions(case: TableCase) -> Printed:
    """The functions of a C file: without `shows`, all but `main`, whose body stands in most cases alone."""
    from croupier.passes.pipeline import prepare_games
    from croupier.printers.c import UsesLookahead, c_source

    head = ALONE if case.options.get("print") != "waits" else "function main() 0 waits"
    program = case.program(head=head)
    try:
        lines = c_source(prepare_games(program), LIMITS).splitlines()
    except UsesLookahead:
        return {"": ["refused: it looks ahead"]}
    parts: Printed = {}
    name = ""
    for line in lines:
        found = re.match(r"static void f_(\w+)\(.*\{$", line)
        if found:
            name = f"f_{found[1]}"
        if name:
            parts.setdefault(name, []).append(line)
        if line == "}":
            name = ""
    parts["facts"] = [line for line in lines if line.startswith("#define") and "INT64_C" in line][-6:]
    parts["play"] = [line for line in lines if line.startswith("static void play")]
    shown = chosen(case, parts, lambda name: name.startswith("f_") and (name != "f_main" or head != ALONE))
    if case.is_bare and head == ALONE and "f_f" in shown:
        shown["f_f"] = [line.removeprefix("    ") for line in shown["f_f"][1:-1]]
    return shown


def c_data(case: TableCase) -> Printed:
    """The tables of a program in C, and the position in which a game starts."""
    from croupier.printers.c_runtime import first_position, tables

    program = case.program()
    return {"": [*tables(program), *first_position(program)]}


def c_words(case: TableCase) -> Printed:
    """Names and words in C: each line is a name, or a number."""
    from croupier.printers.c_runtime import c_name, word_literal

    out = []
    for line in case.before.splitlines():
        is_number = re.fullmatch(r"-?\d+|none", line)
        word = op.NONE if line == "none" else int(line) if is_number else 0
        out.append(f"{line}: {word_literal(word) if is_number else c_name(line)}")
    return {"": out}


# ---------------------------------------------------------------- LLVM
def llvm_parts(text: str) -> Printed:
    """The functions and constants of a module of assembly, by name."""
    parts: Printed = {}
    inside = ""
    for line in text.splitlines():
        if line.startswith("define"):
            found = re.search(r"@([\w.]+)\(", line)
            assert found is not None
            inside = found[1]
        if inside:
            parts.setdefault(inside, []).append(line)
        elif found := re.match(r"@([\w.]+) = ", line):
            parts[found[1]] = [line]
        if line == "}":
            inside = ""
    return parts


def llvm(case: TableCase) -> Printed:
    """Functions of a module of assembly; without `shows`, those of the program that do not wait.

    `print: playouts` has the step API and playouts as well, `print: direct` plays whole games, and `print:
    batched` is the vectorised environment.
    """
    from croupier.passes.legalization import legalize
    from croupier.passes.pipeline import prepare_steps
    from croupier.printers.llvm import PlayoutOptions, direct_source, llvm_source

    words = case.options.get("print", "").split()
    head = "function main() 0 waits" if {"waits", "direct"} & set(words) else ALONE
    program = case.program(head=head)
    options = PlayoutOptions(LIMITS, frozenset(word for word in words if word in ("bmi2", "avx512f")))
    stay = (op.Memo, op.Rank)
    fuel = LIMITS["fuel"]
    if "direct" in words:
        text = direct_source(legalize(program, stay), fuel, options).text
    else:
        cut = program if program.states else prepare_steps(program, stay)
        is_batched = "batched" in words
        text = llvm_source(
            cut, fuel, options if is_batched or "playouts" in words else None, batched=is_batched
        ).text
    parts = llvm_parts(text)
    parts["names"] = [" ".join(name for name, lines in parts.items() if lines[0].startswith("define"))]
    shown = chosen(case, parts, lambda name: name.startswith("f."))
    return {name: llvm_lines(lines) for name, lines in shown.items()}


def llvm_watched(case: TableCase) -> Printed:
    """Functions of a module of a small ruleset, of which something is watched: `measure`, `group`, `pace`."""
    from croupier.lowering import lower
    from croupier.passes.native import prepare_native_games
    from croupier.play.watching import probing_of
    from croupier.printers.llvm import PlayoutOptions, direct_source

    printed = case.options.get("print", "")
    shared = "" if "alone" in printed else case.shared
    whole = engine("".join((BASE | sections(f"{shared}{case.before}\n")).values()))
    of = whole.game
    measures = tuple(filter(None, case.options.get("measure", "").split(", ")))
    pace = case.options.get("pace") or None
    probing = probing_of(
        whole, measures, by=case.options.get("group", ""), samples="samples" in case.options, pace=pace
    )
    lowered = lower(of, probing=probing, invariants="invariants:" in case.before)
    program = prepare_native_games(lowered.program, of)
    if "words" in printed:
        from croupier.printers import llvm_probes

        assert program.probes is not None
        words, tail = llvm_probes.memory_words(program), llvm_probes.tail_words(program)
        courses = llvm_probes.course_count(program.probes)
        return {"": [f"{words} words behind the streams, {tail} in a tail, {courses} courses"]}
    text = direct_source(program, LIMITS["fuel"], PlayoutOptions(LIMITS)).text
    shown = chosen(case, llvm_parts(text), lambda name: name.startswith("watch."))
    return {name: llvm_lines(lines) for name, lines in shown.items()}


def step_words(case: TableCase) -> Printed:
    """The words of a workspace, for scratch memory of 100 and 1,000 words and positions of 20 and 200."""
    from croupier.printers.llvm_steps import memory_words

    return {
        "": [
            f"{scratch} and {end}: {memory_words(scratch, end)}" for scratch, end in ((100, 20), (1000, 200))
        ]
    }


def llvm_lines(lines: list[str]) -> list[str]:
    """The lines of a function that say something."""
    if not lines[0].startswith("define"):
        return lines
    out = [" ".join(lines[0].removesuffix("{").split()).removesuffix(" nounwind")]
    known: dict[str, str] = {}  # addresses, and words that are returned together, by the name of the value
    for line in lines[1:-1]:
        is_usual = line in ("entry:", "  br label %begin", "begin:")
        if is_usual or re.fullmatch(r"  %[\w.]+ = alloca \w+", line):
            continue
        found = ADDRESS.fullmatch(line)
        if found:
            name, kind, base, index = found.groups()
            known[name] = address(known.get(base, base), kind, known.get(index, index))
            continue
        found = WORDS.fullmatch(line)
        if found:
            name, before, word = found.groups()
            known[name] = f"{known[before]}, {word}" if before in known else word
            continue
        line = re.sub(r"(?<=ptr )(?:align 8 )?(%v\d+)", lambda value: known.get(value[1], value[1]), line)
        line = re.sub(r"(?<=} )%v\d+$", lambda value: known.get(value[0], value[0]), line)
        if line.endswith(":") and out[-1] == f"  br label %{line[:-1]}":
            out.pop()
        out.append(line)
    return out


ADDRESS = re.compile(r"  (%v\d+) = getelementptr (\w+), ptr (%\S+|@\S+), i64 (\S+)")
WORDS = re.compile(r"  (%v\d+) = insertvalue \{.*\} (\S+), i64 (\S+), \d+")


def address(base: str, kind: str, index: str) -> str:
    """An address as text: words of the header and of the head of a frame by their names."""
    from croupier.printers.llvm_layout import FrameHead, Header

    of = f".{kind}" if kind != "i64" else ""
    heads = {"%S": Header, "%F": FrameHead}
    if base in heads and index.isdigit() and not of:
        for name, value in vars(heads[base]).items():
            if name.isupper() and name != "WORDS" and value == int(index):
                return f"{base}.{name}"
    return f"{base}{of}[{index}]"


def numbered_anew(lines: Iterable[str]) -> list[str]:
    """Lines of assembly whose values, labels and variables are numbered in the order in which they stand."""
    numbers: dict[str, str] = {}
    counts: dict[str, int] = {}

    def name(found: re.Match[str]) -> str:
        kind = found[1]
        if found[0] not in numbers:
            counts[kind] = counts.get(kind, 0) + 1
            numbers[found[0]] = f"{kind}{counts[kind]}"
        return numbers[found[0]]

    return [re.sub(r"\b(v|b|var)\d+\b", name, line) for line in lines]


def llvm_layout(case: TableCase) -> Printed:
    """Where things lie in a position, and the words of the first one."""
    from croupier.passes.pipeline import prepare_steps
    from croupier.printers.llvm_layout import Header, Layout

    program = case.program()
    cut = program if program.states else prepare_steps(program)
    layout = Layout(cut, memo_words=3 if "memos" in case.options.get("print", "") else 0)
    out = [f"{name} at {at - Header.WORDS}" for name, at in layout.at.items() if at >= 0]
    out += [f"{name} at {at} below" for name, at in layout.at.items() if at < 0]
    for word in ("lengths", "contents", "unordered_bytes", "stack", "end"):
        out.append(f"{word} at {getattr(layout, word) - Header.WORDS}")
    out.append(
        f"zones at places {layout.zone_at}, {layout.stride or 'not'} apart; memos at {layout.memo_offset}"
    )
    out.append(f"unordered {sorted(layout.may_be_unordered)}; trials {layout.has_trials}")
    for name, frame in layout.frames.items():
        out.append(f"frame {name}: {frame.words} {frame.arrays} {frame.size} words")
    words = ["none" if w == op.NONE else str(w) for w in layout.initial]
    out.append(f"header {' '.join(words[: Header.WORDS])}")
    out.append(f"words {' '.join(words[Header.WORDS :])}")
    return {"": out}


def llvm_built(case: TableCase) -> Printed:
    """A function that is built by the calls of a case, with its builder `f`."""
    from croupier.printers.llvm_builder import FunctionBuilder

    words = case.options.get("print", "").split()
    f = FunctionBuilder("made", "a *p", public="public" in words, noinline="noinline" in words)
    exec(case.before, {"f": f})  # noqa: S102 - the case is code: the builder has no other language
    return {"": f.text().splitlines()}


def llvm_builtin(case: TableCase) -> Printed:
    """A built-in function of Python that is built by the calls of a case, with its builder `f`."""
    from croupier.printers.llvm_cpython import BuiltinBuilder, declarations

    if "declarations" in case.options.get("print", ""):
        return {"": declarations()}
    f = BuiltinBuilder("made")
    exec(case.before, {"f": f})  # noqa: S102 - the case is code: the builder has no other language
    return {"": llvm_lines(f.text().splitlines())}


PRINTED: dict[str, Callable[[TableCase], Printed]] = {
    "c": c_functions,
    "c_runtime": c_data,
    "c_words": c_words,
    "effects_of_body": effects_of_body,
    "function_effects": function_effects,
    "llvm_builder": llvm_built,
    "llvm_cpython": llvm_builtin,
    "llvm_layout": llvm_layout,
    "llvm_probes": llvm_watched,
    "python": python_states,
    "step_words": step_words,
    "python_checker": python_checker,
    "python_code": python_code,
    "python_direct": python_direct,
    "python_idioms": python_code,
    "python_iteration": python_code,
}


def made(module: str, case: TableCase) -> str:
    """What is printed of the program of a case. Raises ValueError for a line that is not there."""
    first = case.options.get("print", "").split(" ")[0]
    make = PRINTED.get(first) or PRINTED.get(module, llvm)
    lines = [line.replace(str(op.NONE), "none") for lines in make(case).values() for line in lines]
    is_assembly = module.startswith("llvm")
    lines = numbered_anew(lines) if is_assembly else lines
    lines = part_of(lines, case.options.get("from", ""), case.options.get("until", ""))
    lines = numbered_anew(lines) if is_assembly else lines
    return "\n".join(lines)


def part_of(lines: list[str], begin: str, end: str) -> list[str]:
    """The lines from one on that begins in a way, until one that does; `...` stands for those left out.

    Raises ValueError if none begins so.
    """
    first = line_that_begins(lines, begin, 0) if begin else 0
    last = line_that_begins(lines, end, first + 1) if end else len(lines)
    before = ["..."] if first else []
    return before + lines[first:last] + (["..."] if last < len(lines) else [])


def line_that_begins(lines: list[str], begin: str, first: int) -> int:
    """The number of the first such line from one on; values are called `%v` whatever their number."""
    for i in range(first, len(lines)):
        if re.sub(r"%v\d+", "%v", lines[i]).strip().startswith(begin):
            return i
    raise ValueError(f"no line begins with `{begin}`")


TABLES = Tables("printers", made)
