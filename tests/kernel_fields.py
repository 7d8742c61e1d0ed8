"""Every field a kernel reads or writes exists: a misspelt one is found without compiling or playing anything.

    python tests/kernel_fields.py

Kernels take records without annotations (numba types them), so mypy sees only `Any` there. But kernels name their
records alike everywhere, and a record's fields are records, arrays or numbers: following names, fields, subscripts and
assignments is enough to know every record, and the dtypes of the layouts say what it holds. A name that is not known
to be a record is a fault too, so that nothing goes unchecked.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from cartomancer.encounters.kernel import layout as encounters
from cartomancer.lab.kernel import cells, choices, counting, decisions
from cartomancer.maps.kernel import audit, features, graph, rules
from cartomancer.players.kernel import layout as players

SOURCE: Final = Path(encounters.__file__).parents[2]
Records = dict[str, Any]  # dtypes by the names that kernels give their records
FIGHT: Final[Records] = {
    **dict.fromkeys(("state", "states", "blank"), encounters.STATE),
    **dict.fromkeys(("side", "me", "them"), encounters.SIDE),
    **dict.fromkeys(("card", "one", "two"), encounters.CARD),
    "tables": encounters.TABLES,
    "flight": encounters.FLIGHT,
    "rules": encounters.RULES,
    "modifier": encounters.MODIFIER,
    "effect": encounters.AUTO_EFFECT,
    "policies": players.POLICIES,
    "policy": players.POLICY,
    "profile": players.PROFILE,
    "mind": players.MIND,
    "arm": players.ARM,
    "thinking": players.THINKING,
    "weights": players.WEIGHTS,
    "workspace": players.WORKSPACE,
    **dict.fromkeys(("row", "rows"), players.RUN),
}
MAP: Final[Records] = {
    **dict.fromkeys(("graph", "graphs"), graph.GRAPH),
    **dict.fromkeys(("scratch", "scratches"), features.SCRATCH),
    **dict.fromkeys(("tally", "tallies"), audit.TALLY),
    **dict.fromkeys(("walk", "walks"), audit.WALK),
    "rules": rules.RULES,
    "voyage": rules.VOYAGE_RULES,
    "want": rules.REQUIREMENT,
    "guarantee": rules.GUARANTEE,
}
COUNT: Final[Records] = (
    FIGHT
    | {"notes": counting.NOTES, "tally": counting.TALLY, "watched": counting.WATCHED, "cell": cells.CELL}
    | dict.fromkeys(("studied", "decision"), decisions.DECISION)
    | dict.fromkeys(("compared", "choices"), choices.CHOICES)
)
KERNELS: Final[dict[str, Records]] = {"encounters": FIGHT, "players": FIGHT, "maps": MAP, "lab": COUNT}
OF_A_FAMILY: Final = {  # modules whose rules are their family's alone
    "contract": rules.CONTRACT_RULES,
    "guardian": rules.GUARDIAN_RULES,
    "structure": rules.VOYAGE_RULES,
    "voyage": rules.VOYAGE_RULES,
}
WITH_ALL_RULES: Final = {"generate_voyage", "generate_contract", "roll_map", "generate_guardian"}  # but for these there
RETURNED: Final[Records] = dict.fromkeys(("card_of", "numbered_card"), encounters.CARD)  # by functions
OF_ARRAYS: Final = {"shape"}
Known = dict[str, Any]  # the dtype of every name in reach; nothing for a number or an array of numbers


def faults_in(source: str, where: str, records: Records) -> Iterator[str]:
    """Every field of a module's kernels that its record has not got."""
    for found in ast.parse(source).body:
        if isinstance(found, ast.FunctionDef) and any(ast.unparse(one) == "kernel" for one in found.decorator_list):
            known = records | {"rules": rules.RULES} if found.name in WITH_ALL_RULES else records
            reader = _Reader({each.arg: known.get(each.arg) for each in found.args.args})
            for statement in found.body:
                reader.visit(statement)
            yield from (f"{where}:{line}: {found.name}: {said}" for line, said in reader.faults)


class _Reader(ast.NodeVisitor):
    """Reads one function from top to bottom."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.faults: list[tuple[int, str]] = []

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.known[target.id] = self._record(node.value)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id not in self.known:
            return  # a module's
        record = self._record(node.value)
        if record is not None and node.attr not in (record.names or ()) and node.attr not in OF_ARRAYS:
            self.faults.append((node.lineno, f"'{ast.unparse(node.value)}' has no field '{node.attr}'"))
        elif record is None and node.attr not in OF_ARRAYS:
            self.faults.append((node.lineno, f"'{ast.unparse(node.value)}' is not known to be a record"))

    def _record(self, node: ast.expr) -> Any:
        """The dtype of a record or of an array of records; nothing for everything else."""
        if isinstance(node, ast.Name):
            return self.known.get(node.id)
        if isinstance(node, ast.Subscript):
            return self._record(node.value)
        if isinstance(node, ast.Call):
            return RETURNED.get(ast.unparse(node.func))
        if isinstance(node, ast.Attribute):
            record = self._record(node.value)
            field = record.fields.get(node.attr) if record is not None and record.fields else None
            return field[0].base if field and field[0].base.names else None
        return None


def faults() -> Iterator[str]:
    """Every misspelt field of the package's kernels."""
    for package, records in KERNELS.items():
        for path in sorted((SOURCE / package / "kernel").glob("*.py")):
            known = records | {"rules": OF_A_FAMILY[path.stem]} if path.stem in OF_A_FAMILY else records
            yield from faults_in(path.read_text(), str(path.relative_to(SOURCE)), known)


if __name__ == "__main__":
    found = list(faults())
    sys.exit("\n".join(found) if found else 0)
