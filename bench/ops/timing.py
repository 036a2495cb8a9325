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


def mean_and_least(program):
    """Milliseconds of a call: the mean of as many as ENOUGH seconds hold, and the least. Other work on the machine is
    part of every mean, and of the least of few long calls more than of many short ones."""
    best, calls, begin = float("inf"), 0, time.perf_counter()
    end = begin
    while end - begin < ENOUGH:
        start = end
        program()
        calls += 1
        end = time.perf_counter()
        best = min(best, end - start)
    return 1e3 * (end - begin) / calls, 1e3 * best


def of_short(program):
    """The same for calls of some microseconds, TOGETHER of which are one."""
    def several():
        for _ in range(TOGETHER):
            program()
    return tuple(time / TOGETHER for time in mean_and_least(several))


def rounds_of(programs, rounds, first, measure=mean_and_least):
    """{name: [(mean, least)]}: every program once a round, in turns. `first`: seconds of the first call of each, which
    is the only time of those that take LONG, unless they are Chi's."""
    def once(name):
        return first[name] > LONG and name[0] != "chi"

    times = {name: [(1e3 * first[name],) * 2] if once(name) else [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            if not once(name):
                times[name].append(measure(program))
    return times


def quotient(theirs, ours):
    """The median of the rounds' quotients of means; of a single time, its quotient with the median."""
    if len(theirs) == 1:
        return theirs[0][0] / statistics.median(mean for mean, _ in ours)
    return statistics.median(a / b for (a, _), (b, _) in zip(theirs, ours, strict=True))


def least_of(times):
    """The least of all rounds."""
    return min(least for _, least in times)
