"""A program whose loop takes the extents of many fields: many_parameters.py COUNT"""
import sys

names = [f"x{k}" for k in range(int(sys.argv[1]))]
index = "[i, j, j, j, j, j, j, j]"
print(f"@kernel\ndef gather({', '.join(f'{name}: field(f32, 8)' for name in names)}, j: i32, a: f64):")
print("    for i in range(50):")
print(f"        x0{index} = {' + '.join(name + index for name in names)} + f32(a)")
print("param n: i32 = 1")
for k, name in enumerate(names):
    print(f"{name} = field(f32, (50, n, n, n, n, n, n, n))\n{name}.fill({k})")
for turn in range(3):
    print(f"gather({', '.join(names)}, 0, {turn}.5)")
    print("print(x0[0, 0, 0, 0, 0, 0, 0, 0], x0[49, 0, 0, 0, 0, 0, 0, 0])\nx1.copy_from(x0)")
