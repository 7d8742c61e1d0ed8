"""The query language of `map search`: comparisons over path analytics, compiled to a stack program.

    max_path(elite) >= 4 and first_row(shop) <= 4
    2 <= min_path(port) and not (routes < 100 or linearity > 0.7)

>>> query = compile_query("count(shop) + count(port) >= 9", "voyage")
>>> query.text
'count(shop) + count(port) >= 9'
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.codes import KIND_CODES
from cartomancer.content import load_preset
from cartomancer.content.models.base import Preset
from cartomancer.errors import QueryError, UnknownNameError
from cartomancer.maps import families
from cartomancer.maps.kernel import features as m
from cartomancer.maps.kernel import query as q
from cartomancer.tables import table_beside

_DECLARED: Final = table_beside(__file__, "queries.toml")
NUMBERS: Final[dict[str, tuple[int, str]]] = {
    name: (getattr(m, feature), meaning) for name, (feature, meaning) in _DECLARED["numbers"].items()
}
LARGEST: Final = 10**12
FARTHEST: Final = 2**63 - 1  # what the search reckons with
MINUTES: Final = {m.LEAST_MINUTES, m.MOST_MINUTES, m.MEAN_MINUTES}
THOUSANDTHS: Final = {m.MEAN_DANGER, m.LINEARITY, *MINUTES}
PER_TYPE: Final[dict[str, tuple[int, int, str]]] = {
    name: (getattr(m, feature), block, meaning.format(never=m.NEVER))
    for name, (feature, block, meaning) in _DECLARED["per_type"].items()
}
COMPARISONS: Final[dict[type[ast.cmpop], tuple[int, int, type[ast.cmpop]]]] = {
    # operator: (code, what is added to the right to make a strict comparison of whole numbers, the opposite)
    ast.GtE: (q.AT_LEAST, 0, ast.Lt),
    ast.Gt: (q.AT_LEAST, 1, ast.LtE),
    ast.LtE: (q.AT_MOST, 0, ast.Gt),
    ast.Lt: (q.AT_MOST, -1, ast.GtE),
    ast.Eq: (q.EQUAL, 0, ast.NotEq),
    ast.NotEq: (q.DIFFERENT, 0, ast.Eq),
}
ARITHMETIC: Final[dict[type[ast.operator], int]] = {ast.Add: q.ADD, ast.Sub: q.SUBTRACT, ast.Mult: q.MULTIPLY}
DISTANCES: Final = {q.AT_LEAST, q.AT_MOST, q.EQUAL, q.DIFFERENT}


@dataclass(frozen=True)
class Query:
    """A compiled query: a program and the features it needs. `scale` is what a distance of 1 counts as."""

    text: str
    program: np.ndarray[Any, np.dtype[np.int64]]
    wanted: np.ndarray[Any, np.dtype[np.int64]]
    scale: int


def known_names(family: str) -> list[str]:
    """Everything a query may mention, with its meaning."""
    timed = load_preset(family).seconds_by_type()
    kinds = ", ".join(families.of(family).kinds)
    lines = [f"{name}(TYPE)  {meaning}" for name, (_, _, meaning) in PER_TYPE.items()]
    lines += [f"{name}  {meaning}" for name, (at, meaning) in NUMBERS.items() if timed or at not in MINUTES]
    return [*lines, f"TYPE is one of: {kinds}"]


def compile_query(text: str, family: str, rules: Preset | None = None) -> Query:
    """The program of a query, or a QueryError that says what is wrong and where.

    What could grow beyond 64 bits on a map of these rules (without them, of the family's default preset) is refused.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (RecursionError, MemoryError):
        raise QueryError("the query is nested too deeply") from None
    except (SyntaxError, ValueError) as error:
        where = f" at column {error.offset}" if isinstance(error, SyntaxError) and error.offset else ""
        raise QueryError(f"'{text}' is not an expression{where}: try max_path(elite) >= 4") from None
    compiler = _Compiler(text, family, _is_scaled(tree), most_of_each(rules or load_preset(family)))
    try:
        compiler.condition(tree.body, wanted=True)
    except RecursionError:
        raise QueryError("the query is nested too deeply") from None
    if compiler.deepest > q.STACK_DEPTH:
        raise QueryError(f"'{text}' is nested too deeply: at most {q.STACK_DEPTH} values at once")
    return Query(
        text=text,
        program=np.array(compiler.program, np.int64),
        wanted=np.array(compiler.wanted, np.int64),
        scale=1000 if compiler.scaled else 1,
    )


def most_of_each(rules: Preset) -> dict[int, int]:
    """The most that each feature can be on a map of these rules; the least is 0."""
    family = families.of(rules.family)
    rows, slots = family.size(rules)
    danger = rows * max(rules.danger_by_type().values())
    minutes = rows * (max(rules.seconds_by_type().values(), default=0) + rules.choice_seconds) * 1000 // 60
    most = dict.fromkeys(range(m.COUNT), 2**31) | dict.fromkeys(range(m.COUNT, m.FEATURES), max(rows * slots, m.NEVER))
    most |= dict.fromkeys((m.NODES, m.STARTS, m.DISJOINT, m.FORCED_NODES, m.WIDEST_ROW), rows * slots)
    most |= {m.EDGES: rows * slots * slots, m.ROUTES: family.most_routes(rules), m.LINEARITY: 1000}
    most |= dict.fromkeys(MINUTES, minutes)
    return most | {m.LEAST_DANGER: danger, m.MOST_DANGER: danger, m.MEAN_DANGER: danger * 1000}


def _is_scaled(tree: ast.AST) -> bool:
    """Whether decimals occur, so that everything must be counted in thousandths."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            return True
        if isinstance(node, ast.Name) and node.id in NUMBERS and NUMBERS[node.id][0] in THOUSANDTHS:
            return True
    return False


class _Compiler:
    """Turns the syntax tree into the stack program; `not` is pushed down into the comparisons."""

    def __init__(self, text: str, family: str, scaled: bool, most: dict[int, int]) -> None:
        self.text, self.family, self.scaled, self.most = text, family, scaled, most
        self.program: list[tuple[int, int]] = []
        self.wanted = [0] * m.BLOCKS
        self.deepest = 0
        self.bounds: list[tuple[int, int]] = []  # the least and the most of every value on the stack

    def emit(self, code: int, argument: int = 0) -> None:
        self.program.append((code, argument))
        if code == q.PUSH_NUMBER:
            reached = argument, argument
        elif code == q.PUSH_FEATURE:
            reached = 0, self.most[argument]
        else:
            two, one = self.bounds.pop(), self.bounds.pop()
            reached = _reached(code, one, two)
        farthest = max(map(abs, reached))
        if farthest > FARTHEST:
            raise QueryError(
                f"'{self.text[:60]}': could reach numbers of {len(str(farthest))} digits on a map of these rules, "
                f"beyond the ±{FARTHEST:,} that a search reckons with: use smaller numbers or fewer products"
            )
        self.bounds.append((max(reached[0], 0), max(reached[1], 0)) if code in DISTANCES else reached)
        self.deepest = max(self.deepest, len(self.bounds))

    def refuse(self, node: ast.AST, why: str) -> QueryError:
        return QueryError(f"'{self.text}': {ast.unparse(node)} {why}")

    def condition(self, node: ast.expr, wanted: bool) -> None:
        """Emit the distance from the node being true (or, not wanted, false)."""
        match node:
            case ast.BoolOp():
                both = isinstance(node.op, ast.And) == wanted
                self.condition(node.values[0], wanted)
                for value in node.values[1:]:
                    self.condition(value, wanted)
                    self.emit(q.AND if both else q.OR)
            case ast.UnaryOp(op=ast.Not()):
                self.condition(node.operand, not wanted)
            case ast.Compare():
                self.comparison(node, wanted)
            case _:
                raise self.refuse(node, "is a value, not a condition: compare it, for example with >= 1")

    def comparison(self, node: ast.Compare, wanted: bool) -> None:
        """Emit a comparison; a chain a <= b <= c is the comparisons together."""
        sides = [node.left, *node.comparators]
        for index, operator in enumerate(node.ops):
            if type(operator) not in COMPARISONS:
                raise self.refuse(node, "uses a comparison that queries do not know: use >= > <= < == !=")
            opposite = COMPARISONS[type(operator)][2]
            code, shift, _ = COMPARISONS[type(operator) if wanted else opposite]
            self.value(sides[index])
            self.value(sides[index + 1])
            if shift:
                self.emit(q.PUSH_NUMBER, shift)
                self.emit(q.ADD)
            self.emit(code)
            if index:
                self.emit(q.AND if wanted else q.OR)

    def value(self, node: ast.expr) -> None:
        """Emit a number."""
        match node:
            case ast.Constant(value=bool()):
                raise self.refuse(node, "is not a number")
            case ast.Constant(value=int() | float()):
                self.constant(node.value, 1000 if self.scaled else 1)  # type: ignore[arg-type]
            case ast.UnaryOp(op=ast.USub()):
                self.emit(q.PUSH_NUMBER, 0)
                self.value(node.operand)
                self.emit(q.SUBTRACT)
            case ast.BinOp():
                self.arithmetic(node)
            case ast.Name():
                self.number(node)
            case ast.Call():
                self.per_type(node)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp():
                raise self.refuse(node, "is a condition, not a number")
            case _:
                raise self.refuse(node, "is not something queries know")

    def constant(self, value: float, scale: int = 1) -> None:
        if not abs(value) <= LARGEST:
            raise QueryError(f"'{self.text[:60]}': a number is beyond ±{LARGEST:,}")
        self.emit(q.PUSH_NUMBER, round(value * scale))

    def arithmetic(self, node: ast.BinOp) -> None:
        if type(node.op) not in ARITHMETIC:
            raise self.refuse(node, "uses an operator that queries do not know: use + - *")
        self.value(node.left)
        if self.scaled and isinstance(node.op, ast.Mult):
            # thousandths times thousandths would count twice: one side must be a plain whole number
            if not (isinstance(node.right, ast.Constant) and type(node.right.value) is int):
                raise self.refuse(node, "multiplies decimals: put a whole number on the right of *")
            self.constant(node.right.value)
        else:
            self.value(node.right)
        self.emit(ARITHMETIC[type(node.op)])

    def feature(self, index: int) -> None:
        self.emit(q.PUSH_FEATURE, index)
        if self.scaled and index not in THOUSANDTHS:
            self.emit(q.PUSH_NUMBER, 1000)
            self.emit(q.MULTIPLY)

    def number(self, node: ast.Name) -> None:
        if node.id in PER_TYPE:
            raise self.refuse(node, f"needs a type: {node.id}(elite)")
        if node.id not in NUMBERS:
            raise UnknownNameError("name in a query", node.id, [*NUMBERS, *(f"{name}(TYPE)" for name in PER_TYPE)])
        index = NUMBERS[node.id][0]
        if index in MINUTES and not self.most[index]:
            raise self.refuse(node, f"asks how long play takes, which the rules of {self.family} maps do not say")
        self.wanted[0] |= 1 << index
        self.feature(index)

    def per_type(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else ast.unparse(node.func)
        if name not in PER_TYPE:
            raise UnknownNameError("name in a query", name, [*(f"{known}(TYPE)" for known in PER_TYPE), *NUMBERS])
        arguments = [argument.id for argument in node.args if isinstance(argument, ast.Name)]
        if len(arguments) != 1 or len(node.args) != 1 or node.keywords:
            raise self.refuse(node, f"needs exactly one type, for example {name}(elite)")
        kinds = families.of(self.family).kinds
        if arguments[0] not in kinds:
            raise UnknownNameError(f"{self.family} type", arguments[0], kinds)
        first, block, _ = PER_TYPE[name]
        kind = KIND_CODES[arguments[0]]
        self.wanted[block] |= 1 << kind
        self.feature(first + kind)


def _reached(code: int, one: tuple[int, int], two: tuple[int, int]) -> tuple[int, int]:
    """The least and the most that comes of two values; of a comparison, what is reckoned before it is cut off at 0."""
    (a, b), (c, d) = one, two
    if code in (q.ADD, q.AND):
        return a + c, b + d
    if code == q.MULTIPLY:
        products = (a * c, a * d, b * c, b * d)
        return min(products), max(products)
    if code == q.OR:
        return min(a, c), min(b, d)
    if code == q.DIFFERENT:
        return 0, 1
    if code == q.AT_LEAST:
        return c - b, d - a
    if code == q.EQUAL:
        far = max(abs(a - d), abs(b - c))
        return -far, far
    return a - d, b - c
