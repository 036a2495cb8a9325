#!/usr/bin/env python3
"""Random tasks that ask the analyses of chi-opt (`--chi-test-…`) about their
values and accesses. The tasks are run here, for many inputs, and each answer
must hold each time: intervals, sums, conditions, wrap-around, what iterations
share, depend on and touch.

  fuzz_facts.py CHI-OPT [--seed N] [--tasks N] [--runs N] [--save FILE]
"""
import argparse
import random
import re
import subprocess
import sys

from fuzz_facts_code import Maker
from fuzz_facts_numbers import Stop
from fuzz_facts_tasks import Task


def remarks(opt, text, flag):
    """{line: [text]} of what a pass says."""
    done = subprocess.run([opt, "--allow-unregistered-dialect", "--chi-launch-facts", flag, "-o", "/dev/null"],
                          input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{opt} {flag} failed:\n{done.stderr[:2000]}")
    found = {}
    for line in done.stderr.splitlines():
        said = re.match(r"<stdin>:(\d+):\d+: remark: (.*)", line)
        if said:
            found.setdefault(int(said[1]), []).append(said[2])
    return found


def value_of(sum_text, env, task):
    """The value of a sum of symbols; None if one has no name of its own."""
    total = 0
    for sign, factor, name in re.findall(r"([+-]?) ?(?:(\d+) \* )?(extent\([^)]*\)|\w+)", sum_text):
        if name.isdigit():
            value = int(name)
        else:
            value = task.symbol(name, env)
        if value is None:
            return None
        total += (-1 if sign == "-" else 1) * int(factor or 1) * value
    return total


class Facts:
    """The answers about the integers of a task."""

    def __init__(self, task, said):
        self.task, self.said, self.bad, self.held = task, said, [], 0

    def expect(self, holds, line, env, what):
        self.held += 1
        if not holds and len(self.bad) < 3:
            inputs = {name: env[name] for name in self.task.inputs}
            self.bad.append(f"line {line}: {what} with {inputs}")

    def ask(self, line, kind, name, env):
        for text in self.said.get(line, []):
            value = env[name]
            if kind == "interval":
                low, high = map(int, re.match(r"\[(-?\d+), (-?\d+)\]", text).groups())
                self.expect(low <= value <= high, line, env, f"{name} = {value} is not in {text}")
            elif kind == "linear":
                is_sum = value_of(text.strip("'"), env, self.task)
                if is_sum is not None:
                    self.expect(is_sum == value, line, env, f"{name} = {value} is not {text} = {is_sum}")
            elif kind == "true" and text == "holds":
                self.expect(value, line, env, f"{name} does not hold")
            elif kind == "wraps" and text.startswith("exact"):
                self.expect(name not in self.task.wrapped, line, env, f"{name} wraps, said to be {text}")


def check_numbers(task, said, rng, runs):
    facts = Facts(task, said)
    for _ in range(runs):
        env = task.draw(rng)
        if env is None:
            continue
        try:
            task.run(env, facts.ask)
        except Stop:
            pass
    return facts


def run_all(task, rng):
    """What each iteration of one launch touches and gets as values:
    {iteration: ({line: elements}, {line: values}, was it stopped?)}, and what
    the launch passes; None if it has no iterations."""
    started = task.start(rng)
    if started is None:
        return None
    result = {}
    for indices in task.iterations(started):
        env, touched, values = dict(started), {}, {}
        env.update(indices)

        def note(line, kind, name, env):
            values.setdefault(line, []).append(env[name])
        try:
            task.run(env, note, lambda line, element: touched.setdefault(line, set()).add(element))
        except Stop:
            # Checks and what has no value: what came before them counts.
            env["stopped"] = True
        result[tuple(indices.values())] = (touched, values, "stopped" in env)
    return result, started


def check_disjoint(task, said, runs_of_all):
    """Accesses that are said to be apart: no two iterations touch one element."""
    bad, held = [], 0
    lines = [access.line for access in task.accesses]
    fields = [access.field for access in task.accesses]
    allowed = {}
    for line in lines:
        text = said[line][0]
        meets = re.search(r", meets((?: #\d+)+)", text)
        may = re.search(r", may meet((?: #\d+)+)", text)
        allowed[line] = [set(re.findall(r"\d+", found[1])) if found else set() for found in (meets, may)]
    for run, _ in runs_of_all:
        for k, line in enumerate(lines):
            for m, other in enumerate(lines):
                same, one = str(m) in allowed[line][0], str(m) in allowed[line][1]
                # Fields of 4 and of 16 elements cannot be one.
                if same or one or {fields[k], fields[m]} == {0, 1}:
                    continue
                held += 1
                for p, (mine, _, _) in run.items():
                    for q, (others, _, _) in run.items():
                        shared = p != q and mine.get(line, set()) & others.get(other, set())
                        if shared and len(bad) < 3:
                            bad.append(f"line {line} and {other}: iterations {p} and {q} both touch {shared}")
    return bad, held


def check_axes(task, said, runs_of_all):
    """Values that are said to depend on some axes: equal where those are."""
    bad, held = [], 0
    for run, _ in runs_of_all:
        for line, texts in said.items():
            for text in texts:
                if not re.match(r"(none|i0|i1|i0 i1|uniform)\b;?", text):
                    continue
                axes = [k for k in range(2) if f"i{k}" in text]
                seen = {}
                for at, (_, values, stopped) in run.items():
                    # What depends on no axis may change from turn to turn.
                    is_uniform = text == "uniform"
                    if line not in values or stopped or (line in task.in_loops and not is_uniform):
                        continue
                    held += 1
                    key = tuple(at[k] for k in axes if k < len(at))
                    mine = set(values[line])
                    if (len(mine) > 1 or seen.setdefault(key, mine) != mine) and len(bad) < 3:
                        bad.append(f"line {line}: {mine} and {seen.get(key)}, said to be {text}")
    return bad, held


def lists_of(text, env, task):
    """The lists of sums in an answer, as tuples of numbers; None for one that
    holds a sum which is not known."""
    for group in re.findall(r"\[([^]]*)\]", text):
        numbers = tuple(value_of(part, env, task) for part in re.findall(r"'([^']*)'", group))
        yield None if None in numbers else numbers


def holds(element, touched):
    """Is the element among those? An index that wraps is known up to that."""
    return any((index - element[0]) % 2**32 == 0 for index, in touched)


def check_touches(task, said, runs_of_all):
    """What the sampler saw an iteration touch, it touches."""
    bad, held = [], 0
    for run, env in runs_of_all:
        for access in task.accesses:
            for text in said.get(access.line, []):
                at, element = lists_of(text, env, task)
                if at not in run or element is None:
                    continue
                touched, _, stopped = run[at]
                held += 1
                if not stopped and not holds(element, touched.get(access.line, ())) and len(bad) < 3:
                    bad.append(f"line {access.line}: {text}, but {touched.get(access.line)}")
    return bad, held


def check_races(task, said, runs_of_all):
    """Iterations that are said to race touch one element, as was said."""
    bad, held = [], 0
    for run, env in runs_of_all:
        for access in task.accesses:
            for text in said.get(access.line, []):
                if not text.startswith("race at"):
                    continue
                element, first, second = lists_of(text, env, task)
                if element is None or first not in run or second not in run or run[first][2] or run[second][2]:
                    continue
                held += 1
                others = [other.line for other in task.accesses if other.field == access.field]
                if (not holds(element, run[first][0].get(access.line, ())) or first == second
                        or not any(holds(element, run[second][0].get(line, ())) for line in others)) and len(bad) < 3:
                    bad.append(f"line {access.line}: {text}, but they do not share it")
    return bad, held


def main():
    args = argparse.ArgumentParser()
    args.add_argument("opt")
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--tasks", type=int, default=60)
    args.add_argument("--runs", type=int, default=40)
    args.add_argument("--save", help="where to write the tasks if an answer is wrong")
    args = args.parse_args()
    rng = random.Random(args.seed)
    lines, tasks = [], []
    for number in range(args.tasks):
        task = Task(number, Maker(rng, lines, number))
        tasks.append(task)
    text = "\n".join(lines) + "\n"
    said = {flag: remarks(args.opt, text, f"--chi-test-{flag}")
            for flag in ("ranges", "accesses", "dependence", "sampler", "races")}
    failed = held = 0
    for task in tasks:
        facts = check_numbers(task, said["ranges"], rng, args.runs)
        bad, held = facts.bad, held + facts.held
        runs = [run for run in (run_all(task, rng) for _ in range(8)) if run]
        own = {flag: {line: texts for line, texts in found.items() if task.first <= line <= task.last}
               for flag, found in said.items()}
        # The sampler takes sums of what is passed not to wrap when it compares
        # them: what it sees is a witness for all but numbers at the ends.
        near = [(run, env) for run, env in runs if all(abs(env[name]) < 2**20 for name in task.captured)]
        for check, flag in ((check_disjoint, "accesses"), (check_axes, "dependence"),
                            (check_axes, "accesses"), (check_touches, "sampler"),
                            (check_races, "races")):
            wrong, count = check(task, own[flag], near if flag in ("sampler", "races") else runs)
            bad, held = bad + wrong, held + count
        failed += len(bad)
        for what in bad:
            print(f"t{task.number}: {what}")
    if failed and args.save:
        with open(args.save, "w") as out:
            out.write(text)
    print(f"{len(tasks)} tasks, {held} answers held against runs, {'FAILED' if failed else 'passed'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
