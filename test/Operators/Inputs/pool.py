"""Libraries of one process have one pool of threads: threads, failures, unloading, forks, signals."""
import _ctypes
import concurrent.futures
import ctypes
import itertools
import os
import shutil
import signal
import sys

import numpy as np

COUNT, THREADS = 20, int(os.environ["CHI_THREADS"])
N = 100_000


class Library:
    """A copy of libpool.so, by its C functions."""

    def __init__(self, number):
        self.path = f"./libpool{number}.so"
        shutil.copy("libpool.so", self.path)
        self.c = ctypes.CDLL(self.path)
        self.c.pool_last_error.restype = ctypes.c_char_p

    def halve(self, x, at=-1):
        """The message; "" if all is well."""
        self.c.chi_pool_silence(1)  # nothing is printed by this thread
        shape = (ctypes.c_int64 * 1)(len(x))
        status = self.c.pool_halve(x.ctypes.data_as(ctypes.c_void_p), shape, at)
        text = self.c.pool_last_error().decode()
        assert (status == 0) == (text == ""), text
        return text

    def total(self, x):
        y = np.zeros(4, np.float32)
        assert self.c.pool_total(x.ctypes.data_as(ctypes.c_void_p), (ctypes.c_int64 * 1)(len(x)),
                                 y.ctypes.data_as(ctypes.c_void_p), (ctypes.c_int64 * 1)(4)) == 0
        return y

    def check(self, seed):
        x = np.full(N, 2 + seed, np.float32)
        assert self.halve(x) == "" and (x == (2 + seed) / 2).all()
        assert (self.total(np.full(N, 4, np.float32)) == N).all()

    def fail(self, at):
        """A check that fails in a worker is a failure of the launching library and thread."""
        text = self.halve(np.ones(N, np.float32), at)
        assert f"iteration i={at}" in text, text

    def unload(self):
        _ctypes.dlclose(self.c._handle)
        del self.c

    def isThere(self):
        with open("/proc/self/maps") as maps:
            return self.path[1:] in maps.read()


def threads():
    return len(os.listdir("/proc/self/task"))


def child(work):
    """Runs it in a child; its status."""
    number = os.fork()
    if number == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])


def check_calls():
    """All libraries from 8 threads."""
    libraries = [Library(k) for k in range(COUNT)]
    before = threads()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for k in range(400):
            pool.submit(libraries[k % COUNT].check, k % 7)
            pool.submit(libraries[k % COUNT].fail, 7 * k)
        done = [pool.submit(each.check, 3) for each in libraries] + [pool.submit(each.fail, N - 1) for each in libraries]
        for each in done:
            each.result()
        most = threads() - len(pool._threads)
    print(f"{COUNT} libraries: {most - before} threads more")
    assert child(lambda: [each.check(2) for each in libraries]) == 0
    assert child(lambda: child(lambda: [each.check(2) for each in libraries])) == 0
    for each in libraries:
        each.check(1)


def check_unloading():
    """Each in a process of its own: libraries go in each order. The first one stays, whose threads the others use."""
    orders = list(itertools.permutations(range(3)))
    for order, isEarly in itertools.product(orders, (False, True)):

        def unload():
            libraries = [Library(k) for k in range(3)]
            for each in libraries[1:] if isEarly else libraries:
                each.check(4)
                each.fail(8)
            for k, number in enumerate(order):
                libraries[number].unload()
                for other in order[k + 1:]:
                    libraries[other].check(k)
                    libraries[other].fail(99)
            assert libraries[0].isThere()
            later = Library(3)
            later.check(9)
            assert threads() <= THREADS, threads()

        assert child(unload) == 0
    print(len(orders), "orders of unloading")


def check_signals():
    """Ctrl-C is Python's, also after a library's program has run."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored
    library = Library("signals")
    assert library.c.pool_run(1, (ctypes.c_char_p * 1)(b"pool")) == 0
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        library.check(1)
        print("interrupted")


{"calls": check_calls, "unloading": check_unloading, "signals": check_signals}[sys.argv[1]]()
