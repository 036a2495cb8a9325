"""Parallel loops: their domains, and what each may do with which field."""
from expressions import Expressions
from kinds import BOOL, HELD, I32
from places import Index, Scope, Task, isScalar
from statements import Statements


class Domain:
    """The head of a loop: its names, and the own elements of fields."""

    def __init__(self, header, indices, extents, texts, whole=""):
        self.header, self.indices, self.extents, self.texts = header, indices, extents, texts
        self.whole = whole  # the name that holds all indices, if there is one

    @property
    def trips(self):
        trips = 1
        for index in self.indices:
            trips *= max(1, index.high - index.low + 1)
        return trips

    def own(self, field, dice):
        """Indices of the iteration's own element in a field; None if there is none.
        Each axis of the loop takes one of the field, forwards or turned round."""
        if len(field.shape) < len(self.texts):
            return None
        if self.whole and dice.chance(70) and \
                [e.value for e in field.shape] == [e.value for e in self.extents]:
            return [self.whole]
        axes = list(range(len(field.shape)))
        chosen = axes[:len(self.texts)]
        if dice.chance(15):
            chosen = dice.sample(axes, len(self.texts))
        found = {}
        for axis, text, index, spanned in zip(chosen, self.texts, self.indices, self.extents):
            extent = field.shape[axis]
            if index.low < 0 or index.high >= extent.value:
                return None
            # Of another axis, a param of another value would make it race.
            rotates = 8 if spanned.text == extent.text else 0
            form = dice.weighted({"plain": 80, "turned": 8, "rotated": rotates, "as64": 4})
            found[axis] = {"plain": text, "turned": f"{extent.text} - 1 - {text}",
                           "rotated": f"({text} + {dice.randint(1, 5)}) % {extent.text}",
                           "as64": f"i64({text})"}[form]
        for axis in axes:
            if axis not in found:
                found[axis] = str(dice.randrange(field.shape[axis].value))
        return [found[axis] for axis in axes]


def someDomain(scope, fields):
    """The head of a loop over a field, a range, or several."""
    dice, k = scope.dice, scope.fresh("g")
    form = dice.weighted({"field": 45, "range": 30, "nd": 12, "grouped": 8, "beside": 8})
    shaped = [f for f in fields if 1 <= len(f.shape) <= 3]
    field = dice.choice(shaped)
    names = [k + "abc"[axis] for axis in range(len(field.shape))]
    whole = [Index(name, 0, extent.value - 1) for name, extent in zip(names, field.shape)]
    if form == "field":
        return Domain(f"for {', '.join(names)} in {field.name}:", whole, field.shape, names)
    if form == "grouped":
        texts = [f"{k}.{'xyz'[axis]}" for axis in range(len(field.shape))]
        indices = [index._replace(name=text) for index, text in zip(whole, texts)]
        if len(texts) > 1:
            return Domain(f"for {k} in grouped({field.name}):", indices, field.shape, texts, k)
    if form == "nd" and len(field.shape) > 1:
        spans, indices = [], []
        for index, extent in zip(whole, field.shape):
            low, less = dice.choice([(0, 0), (0, 0), (1, 0), (1, 1), (0, 1)])
            less = less if extent.value > 2 else 0
            low = low if extent.value > 2 else 0
            end = f"{extent.text} - {less}" if less else extent.text
            spans.append(f"({low}, {end})" if low else end)
            indices.append(index._replace(low=low, high=extent.value - 1 - less))
        return Domain(f"for {', '.join(names)} in ndrange({', '.join(spans)}):", indices,
                      field.shape, names)
    extent, name = field.shape[0], names[0]
    if form == "beside":
        other = k + "z"
        both = [Index(name, 0, extent.value - 1), Index(other, 0, extent.value - 1)]
        header = dice.choice([
            f"for {name}, {other} in zip(range({extent.text}), reversed(range({extent.text}))):",
            f"for {other}, {name} in enumerate(range({extent.text})):"])
        domain = Domain(header, both, [extent], [name])
        return domain
    return someRange(scope, name, extent)


