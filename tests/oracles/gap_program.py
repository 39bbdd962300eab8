"""The best tree of the class of the decoder with a gap, as an integer program.

Nothing is shared with the decoder but the algebra of types: tokens choose a supertag and
a type that is left of it, edges and hosts; a gap is a unit of flow from the token that
lacks an argument, along APP edges, to the host of the word that fills it or to the token
that binds it. Only what is left of "one open gap at a time" is not linear: a solution
that breaks it is cut off, and the program solved again.
"""

import itertools
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from gap_trees import one_gap_at_a_time
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from amparser.constants.operations import APP, MOD, source_of
from amparser.constants.type_table import TypeTable
from amparser.constants.types import ANY, EMPTY, AMType, accepts
from amparser.decode.scores import Scores

Variable = tuple[Any, ...]


class Solution(NamedTuple):
    """The best tree: tokens from 1, head 0 for the root and -1 for ignored ones.

    Attributes:
        heads, hosts: of each token, then of each argument that is bound.
        cuts: how many solutions were cut off before.
    """

    logp: float
    heads: tuple[int, ...]
    hosts: tuple[int, ...]
    cuts: int


class _Program:
    """Binary variables with gains, and rows of linear constraints."""

    def __init__(self) -> None:
        self.index: dict[Variable, int] = {}
        self.gain: list[float] = []
        self.rows: list[tuple[dict[int, float], float, float]] = []

    def add(self, name: Variable, gain: float = 0.0) -> None:
        self.index[name] = len(self.gain)
        self.gain.append(float(gain))

    def row(
        self, plus: Sequence[Variable], minus: Sequence[Variable], low: float, high: float
    ) -> None:
        """low <= sum of some variables - sum of others <= high; unknown ones are 0."""
        entries: dict[int, float] = defaultdict(float)
        for sign, names in ((1.0, plus), (-1.0, minus)):
            for name in names:
                if name in self.index:
                    entries[self.index[name]] += sign
        if entries:
            self.rows.append((entries, low, high))
        elif not low <= 0 <= high:
            self.rows.append(({0: 0.0}, low, high))

    def at_most(
        self, most: float, plus: Sequence[Variable], minus: Sequence[Variable] = ()
    ) -> None:
        self.row(plus, minus, -np.inf, most)

    def exactly(
        self, value: float, plus: Sequence[Variable], minus: Sequence[Variable] = ()
    ) -> None:
        self.row(plus, minus, value, value)

    def solve(self) -> tuple[float, set[Variable]] | None:
        """The best value and the variables that are 1."""
        places = [(i, j, v) for i, (row, _, _) in enumerate(self.rows) for j, v in row.items()]
        i, j, v = zip(*places, strict=True)
        matrix = csr_array((v, (i, j)), shape=(len(self.rows), len(self.gain)))
        limits = np.array([(low, high) for _, low, high in self.rows])
        answer = milp(
            -np.array(self.gain),
            integrality=np.ones(len(self.gain)),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(matrix, limits[:, 0], limits[:, 1]),
            options={"mip_rel_gap": 1e-9},
        )
        if answer.status == 2:  # infeasible
            return None
        assert answer.status == 0, answer.message
        return -answer.fun, {name for name, i in self.index.items() if answer.x[i] > 0.5}


def best_by_program(
    scores: Scores, table: TypeTable, operations: Sequence[str], *, max_cuts: int = 50
) -> Solution | None:
    """The best tree of the class, by integer programming; None if there is none.

    Each supertag with a finite score is a candidate. `operations` are the names of the table's.
    """
    builder = _Builder(scores, table, operations)
    program = builder.program
    for cuts in range(max_cuts + 1):
        found = program.solve()
        if found is None:
            return None
        logp, chosen = found
        heads, hosts, cycle = builder.tree(chosen)
        if cycle:
            arcs = [arc for h, d in itertools.permutations(cycle, 2) for arc in builder.arcs(d, h)]
            program.at_most(len(cycle) - 1, arcs)
        elif one_gap_at_a_time(heads, hosts, len(scores)):
            return Solution(logp, heads, hosts, cuts)
        else:
            names = [name for name in chosen if name[0] in ("place", "bind", "far", "host", "lack")]
            program.at_most(len(names) - 1, names)
    raise AssertionError(f"not solved after {max_cuts} cuts")


