"""Calls the functions of several.chi that write into tensors."""
import numpy as np
import tvm_ffi

lib = tvm_ffi.load_module("./libseveral.so")
both, product, positive = map(lib.get_function, ("both.into", "both_vjp.into", "positive.into"))
x = np.array([1, 3], np.float32)


def targets():
    return [np.zeros(2, np.float32), np.zeros((), np.int32), np.zeros((), np.float32),
            np.zeros(3, np.float32)]


def message_of(call, *args):
    try:
        call(*args)
    except Exception as error:  # noqa: BLE001: of any class
        return f"{type(error).__name__}: " + str(error).split("\n")[0]
    return "no exception"


y, n, t, v = made = targets()
assert both(x, *made, 2, 3.0) is None
print("both:", y, n, t, v)
wide = np.zeros(4, np.float32)
both(x, wide[::2], *made[1:], 2, 3.0)
print("strided:", wide)
slope = np.zeros(2, np.float32)
product(x, np.array([7, 8], np.float32), slope, 2, 3.0)
print("product:", slope)
print(message_of(both, x, 2, 3.0))
print(message_of(both, x, np.zeros(2), *made[1:], 2, 3.0))
print(message_of(both, x, np.zeros(3, np.float32), *made[1:], 2, 3.0))
print(message_of(both, x, y, 1, *made[2:], 2, 3.0))
print(message_of(product, x, slope))
print(message_of(product, x, slope, np.zeros(1, np.float32), 2, 3.0))
print(message_of(positive, -x, y))
positive(x, y)
print("after it:", y)
print("no kernel has one:", lib.get_function("shift.into", True) is None
      if not hasattr(lib, "implements_function") else not lib.implements_function("shift.into"))