def someRange(scope, name, extent):
    dice, n, text = scope.dice, extent.value, extent.text
    low, high, span = 0, n - 1, text
    form = dice.weighted({"whole": 50, "inner": 20, "short": 15, "step": 8, "falling": 8,
                          "dynamic": 15})
    if form == "inner" and n > 2:
        low, high, span = 1, n - 2, f"1, {text} - 1"
    elif form == "short" and n > 3:
        high = dice.randint(1, n - 2)
        span = str(high + 1)
    elif form == "step":
        span = f"0, {text}, {dice.choice([2, 3, 4])}"
    elif form == "dynamic":  # no iteration at all, at times
        span = f"{Expressions(scope).integer(I32, 1)} % {n + 1}"
    elif form == "falling":
        span = f"{text} - 1, -1, -1"
    return Domain(f"for {name} in range({span}):", [Index(name, low, high)], [extent], [name])


def someRoles(task, domain, fields, dice, program):
    """Gives each field a role; at least one is written."""
    fit = {}
    for field in fields:
        own = domain.own(field, dice)
        if own is not None:
            fit[field] = own
    for field in fields:
        kind = dice.weighted({"read": 45, "own": 40 if field in fit else 0, "updated": 12,
                              "none": 3})
        if kind == "own":
            task.own[field] = fit[field]
        elif kind == "updated":
            task.updated[field] = _operator(field, dice, program)
        elif kind == "read":
            task.read.append(field)
    if not task.own and fit:
        field = dice.choice(list(fit))
        task.own[field] = fit[field]
        task.updated.pop(field, None)
        if field in task.read:
            task.read.remove(field)


def _operator(field, dice, program):
    scalar = field.kind.scalar
    if scalar.isFloat:
        # The order of a sum shows in its last bits, but of an exact one.
        isExact = program.floats == "exact" and scalar.bits > 16
        return dice.choice(["+=", "+=", "min", "max"] if isExact else ["min", "max"])
    if scalar == BOOL:
        return dice.choice(["|=", "&="])
    return dice.choice(["+=", "+=", "+=", "^=", "&=", "|=", "min", "max"])


def writeTask(outer, fields):
    """A parallel loop between the statements of a kernel."""
    dice, program = outer.dice, outer.program
    domain = someDomain(outer, fields)
    scope = Scope(program, "task")
    scope.functions = outer.functions
    scope.lines, scope.depth = outer.lines, outer.depth
    scope.task = task = Task()
    someRoles(task, domain, fields, dice, program)
    variables = list(outer.variables)
    dice.shuffle(variables)
    for var in variables:
        if not var.isFixed and not var.name.endswith("]") and dice.chance(25) \
                and _canReduce(var.kind, program):
            task.reductions[var] = None
        else:
            scope.variables.append(var._replace(isFixed=True))
    scope.variables.sort()
    scope.indices = list(outer.indices)
    s = Statements(scope, Expressions(scope))
    scope.trips = outer.trips
    counts = [1, 1, 2, 2, 3] if program.isLean else [1, 2, 2, 3, 4, 5]

    def write():
        s.statements(dice.choice(counts))
        if task.own and dice.chance(75):
            s.keep()
    scope.block(domain.header, write,
                trips=domain.trips, indices=domain.indices, canContinue=True)
    if program.floats == "exact":
        settle(outer, task)


def settle(scope, task):
    """Brings exact sums back to what names and elements hold."""
    for var, op in task.reductions.items():
        if op == "+=" and var.kind.scalar.isFloat:
            most = HELD[var.kind.scalar.name].mag
            scope.line(f"{var.name} = clamp({var.name}, -{most}, {most})")
    for field, op in task.updated.items():
        if op == "+=" and field.kind.scalar.isFloat:
            most, k = HELD[field.kind.scalar.name].mag, scope.fresh("g")
            if not field.shape:
                place = field.at([])
                scope.line(f"{place} = clamp({place}, -{most}, {most})")
                continue
            names = [k + "abc"[axis] for axis in range(len(field.shape))]
            place = field.at(names)
            scope.line(f"for {', '.join(names)} in {field.name}:")
            scope.line(f"    {place} = clamp({place}, -{most}, {most})")


def _canReduce(kind, program):
    if not hasattr(kind, "scalar") or hasattr(kind, "shape"):
        return False
    scalar = kind.scalar
    if scalar.isFloat and program.floats == "exact" and scalar.bits == 16:
        return False
    return isScalar(kind) or (scalar != BOOL and hasattr(kind, "size"))
