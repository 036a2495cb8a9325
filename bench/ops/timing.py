"""Times of functions in turns."""
import statistics
import time

LONG = 1.0      # seconds: the first call says enough
ENOUGH = 0.2    # seconds of calls in a round
TOGETHER = 200  # short calls that are timed together


def call(program):
    """(what it returns, seconds)"""
    start = time.perf_counter()
    found = program()
    return found, time.perf_counter() - start


def mean(program):
    """Milliseconds of a call, the mean of as many as ENOUGH seconds hold. Other work on the machine slows all programs
    alike by this measure; least times of a few long calls would contain it, and those of many short ones not."""
    calls, begin = 0, time.perf_counter()
    end = begin
    while end - begin < ENOUGH:
        program()
        calls += 1
        end = time.perf_counter()
    return 1e3 * (end - begin) / calls


def least_of_short(program):
    """The least milliseconds of a call, for calls of some microseconds."""
    best, begin = float("inf"), time.perf_counter()
    while time.perf_counter() - begin < ENOUGH:
        start = time.perf_counter()
        for _ in range(TOGETHER):
            program()
        best = min(best, (time.perf_counter() - start) / TOGETHER)
    return 1e3 * best


def rounds_of(programs, rounds, first, measure=mean):
    """{name: [milliseconds]}: every program once a round, in turns. `first`: seconds of the first call of each, which
    is the only time of those that take LONG, unless they are Chi's."""
    def once(name):
        return first[name] > LONG and name[0] != "chi"

    times = {name: [1e3 * first[name]] if once(name) else [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            if not once(name):
                times[name].append(measure(program))
    return times


def quotient(theirs, ours):
    """The median of the rounds' quotients; of a single time, its quotient with the median."""
    if len(theirs) == 1:
        return theirs[0] / statistics.median(ours)
    return statistics.median(a / b for a, b in zip(theirs, ours, strict=True))
