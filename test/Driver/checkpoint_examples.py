"""checkpoint_examples.py CHIC EXAMPLES COUNT [NAME ...]: checkpoints.py stops
for each example with a loop in its script or `main`, or for those of the names.

One thread, because examples add floats of several iterations to one element.
"""
import pathlib
import sys

import checkpoints

# Small enough that a run takes some milliseconds.
FLAGS = {
    "cloth": "--N 5 --ks 1000 --kd 0.5 --kf 1e5 --frames 3",
    "conv": "--B 2 --C 3 --T 20 --repeats 3",
    "fluid": "--R 32 --frames 3 --sweeps 4",
    "histogram": "--n 5000 --repeats 4",
    "julia": "--n 32 --repeats 4",
    "lbm": "--scene taylor_green --nx 24 --ny 20 --u 0.05 --steps 20",
    "mpm3d": "--n 300 --n_grid 8 --steps 5",
    "mpm88": "--n 500 --n_grid 32 --dt 8e-4 --steps 20",
    "mpm99": "--n 300 --n_grid 24 --steps 5",
    "nbody": "--n 60 --steps 5",
    "pad": "--pw 16 --ph 8 --repeats 4",
    "pbf2d": "--nx 20 --ny 8 --W 26 --H 16 --frames 3",
    "saxpy": "--n 5000 --repeats 4",
    "sdf": "--width 32 --height 18 --repeats 3",
    "stencil": "--n 20 --sweeps 6",
    "sum": "--n 5000 --repeats 4",
    "transpose": "--n 30 --repeats 4",
    "diff/billiards": "--steps 100 --iterations 3",
    "diff/conv_grad": "--B 1 --C 2 --T 12 --iterations 4 --repeats 2",
    "diff/diffmpm": "--N 10 --steps 12 --iterations 3",
    "diff/gravity": "--n 4 --frames 4 --substeps 3",
    "diff/inverse_heat": "--n 8 --steps 6 --iterations 4",
    "diff/liquid": "--density 1 --steps 8 --iterations 3",
    "diff/mass_spring": "--steps 10 --iterations 4",
    "diff/shape_from_shading": "--n 8 --iterations 5",
    "diff/smoke": "--steps 8 --iterations 4",
    "diff/springs_area": "--steps 10 --iterations 4",
    "diff/wave": "--n 12 --steps 8 --iterations 4",
}

if __name__ == "__main__":
    chic, examples, count, *names = sys.argv[1:]
    for name in names or FLAGS:
        checkpoints.stops(chic, count, pathlib.Path(examples) / f"{name}.chi", "--threads=1",
                          *FLAGS[name].split())
