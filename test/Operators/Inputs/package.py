"""Calls of the package that package.test builds, or installs."""
import os
import sys

if "PYTHONPATH" not in os.environ or "installed" not in os.environ["PYTHONPATH"]:
    sys.path.insert(0, os.getcwd())
import conv  # noqa: E402
import numpy as np  # noqa: E402

w, k = np.ones((3, 4), "f4"), np.arange(24, dtype="f4").reshape(2, 3, 4)
print(conv.conv.__doc__.replace(": field(f32, 2)", "").replace(": field(f32, 3)", "")
      .replace(": f32 = ", "="))
y = conv.conv(w, k, eps=0.5)
print(type(y), y.dtype, y.shape)
assert y[0, 0, 3] == 0 + 1 + 2 + 3 + 0.5
adjoints = conv.conv_vjp(w, k, 0.5, np.ones((2, 3, 4), "f4"))
print(type(adjoints).__name__, *(each.shape for each in adjoints))
assert adjoints[1][0, 0].tolist() == [4, 3, 2, 1]
