"""The host code of random differentiable programs: what comes before their kernels, what
takes the loss, and `forward()`, which runs the kernels with loops, copies and stores of
the host."""


class HostCode:
    """The part of a Writer that writes host code."""

    def put_start(self):
        n = self.size
        self.put(0, "@kernel")
        self.put(0, "def start():")
        self.put(1, f"for i in range({n}):")
        self.put(2, "y[i] = 0.3 * i - 0.4")
        self.put(2, "z[i] = cos(1.7 * i)")
        self.put(2, "u[i] = vec2(0.2 * i, 0.5 - 0.1 * i)")
        self.put(2, f"m[i] = (i * 5 + {self.dice.randint(0, 6)}) % 7")
        if self.hasAtomics:
            self.put(2, "o[i] = i % 3")
            self.put(1, "for k in w:")
            self.put(2, "w[k] = 0")
            self.put(1, "c[None] = 0")
        self.put(0, "")

    def put_finish(self):
        n = self.size
        self.put(0, "@kernel")
        self.put(0, "def finish():")
        self.put(1, f"for i in range({n}):")
        self.put(2, "L[None] += sin(y[i]) + 0.7 * z[i] * y[i] + u[i].x * 0.3 - u[i].y * z[i]")
        self.put(2, "L[None] += 0.2 * x[i]")
        if self.hasAtomics:
            self.put(1, "for k in w:")
            self.put(2, "L[None] += (0.4 + 0.1 * w[k]) * w[k]")
        self.put(0, "")

    def put_forward(self, kernels):
        n = self.size
        self.put(0, "def forward():")
        self.put(1, "start()")
        for name in kernels:
            kind = self.dice.choice(["once", "loop", "loop", "host", "copy"])
            if kind == "loop":
                self.put(1, f"for t in range({self.dice.randint(1, 3)}):")
                self.put(2, f"{name}(t)")
                continue
            if kind == "host":
                self.put(1, f"z[{self.dice.randrange(n)}] = 0.25")
            if kind == "copy":
                self.put(1, self.dice.choice(["y.copy_from(z)", "z.copy_from(y)", "y.fill(0.3)"]))
            self.put(1, f"{name}({self.dice.randrange(3)})")
        self.put(1, "finish()")
        self.put(0, "")

    def put_turn_entry(self, kernels, indent, turn):
        """Something that a tape records in an iteration of a loop."""
        n = self.size
        kind = self.dice.choice(["kernel"] * 5 + ["store", "add", "copy", "fill", "some"])
        name = self.dice.choice(kernels)
        if kind == "store":
            self.put(indent, f"z[{self.dice.randrange(n)}] = 0.25")
        elif kind == "add":
            self.put(indent, f"y[{self.dice.randrange(n)}] += 0.01 * {turn}")
        elif kind == "copy":
            self.put(indent, self.dice.choice(["y.copy_from(z)", "z.copy_from(y)"]))
        elif kind == "fill":
            self.put(indent, "y.fill(0.3)")
        else:
            if kind == "some":
                self.put(indent, f"if {turn} % {self.dice.randint(2, 5)} == 1:")
                indent += 1
            self.put(indent, f"{name}({self.dice.choice([turn + ' % 3', '1', '0'])})")

    def put_turns(self, kernels):
        """Loops of many turns, for tapes that keep to a budget."""
        self.put(0, "def forward():")
        self.put(1, "start()")
        for k in range(self.dice.randint(1, 3)):
            turn, number = f"t{k}", self.dice.choice([2, 9, 20, 45])
            kind = self.dice.choice(["for", "for", "while", "nested"])
            indent = 2
            if kind == "while":
                self.put(1, f"{turn} = 0")
                self.put(1, f"while {turn} < {number}:")
                self.put(2, f"{turn} += 1")
            elif kind == "nested":
                self.put(1, f"for o{k} in range({self.dice.randint(1, 4)}):")
                self.put(2, f"for {turn} in range({number}):")
                indent = 3
            else:
                self.put(1, f"for {turn} in range({number}):")
            self.put(indent, f"{self.dice.choice(kernels)}({turn} % 3)")
            for _ in range(self.dice.randint(0, 3)):
                self.put_turn_entry(kernels, indent, turn)
        self.put(1, "finish()")
        self.put(0, "")
