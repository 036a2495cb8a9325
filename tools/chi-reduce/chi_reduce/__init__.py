"""Shrinks a program on which two configurations of chic differ.

    from chi_reduce import Difference, Runner, reduce, find_switches

    runner = Runner("build/bin/chic")
    differs = Difference(runner, "--arch=interp", "-O3 --float=strict", text)
    small = reduce(text, differs, jobs=2, seconds=60)
    print(find_switches(lambda off: differs(small, off), runner.switches()))
"""
from .difference import Difference, NoDifference, Runner, Script
from .reduce import reduce
from .switches import Verdict, find_switches

__all__ = ["Difference", "NoDifference", "Runner", "Script", "Verdict", "find_switches", "reduce"]
