"""Branches, loops and early exits inside an iteration, a function or a kernel."""
from kinds import I32, SCALARS
from places import Index, Var


class Control:
    def __init__(self, scope, expressions):
        self.scope, self.e, self.dice, self.program = scope, expressions, scope.dice, scope.program

    # -- branches ------------------------------------------------------------
    def put_branch(self):
        dice, scope = self.dice, self.scope
        header = f"if {self.e.condition(2)}:"
        scope.block(header, lambda: self.statements(dice.choice([1, 1, 2, 3])))
        if dice.chance(20):
            scope.block(f"elif {self.e.condition(2)}:", lambda: self.statements(1))
        if dice.chance(45):
            scope.block("else:", lambda: self.statements(dice.choice([1, 1, 2])))

    def put_leave(self):
        """break or continue, mostly under a condition."""
        scope, words = self.scope, []
        words += ["break"] * 2 if scope.canBreak else []
        words += ["continue"] if scope.canContinue else []
        word = self.dice.choice(words)
        scope.block(f"if {self.e.condition(2)}:", lambda: scope.line(word))

    def put_giveBack(self):
        values = ", ".join(self.e.some(kind, 1) for kind in self.scope.results)
        scope = self.scope
        if self.dice.chance(50):
            return scope.block(f"if {self.e.condition(2)}:",
                               lambda: scope.line(f"return {values}"))
        scope.line(f"return {values}")

    # -- sequential loops ----------------------------------------------------
    def put_loop(self):
        kind = self.dice.weighted({"range": 40, "dynamic": 30, "while": 22, "static": 8,
                                   "nd": 8, "beside": 6, "tuple": 4})
        if self.scope.place == "kernel":
            kind = self.dice.choice(["range", "while", "static", "dynamic"])
        getattr(self, "loop_" + kind)()

    def body(self, header, trips, indices=(), canLeave=True, extra=None):
        dice, scope = self.dice, self.scope

        def write():
            if extra:
                extra()
            self.statements(dice.choice([1, 2, 2, 3]))
        scope.block(header, write, trips, indices, canBreak=canLeave, canContinue=canLeave)

    def serial(self, text):
        return f"serial({text})" if self.scope.place == "kernel" else text

    def loop_range(self):
        """Of constant length, odd ones among them."""
        dice, name = self.dice, self.scope.fresh("k")
        n = dice.weighted({1: 4, 2: 8, 3: 12, 4: 8, 5: 10, 7: 10, 8: 6, 9: 5, 13: 4, 16: 3, 17: 4,
                           31: 1, 33: 1})
        form = dice.choice(["plain", "plain", "from", "step", "falling", "reversed"])
        if form == "plain":
            text, index = f"range({n})", Index(name, 0, n - 1)
        elif form == "from":
            low = dice.randint(-3, 4)
            text, index = f"range({low}, {low + n})", Index(name, low, low + n - 1)
        elif form == "step":
            step = dice.choice([2, 3])
            text, index = f"range(0, {n * step}, {step})", Index(name, 0, (n - 1) * step)
        elif form == "falling":
            text, index = f"range({n - 1}, -1, -1)", Index(name, 0, n - 1)
        else:
            text, index = f"reversed(range({n}))", Index(name, 0, n - 1)
        self.body(f"for {name} in {self.serial(text)}:", n, [index])

    def loop_dynamic(self):
        """Of a length that only data know."""
        dice, name = self.dice, self.scope.fresh("k")
        most = dice.choice([1, 3, 5, 7, 9, 13])
        length = f"{self.e.integer(I32, 1)} % {most + 1}"
        index = Index(name, 0, most)
        form = dice.choice(["plain", "plain", "from", "unsigned", "beyond"])
        text = f"range({length})"
        if form == "from":
            text = f"range({self.e.integer(I32, 0)} % 3, {length})"
        elif form == "unsigned":
            scalar = SCALARS[dice.choice(["u8", "u16", "u32", "i64"])]
            text = f"range({self.e.integer(scalar, 1)} % {most + 1})"
            index = Index(name, 0, most, scalar)
        elif form == "beyond":  # empty where it begins behind its end
            text = f"range({most // 2}, {length})"
        self.body(f"for {name} in {self.serial(text)}:", most, [index])

    def loop_while(self):
        dice, scope = self.dice, self.scope
        count, most = scope.fresh("w"), dice.choice([1, 3, 4, 7, 10])
        scope.line(f"{count} = {dice.choice([0, 0, 0, 1, -2])}")
        scope.variables.append(Var(count, I32, isFixed=True))
        header = f"while {count} < {most} and {self.e.condition(2)}:"
        if dice.chance(30):
            header = f"while {self.e.condition(1)} and {count} < {most}:"
        elif dice.chance(20):
            header = "while True:"

        def count_up():
            scope.line(f"{count} += 1")
            if header == "while True:":
                scope.block(f"if {count} > {most}:", lambda: scope.line("break"))
        self.body(header, most + 3, extra=count_up)

    def loop_static(self):
        dice, name = self.dice, self.scope.fresh("k")
        n = dice.choice([1, 2, 3, 4])
        self.body(f"for {name} in static(range({n})):", n, [Index(f"i32({name})", 0, n - 1)],
                  canLeave=False)

    def loop_nd(self):
        dice, k = self.dice, self.scope.fresh("k")
        n, m = dice.choice([2, 3, 5]), dice.choice([1, 2, 3, 7])
        low = dice.randint(-1, 2)
        self.body(f"for {k}a, {k}b in ndrange({n}, ({low}, {low + m})):", n * m,
                  [Index(f"{k}a", 0, n - 1), Index(f"{k}b", low, low + m - 1)])

    def loop_beside(self):
        dice, k = self.dice, self.scope.fresh("k")
        n, m = dice.choice([2, 3, 5, 9]), dice.choice([3, 4, 7])
        if dice.chance(50):
            header = f"for {k}a, {k}b in zip(range({n}), reversed(range({m}))):"
            indices = [Index(f"{k}a", 0, n - 1), Index(f"{k}b", 0, m - 1)]
        else:
            header = f"for {k}a, {k}b in enumerate(range(0, {2 * n}, 2), start=1):"
            indices = [Index(f"{k}a", 1, n), Index(f"{k}b", 0, 2 * n - 2)]
        self.body(header, n, indices)

    def loop_tuple(self):
        dice, k = self.dice, self.scope.fresh("k")
        values = [dice.randint(0, 9) for _ in range(dice.choice([2, 3]))]
        self.body(f"for {k} in ({', '.join(map(str, values))}):", len(values),
                  [Index(f"i32({k})", min(values), max(values))], canLeave=False)
