"""Reads what npz.chi has saved, and writes b.npz."""

import numpy as np

with np.load("a.npz") as saved:
    assert list(saved) == "u v part h steps dt done p m label top none".split(), list(saved)
    u = 0.5 * np.arange(3, dtype=np.float32)[:, None] + np.arange(4, dtype=np.float32)
    assert (saved["u"] == u).all() and saved["u"].dtype == np.float32
    assert (saved["part"] == u[1:, ::2]).all()
    assert (saved["v"] == np.outer(np.arange(5), [1, 2, 3])).all() and saved["v"].shape == (5, 3)
    assert saved["h"] == np.float16(1.5) and saved["h"].dtype == np.float16
    assert saved["steps"] == 7 and saved["steps"].shape == ()
    assert saved["dt"] == np.float32(0.1) and bool(saved["done"]) is True
    assert saved["p"].tolist() == [1.5, -2] and saved["m"].tolist() == [[1, 2], [3, 4]]
    assert str(saved["label"]) == "large\u02b9s \U0001d4b3" and str(saved["none"]) == ""
    assert saved["top"] == 2**64 - 1 and saved["top"].dtype == np.uint64

np.savez_compressed("b.npz", u=np.arange(6, dtype="<f4").reshape(2, 3), v=np.array([1, 2], dtype=">i4"),
                    label="gr\u00f6\u00dfe", n=np.int64(-3))
