"""Functions: early returns in nested control, tuples, generic parameters."""
from expressions import Expressions
from kinds import BOOL
from places import Scope, Var, isScalar
from statements import Statements


class Function:
    def __init__(self, name, parameters, results):
        self.name, self.parameters, self.results = name, parameters, results

    def call(self, e, fuel):
        """Its call, with arguments written at a place."""
        dice, found = e.dice, []
        for parameter in self.parameters:
            if isinstance(parameter.kind, str):
                found.append(parameter.kind)
                continue
            found.append(e.some(parameter.kind, max(0, min(fuel, 1))))
        if len(found) > 1 and dice.chance(15):
            names = [f"{p.name}={text}" for p, text in zip(self.parameters, found)]
            keep = dice.randrange(len(found))
            found = found[:keep] + names[keep:]
        return f"{self.name}({', '.join(found)})"


def writeFunction(program, name, earlier):
    """A function and its lines. A parameter without a type is generic."""
    dice, scope = program.dice, Scope(program, "function")
    scope.functions, scope.depth, scope.nesting = list(earlier), 1, 1
    scope.trips = 400
    e = Expressions(scope)
    s = Statements(scope, e)
    parameters = [Var("abcd"[k], s.someKind()) for k in range(dice.randint(1, 3))]
    scope.variables += parameters
    results = [s.someKind() for _ in range(dice.weighted({1: 60, 2: 25, 3: 15}))]
    scope.results = results
    s.statements(dice.randint(2, 5))
    scope.line("return " + ", ".join(e.some(kind, 2) for kind in results))
    signature = ", ".join(p.name if dice.chance(25) else f"{p.name}: {p.kind.text}"
                          for p in parameters)
    result = results[0].text if len(results) == 1 else f"({', '.join(k.text for k in results)})"
    arrow = f" -> {result}" if dice.chance(75) else ""
    if not arrow and any(not isScalar(kind) or kind == BOOL for kind in results):
        arrow = f" -> {result}"
    return Function(name, parameters, results), [f"def {name}({signature}){arrow}:", *scope.lines, ""]
