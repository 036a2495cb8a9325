"""Times of functions in turns."""
import statistics
import time

MUCH_SLOWER = 3  # times Chi's time: one round says enough
LONG = 1.0       # seconds: the first call says enough
ENOUGH = 0.05    # seconds of calls in a round


def call(program):
    """(what it returns, seconds)"""
    start = time.perf_counter()
    found = program()
    return found, time.perf_counter() - start


def least(program, calls=1):
    """The least milliseconds of a call, in ENOUGH seconds; `calls` of them are timed together."""
    best, begin = float("inf"), time.perf_counter()
    while True:
        start = time.perf_counter()
        for _ in range(calls):
            program()
        end = time.perf_counter()
        best = min(best, (end - start) / calls)
        if end - begin > ENOUGH:
            return 1e3 * best


def rounds_of(programs, rounds, first, ours, calls=1):
    """{name: [milliseconds]}: every program once a round, in turns. `first`: seconds of the first call of each, after
    which those that take long are not called again. `ours(name)`: the program that a slow one is compared with."""
    times = {name: [] for name in programs}
    for k in range(rounds):
        for name, program in programs.items():
            slow = times[name] and times[name][0] > MUCH_SLOWER * times[ours(name)][0]
            if k and slow:
                continue
            long = first[name] > LONG and name != ours(name)
            times[name].append(1e3 * first[name] if long else least(program, calls))
    return times


def quotient(theirs, ours):
    """The median of the rounds' quotients."""
    return statistics.median(a / b for a, b in zip(theirs, ours)) if theirs and ours else None
