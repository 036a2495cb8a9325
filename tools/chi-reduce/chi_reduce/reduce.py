"""Makes a program smaller while it stays interesting."""
import concurrent.futures
import copy
import re
import time

from .program import Statement, parse, text_of, walk
from .tokens import simpler_lines


class Reducer:
    """Passes over one program, again and again until none helps."""

    def __init__(self, text, is_interesting, jobs, seconds, report):
        self.statements = parse(text)
        self.is_interesting, self.jobs, self.report = is_interesting, jobs, report
        self.end = time.monotonic() + seconds if seconds else float("inf")
        self.known = {}
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)

    def ask(self, text):
        if text not in self.known:
            self.known[text] = self.is_interesting(text)
        return self.known[text]

    def is_late(self):
        return time.monotonic() > self.end

    def first(self, candidates):
        """The first interesting one of some programs (lists of statements), the
        same for any number of jobs."""
        candidates = iter(candidates)
        waiting = []
        found = None
        while found is None and not self.is_late():
            while len(waiting) < self.jobs:
                candidate = next(candidates, None)
                if candidate is None:
                    break
                text = text_of(candidate)
                if self.known.get(text) is False:
                    continue
                waiting.append((candidate, self.pool.submit(self.ask, text)))
            if not waiting:
                break
            candidate, answer = waiting.pop(0)
            if answer.result():
                found = candidate
        for _, answer in waiting:
            answer.cancel()
        return found

    def take(self, candidates, what):
        found = self.first(candidates)
        if found is None:
            return False
        self.statements = found
        if self.report:
            self.report(f"{len(text_of(found).splitlines())} lines ({what})")
        return True

    # Statements

    def without(self, numbers):
        """A copy without the statements of these numbers, as `walk` counts."""
        copied = copy.deepcopy(self.statements)
        for number, (statement, block, _) in enumerate(list(walk(copied))):
            if number in numbers:
                block[:] = [each for each in block if each is not statement]
        return copied

    def delete(self):
        """Delta debugging over the statements of each depth, outer ones first."""
        changed, depth = False, 0
        while any(d >= depth for _, _, d in walk(self.statements)) and not self.is_late():
            changed |= self.delete_at(depth)
            depth += 1
        return changed

    def delete_at(self, depth):
        changed = False
        size = None
        while not self.is_late():
            numbers = [n for n, (_, _, d) in enumerate(walk(self.statements)) if d == depth]
            size = min(size or len(numbers), len(numbers))
            if not size:
                return changed
            # From the end: what is used is defined before.
            chunks = [numbers[max(i - size, 0):i] for i in range(len(numbers), 0, -size)]
            if self.take((self.without(set(chunk)) for chunk in chunks), "deleted"):
                changed = True
            elif size == 1:
                return changed
            else:
                size //= 2
        return changed

    # Blocks

    def unwrapped(self):
        for number, (statement, _, _) in enumerate(list(walk(self.statements))):
            if statement.is_compound() and not statement.head[-1].startswith("def "):
                bodies = [statement.body, *[clause.body for clause in statement.follow]]
                for which in range(len(bodies)):
                    for keeps_variable in (False, True):
                        if candidate := self.unwrap(number, which, keeps_variable):
                            yield candidate

    def unwrap(self, number, which, keeps_variable):
        """The body in place of its statement; of a loop also `i = 0` before it."""
        copied = copy.deepcopy(self.statements)
        statement, block, _ = list(walk(copied))[number]
        body = [statement.body, *[clause.body for clause in statement.follow]][which]
        if keeps_variable:
            loop = re.match(r"for (.*?) in ", statement.head[-1])
            if not loop:
                return None
            names = [name.strip() for name in loop[1].split(",")]
            body = [*[Statement([f"{name} = 0"]) for name in names], *body]
        place = next(i for i, each in enumerate(block) if each is statement)
        block[place:place + 1] = body
        return copied

    # Lines

    def simplify(self):
        """Expressions, numbers and types, line by line."""
        changed, number = False, 0
        while not self.is_late():
            statements = list(walk(self.statements))
            if number >= len(statements):
                return changed
            helped = False
            for k in range(len(statements[number][0].head)):
                helped |= self.take(self.with_lines(number, k), "simplified")
            self.drop_decorators(number)
            changed |= helped
            number += not helped
        return changed

    def drop_decorators(self, number):
        """Those of one statement, one by one."""
        for k in reversed(range(len(self.head(number)) - 1)):
            copied = copy.deepcopy(self.statements)
            del list(walk(copied))[number][0].head[k]
            self.take([copied], "simplified")

    def head(self, number):
        return list(walk(self.statements))[number][0].head

    def with_lines(self, number, k):
        """The program with each simpler form of one line."""
        line = self.head(number)[k]
        for text in simpler_lines(line):
            copied = copy.deepcopy(self.statements)
            list(walk(copied))[number][0].head[k] = text
            yield copied

    def run(self):
        changed = True
        while changed and not self.is_late():
            changed = self.delete()
            while self.take(self.unwrapped(), "unwrapped"):
                changed = True
            changed |= self.simplify()
        self.pool.shutdown(cancel_futures=True)
        return text_of(self.statements)


def reduce(text, is_interesting, jobs=1, seconds=0, report=None):
    """The smallest text found for which `is_interesting(text)` holds, as it does
    for `text`. Stops after `seconds` (0: when nothing helps any more) with what
    it has. `report` gets a line for each step."""
    plain = text_of(parse(text))  # without comments
    if not is_interesting(plain):
        return text
    return Reducer(plain, is_interesting, jobs, seconds, report).run()
