"""What the text of a strategy file says: random numbers from elsewhere, imports that a run does not cover."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

# modules whose numbers differ from run to run
_CHANGING = {"random", "secrets", "uuid"}


def _tree(path: Path | None) -> ast.Module | None:
    try:
        return ast.parse(path.read_bytes()) if path else None
    except (OSError, SyntaxError, ValueError):
        return None


def _imports(tree: ast.Module) -> list[tuple[str, int]]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found += [(f"{node.module}.{alias.name}", node.lineno) for alias in node.names]
    return found


def random_uses(path: Path | None) -> list[str]:
    """Uses of random numbers that do not come from view.rng, such as "line 3: random"."""
    tree = _tree(path)
    if tree is None:
        return []
    found = []
    for name, line in _imports(tree):
        if name.split(".")[0] in _CHANGING or name.startswith("numpy.random") or name == "os.urandom":
            found.append((line, name.split(".")[0] if name.split(".")[0] in _CHANGING else name))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            full = f"{node.value.id}.{node.attr}"
            if full in ("np.random", "numpy.random", "os.urandom"):
                found.append((node.lineno, full))
    return [f"line {line}: {name}" for line, name in sorted(set(found))]


def foreign_imports(path: Path | None) -> list[str]:
    """Modules that the file imports beside basra_sim, numpy and Python's own."""
    tree = _tree(path)
    names = {name.split(".")[0] for name, _ in _imports(tree)} if tree else set()
    return sorted(name for name in names if name not in ("basra_sim", "numpy") and name not in sys.stdlib_module_names)
