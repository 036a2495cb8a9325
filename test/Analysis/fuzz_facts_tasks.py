"""Random tasks for fuzz_facts.py: their launches and their runs."""
from fuzz_facts_numbers import Stop, number, wrap


class Run:
    def __init__(self, task, env, ask, touch):
        self.task, self.env, self.ask, self.touch, self.steps = task, env, ask, touch, 0
        self.arrays = {name: [0] * 4 for name in Task.ARRAYS}

    def wraps(self, name, does):
        (self.task.wrapped.add if does else self.task.wrapped.discard)(name)

    def block(self, body):
        for do in body:
            self.steps += 1
            if self.steps > 3000:
                raise Stop
            do(self)


class Task:
    """A task with its launches: of each the values that are passed and the
    bounds, as functions of a number that the host has."""

    ARRAYS = ("l0", "l1", "l2")
    FIELDS = "!chi.field<4xi32>, !chi.field<16xi32>, !chi.field<?xi32>"

    def __init__(self, number, maker):
        self.number, self.wrapped, self.launches = number, set(), []
        rng, self.body = maker.rng, []
        rank = rng.choice([1, 2])
        self.indices = [f"i{k}" for k in range(rank)]
        self.captured = ["a", "b", "w", "d"]
        widths = dict(a=32, b=32, w=64, d=32, i0=32, i1=32)
        self.inputs = self.captured + self.indices
        self.first = maker.emit(0, f"func.func @h{number}(%f0: !chi.field<4xi32>, %f1: !chi.field<16xi32>, "
                                   "%f2: !chi.field<?xi32>, %p: i32, %q: i64) attributes {chi.control} {")
        maker.emit(1, "%d = chi.dim %f2, 0 : !chi.field<?xi32> -> i32")
        for k in range(rng.choice([1, 1, 2])):
            self.launches.append(self.launch(maker, k, rank))
        maker.emit(1, "return")
        maker.emit(0, "}")
        maker.emit(0, f"chi.task @t{number} (%f0: !chi.field<4xi32>, %f1: !chi.field<16xi32>, %f2: !chi.field<?xi32>, "
                      "%a: i32, %b: i32, %w: i64, %d: i32) (" + ", ".join(f"%{i}: i32" for i in self.indices) + ") {")
        for at in rng.sample([0, 1, 2, 3], 2):
            maker.emit(1, f'"ask.iteration"() {{at = array<i64: {", ".join([str(at)] * rank)}>}} : () -> ()')
        for name in self.ARRAYS:
            maker.emit(1, f"%{name} = chi.local \"{name}\" : !chi.local<4xi32>")
        for name in self.inputs:
            maker.types[name] = widths[name]
        maker.block(1, self.body, self.inputs, 0)
        maker.emit(1, "chi.next")
        self.last = maker.emit(0, "}")
        self.accesses, self.in_loops = maker.accesses, maker.in_loops

    def launch(self, maker, k, rank):
        """The values as functions of p, q and the extent; writes the call."""
        rng = maker.rng
        texts, values = [], []

        def value(width, choices):
            kind = rng.choice(choices)
            name = f"%l{k}_{len(texts)}_{len(values)}"
            if kind == "constant":
                constant = rng.choice([-3, 0, 1, 2, 5, 16]) if width == 32 else number(rng, 64)
                maker.emit(1, f"{name} = arith.constant {constant} : i{width}")
                values.append(lambda p, q, d: constant)
                return name
            if kind == "next":
                maker.emit(1, f"{name}c = arith.constant 1 : i32")
                maker.emit(1, f"{name} = arith.addi %p, {name}c : i32")
                values.append(lambda p, q, d: wrap(p + 1, 32))
                return name
            values.append({"p": lambda p, q, d: p, "q": lambda p, q, d: q, "d": lambda p, q, d: d}[kind])
            return "%" + kind
        passed = [value(32, ["constant", "p", "p", "next", "d"]), value(32, ["constant", "p", "next", "d"]),
                  value(64, ["constant", "q"]), value(32, ["d", "d", "constant"])]
        bounds = []
        for _ in range(rank):
            bounds.append((value(32, ["constant", "constant", "p"]), value(32, ["constant", "constant", "p", "d", "next"])))
        texts = [", ".join(b[side] for b in bounds) for side in (0, 1)]
        types = ", ".join(["i32"] * rank)
        maker.emit(1, f"chi.launch @t{self.number}(%f0, %f1, %f2, {', '.join(passed)} : {self.FIELDS}, i32, i32, i64, i32) "
                      f"from ({texts[0]} : {types}) to ({texts[1]} : {types})")
        return values

    def start(self, rng):
        """What a launch passes, with its bounds; None if it is empty."""
        for _ in range(4):
            env = self.start_once(rng)
            if all(low < high for low, high in env["bounds"]):
                return env
        return None

    def start_once(self, rng):
        d = rng.choice([1, 2, 7, 16, 100])
        p, q = number(rng, 32), number(rng, 64)
        values = [value(p, q, d) for value in rng.choice(self.launches)]
        env = dict(zip(self.captured, values[:4]))
        env["extent"] = d
        env["bounds"] = [(values[4 + 2 * k], values[5 + 2 * k]) for k in range(len(self.indices))]
        return env

    def draw(self, rng):
        env = self.start(rng)
        if env is None:
            return None
        for name, (low, high) in zip(self.indices, env["bounds"]):
            env[name] = rng.choice([low, high - 1, rng.randint(low, high - 1)])
        return env

    def iterations(self, env):
        """Some of them, all if there are few."""
        (low, high), *rest = env["bounds"]
        for i in range(low, min(high, low + 6)):
            if not rest:
                yield {"i0": i}
            else:
                for j in range(rest[0][0], min(rest[0][1], rest[0][0] + 5)):
                    yield {"i0": i, "i1": j}

    def run(self, env, ask, touch=lambda line, element: None):
        self.wrapped = set()
        Run(self, env, ask, touch).block(self.body)

    def symbol(self, name, env):
        if name.startswith("extent"):
            return env.get("extent")
        if name[0] == "c" and name[1:].isdigit():
            name = self.captured[int(name[1:]) - 3]
        return env.get(name) if name in self.inputs or name.startswith("v") else None