class _Builder:
    """The program of one sentence.

    Its variables:
        (ignore, t), (root, t)
        (tag, t, k, r): token t has supertag k, of which type r is left.
        (place, d, h, o): d hangs from h by o, in its place.
        (bind, d, h, o): the same, and h binds the gap that d brings.
        (far, d, h, o): d hangs from h by o, displaced ...
        (host, d, h): ... to a place beside h.
        (lack, b, h, o): h goes without its argument by o, which is bound at b.
        (flow, g, t, h): the gap that g fills or binds goes from t to h above it.
    """

    def __init__(self, scores: Scores, table: TypeTable, operations: Sequence[str]) -> None:
        self.program = _Program()
        self.scores, self.operations = scores, operations
        self.tokens = range(1, len(scores) + 1)
        self.app = [o for o, name in enumerate(operations) if name.startswith(APP)]
        self.mod = [o for o, name in enumerate(operations) if name.startswith(MOD)]
        self.types = [None if k < 0 else table.types[k] for k in table.lexical_type.tolist()]
        sources = {source_of(operations[o]) for o in self.app}
        self.left = {t: _left_of(t, sources) for t in set(self.types) if t is not None}
        self.nearer, self.bare = table.nearer, table.bare
        self.unbound = set(np.flatnonzero(table.unbound).tolist())
        self.never_open = {source_of(operations[o]) for o in self.unbound}
        mobile = scores.mobile
        self.mobile = [d for d in self.tokens if mobile is None or mobile[d - 1]]
        self._add_variables()
        self._add_choices()
        self._add_types()
        self._add_shape()
        self._add_gaps()

    def tags(self, token: int) -> list[int]:
        return np.flatnonzero(self.scores.supertag_logp[token - 1] > -np.inf).tolist()

    def having(self, token: int, test: Callable[[AMType, AMType], bool]) -> list[Variable]:
        """The choices of supertag k and rest r of a token for which test(k's type, r) holds."""
        return [name for name in self.choices[token] if test(self.types[name[2]], name[3])]

    def takes(self, request: AMType, rest: AMType) -> bool:
        """A request takes an argument, of which it leaves open nothing that never stays open."""
        any_source = ANY in request.sources
        return accepts(request, rest) and not (any_source and self.never_open & rest.sources)

    def arcs(self, d: int, h: int) -> list[Variable]:
        """Token d stands beside h, as its dependent or displaced."""
        every = self.app + self.mod
        return [(kind, d, h, o) for kind in ("place", "bind") for o in every] + [("host", d, h)]

    def _add_variables(self) -> None:
        program, scores = self.program, self.scores
        self.choices: dict[int, list[Variable]] = {}
        for t in self.tokens:
            self.choices[t] = []
            for k in self.tags(t):
                if k == 0:
                    logp = scores.supertag_logp[t - 1, 0] + scores.edge_logp[t - 1, 0, 0]
                    if logp > -np.inf:
                        program.add(("ignore", t), logp)
                    continue
                for rest in self.left[self.types[k]]:
                    self.choices[t].append(("tag", t, k, rest))
                    program.add(self.choices[t][-1], scores.supertag_logp[t - 1, k])
        self.binders = [
            b
            for b in self.tokens
            if any(
                self.having(b, lambda t, _, o=o: _asks_any(t, self.operations[o])) for o in self.app
            )
        ]
        for d in self.tokens:
            if scores.edge_logp[d - 1, 0, 1] > -np.inf:
                program.add(("root", d), scores.edge_logp[d - 1, 0, 1])
            for h, o in itertools.product(self.tokens, self.app + self.mod):
                logp = scores.edge_logp[d - 1, h, o]
                if h == d or not logp > -np.inf:
                    continue
                if scores.in_place is None or scores.in_place[d - 1, int(d > h), o]:
                    program.add(("place", d, h, o), logp)
                    if o in self.app and h in self.binders:
                        program.add(("bind", d, h, o), logp)
                if o in self.app and d in self.mobile:
                    program.add(("far", d, h, o), logp)
        for d, h in itertools.permutations(self.tokens, 2):
            if d in self.mobile:
                program.add(("host", d, h))
            for g in {*self.mobile, *self.binders}:
                program.add(("flow", g, d, h))
            if d in self.binders:
                for o in set(self.app) - self.unbound:
                    program.add(("lack", d, h, o))

    def _add_choices(self) -> None:
        """Each token is ignored, or has one supertag and one edge; one is the root."""
        program = self.program
        program.exactly(1, [("root", t) for t in self.tokens])
        for t in self.tokens:
            program.exactly(1, [*self.choices[t], ("ignore", t)])
            edges: list[Variable] = [("root", t)]
            for h, o in itertools.product(self.tokens, self.app + self.mod):
                edges += [("place", t, h, o), ("bind", t, h, o), ("far", t, h, o)]
            program.exactly(1, [*edges, ("ignore", t)])
            far: list[Variable] = [("far", t, h, o) for h in self.tokens for o in self.app]
            program.exactly(0, far, [("host", t, h) for h in self.tokens])
            for h in self.tokens:
                program.at_most(1, [*self.arcs(t, h), ("ignore", h)])

    def _add_types(self) -> None:
        program, tokens = self.program, self.tokens
        for t in tokens:
            program.at_most(0, [("root", t)], self.having(t, lambda _, rest: rest == EMPTY))
        for h, o in itertools.product(tokens, self.app):
            source = source_of(self.operations[o])
            children: list[Variable] = []
            for d in tokens:
                children += [(kind, d, h, o) for kind in ("place", "bind", "far")]
                children.append(("lack", d, h, o))
            program.exactly(
                0,
                children,
                self.having(h, lambda t, rest, s=source: s in t.sources and s not in rest.sources),
            )
            requests = {
                self.types[k].request(source)
                for k in self.tags(h)
                if k and source in self.types[k].sources
            }
            for request in requests:
                asks = self.having(
                    h, lambda t, _, s=source, q=request: s in t.sources and t.request(s) == q
                )
                for d in tokens:
                    wrong = self.having(d, lambda _, rest, q=request: not self.takes(q, rest))
                    program.at_most(2, [("place", d, h, o), ("far", d, h, o), *asks, *wrong])
                    if not accepts(request, EMPTY):
                        program.at_most(1, [("lack", d, h, o), *asks])
            for d in tokens:
                name = ("bind", d, h, o)
                empty = self.having(d, lambda _, rest: rest == EMPTY)
                program.at_most(0, [name], empty)
                asks = self.having(h, lambda t, _, o=o: _asks_any(t, self.operations[o]))
                program.at_most(0, [name], asks)
        for o in self.mod:
            source = source_of(self.operations[o])
            for h, d in itertools.permutations(tokens, 2):
                never = [name for name in self.choices[h] if self.bare[name[2], o]]
                program.at_most(1, [("place", d, h, o), *never])
                fits = self.having(d, lambda _, rest, s=source: _modifies(rest, s))
                program.at_most(0, [("place", d, h, o)], fits)
                for needed in {name[3].without(source) for name in fits} - {EMPTY}:
                    these = [name for name in fits if name[3].without(source) == needed]
                    heads = self.having(h, lambda t, _, n=needed: not t.includes(n))
                    program.at_most(2, [("place", d, h, o), *these, *heads])
        for (side, a, b), h in itertools.product(np.argwhere(self.nearer).tolist(), tokens):
            beside = [d for d in tokens if (d > h) == side and d != h]
            for d, e in itertools.permutations(beside, 2):
                if abs(d - h) > abs(e - h):
                    pair = [
                        ("place", d, h, a),
                        ("bind", d, h, a),
                        ("place", e, h, b),
                        ("bind", e, h, b),
                    ]
                    program.at_most(1, pair)

    def _add_shape(self) -> None:
        """Of the moved tree no two edges cross, and none covers the root."""

        def joined(i: int, j: int) -> list[Variable]:
            return [*self.arcs(i, j), *self.arcs(j, i)]

        for i, j, k, m in itertools.combinations(self.tokens, 4):
            self.program.at_most(1, [*joined(i, k), *joined(j, m)])
        for i, j, k in itertools.combinations(self.tokens, 3):
            self.program.at_most(1, [*joined(i, k), ("root", j)])
        for i, j in itertools.combinations(self.tokens, 2):
            self.program.at_most(1, joined(i, j))

    def _add_gaps(self) -> None:
        program, tokens = self.program, self.tokens
        gaps = sorted({*self.mobile, *self.binders})
        # A token may both be displaced and bind: then its flows are told apart by their ends alone,
        # and one_gap_at_a_time has the last word.
        for g, t in itertools.product(gaps, tokens):
            up: list[Variable] = [("flow", g, t, h) for h in tokens]
            down: list[Variable] = [("flow", g, c, t) for c in tokens]
            own: list[Variable] = [(kind, g, t, o) for kind in ("far", "lack") for o in self.app]
            closed: list[Variable] = [("host", g, t)]
            if t == g:
                closed += [("bind", c, t, o) for c in tokens for o in self.app]
            program.exactly(0, [*up, *closed], [*down, *own])
            program.at_most(1, [*(("far", g, t, o) for o in self.app), ("host", g, t)])
        for t, h in itertools.permutations(tokens, 2):
            app: list[Variable] = [("place", t, h, o) for o in self.app]
            bind: list[Variable] = [("bind", t, h, o) for o in self.app]
            flows: list[Variable] = [("flow", g, t, h) for g in gaps]
            program.at_most(0, flows, [*app, *bind])
            program.at_most(0, [f for f in flows if f[1] != h], app)
            program.at_most(0, bind, [("flow", h, t, h)])
            program.at_most(0, bind, [("flow", h, c, t) for c in tokens])
            for g in gaps:
                # What fills a gap stands outside of what has brought it.
                if min(h, t) < g < max(h, t):
                    program.at_most(1, [("flow", g, t, h), ("host", g, h)])

    def tree(self, chosen: set[Variable]) -> tuple[tuple[int, ...], tuple[int, ...], list[int]]:
        """Heads and hosts (bound arguments after the tokens), and a cycle of hosts, if any."""
        heads, hosts = [-1] * len(self.tokens), [-1] * len(self.tokens)
        bound = []
        for kind, d, *rest in sorted(chosen, key=str):
            if kind == "root":
                heads[d - 1] = hosts[d - 1] = 0
            elif kind in ("place", "bind", "far"):
                heads[d - 1] = rest[0]
                if kind != "far":
                    hosts[d - 1] = rest[0]
            elif kind == "lack":
                bound.append((rest[0], d))
        for kind, d, *rest in chosen:
            if kind == "host":
                hosts[d - 1] = rest[0]
        for start in self.tokens:
            seen: list[int] = []
            token = start
            while token > 0 and token not in seen:
                seen.append(token)
                token = hosts[token - 1]
            if token > 0:
                return (), (), seen[seen.index(token) :]
        owners, binders = [o for o, _ in bound], [b for _, b in bound]
        return (*heads, *owners), (*hosts, *binders), []


def _left_of(lexical: AMType, sources: set[str]) -> set[AMType]:
    """What can be left of a type when some of these sources are filled."""
    found = {lexical}
    agenda = [lexical]
    while agenda:
        current = agenda.pop()
        for source in current.origins & sources:
            rest = current.without(source)
            if rest not in found:
                found.add(rest)
                agenda.append(rest)
    return found


def _asks_any(lexical: AMType, operation: str) -> bool:
    source = source_of(operation)
    return source in lexical.sources and lexical.request(source).sources == {ANY}


def _modifies(rest: AMType, source: str) -> bool:
    return source in rest.origins and rest.request(source) == EMPTY
