"""What the policy of compiling takes for granted of numba's insides: fails where a new numba has changed them."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target

from basra_sim.engine.jit.compiling import JIT_ON, NEWEST, kernel, piece
from basra_sim.engine.jit.instructions import lowest, multiply_high, nth_card, popcount
from basra_sim.engine.jit.parts import _PartLibrary
from basra_sim.engine.jit.strategy_calls import RAISED, call_address, strategy_entry
from basra_sim.engine.jit.typed_memory import layout, record_at

pytestmark = pytest.mark.skipif(not JIT_ON, reason="nothing is compiled")

BOX = layout(64, pile=(8, np.int64), small=(16, np.int32), cards=(24, (np.uint8, 16)))
box_at = record_at(BOX)


@piece
def _use(box, number):
    box.pile |= number
    box.small += 1
    box.cards[number & 7] = 5
    return box.pile


@kernel
def use_record(address, number):
    return _use(box_at(address), number) + popcount(number) + lowest(number)


def test_a_record_is_its_address_and_counts_no_references():
    room = np.zeros(64, np.uint8)
    assert use_record(room.ctypes.data, 6) == 6 + 2 + 1
    box = room.view(BOX)[0]
    assert (box["pile"], box["small"], box["cards"][6]) == (6, 1, 5)
    text = "\n".join(use_record.inspect_llvm().values())
    assert not [line for line in text.splitlines() if "NRT_incref" in line or "NRT_decref" in line if "call" in line]
    assert "llvm.ctpop" in text and "llvm.cttz" in text


def test_the_twin_of_a_record_writes_through():
    """With the JIT off a record is a ctypes structure over the same bytes."""
    code = (
        "import numpy as np\n"
        "from basra_sim.engine.layouts import DESK, desk_at\n"
        "room = np.zeros(1, DESK); desk = desk_at(room.ctypes.data)\n"
        "desk.pile |= 9; desk.played[3] = 7; desk.s0 = -1\n"
        "print(int(room['pile'][0]), int(room['played'][0, 3]), int(room['s0'][0]) == 2**64 - 1)\n"
    )
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["9", "7", "True"], done.stderr


def _divide(hand, floor, row, seen, moment, desk):
    if moment == 1:
        raise ValueError("as a strategy may")
    return _use_twice(hand, floor)


@piece
def _use_twice(hand, floor):
    return nth_card(hand, 1) + multiply_high(floor, 2)


def test_a_strategy_that_raises_says_so_and_its_pieces_are_parts():
    entry = strategy_entry(_divide)
    assert call_address(entry.address, 0b1010, 1 << 63, 0, 0, 0, 0) == 3 + 1
    assert call_address(entry.address, 0b1010, 0, 0, 0, 1, 0) == RAISED
    # nothing of it stays behind for what is compiled otherwise
    context = cpu_target.target_context
    assert "create_cfunc_wrapper" not in vars(context) and "get_executable" not in vars(context)
    assert "_library_class" not in vars(context.codegen())


def test_numbas_library_has_what_a_part_replaces():
    for name in (
        "_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals", "_verify_declare_only_symbols",
        "_ensure_finalized", "get_pointer_to_function", "_unserialize",
    ):  # fmt: skip
        assert hasattr(JITCodeLibrary, name), name
    assert issubclass(_PartLibrary, JITCodeLibrary)


@pytest.mark.parametrize("version", [f"{NEWEST[0]}.{NEWEST[1] + 1}.0", f"{NEWEST[0] + 1}.0"])
def test_a_newer_numba_is_refused_in_a_line(version):
    code = (
        f"import numba, sys; numba.__version__ = {version!r}\n"
        "sys.argv = ['basra-sim', 'run', 'first', 'random', '--games', '4']\n"
        "from basra_sim.cli import main\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"basra-sim: numba {version} is newer than") and "pip install" in done.stderr
