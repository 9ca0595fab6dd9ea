"""Strategy files that fail at a rare moment, each in a way of its own."""

from __future__ import annotations

from pathlib import Path

HEAD = "from basra_sim.view import lowest\nimport os, time\nMEMORY = {}\n"
CLEAN = HEAD + "def choose(view):\n    return lowest(view.hand)\n"
RARE = "view.ply > 44 and view.floor % 101 == 3"
# each plays as CLEAN does but for a rare moment; those that touch MEMORY cannot be compiled
FAULTS = {
    "illegal": ("        return lowest(view.unseen | 1 << 51)\n", "illegal"),
    "nonsense": ("        return 99\n", "no_card"),
    "texts": ("        return MEMORY.get(1, 'a card')\n", "no_card"),
    "raises": ("        raise ValueError('no idea')\n", "raised"),
    "leaves": ("        raise SystemExit(0)\n", "raised"),
    "interrupts": ("        raise KeyboardInterrupt\n", "raised"),
    "loops": ("        x = view.floor\n        while x % 101 == 3:\n            x += 101\n", "timeout"),
    "prints": ("        while True:\n            print('x' * 1000)\n            MEMORY[0] = 1\n", "timeout"),
    "exits": ("        MEMORY[0] = os._exit(0)\n", "exited"),
    "crashes": ("        os.kill(os.getpid(), 11)\n        MEMORY[0] = 1\n", "exited"),
    "eats": ("        MEMORY[0] = bytes(1 << 40)\n", "memory"),
}


def write(folder: Path, name: str) -> str:
    """The file of one of FAULTS, or of a strategy that never fails; its path."""
    path = folder / f"{name}.py"
    body = FAULTS[name][0] if name in FAULTS else ""
    path.write_text(HEAD + f"def choose(view):\n    if {RARE}:\n{body}    return lowest(view.hand)\n" if body else CLEAN)
    return str(path)
