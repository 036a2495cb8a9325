"""Sixty copies of a library in one process, called by several threads."""
import shutil
import threading

import numpy as np
import tvm_ffi

COUNT, THREADS = 60, 4
x = np.array([1, 3], np.float32)
libraries = []
for k in range(COUNT):
    shutil.copy("libseveral.so", f"lib{k}.so")
    libraries.append(tvm_ffi.load_module(f"./lib{k}.so"))
values, failures = [], []


def call_all():
    for library in libraries:
        if np.from_dlpack(library.positive(x)).tolist() == [2, 4]:
            values.append(library)
        try:
            library.positive(-x)
        except RuntimeError as error:
            failures.append(str(error))


threads = [threading.Thread(target=call_all) for _ in range(THREADS)]
for each in threads:
    each.start()
for each in threads:
    each.join()
call_all()
assert all("`x[0] > 0` failed" in each for each in failures)
print(f"{len(libraries)} libraries, {THREADS} threads: {len(values)} values, {len(failures)} failures")
