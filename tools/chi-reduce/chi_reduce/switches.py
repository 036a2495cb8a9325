"""Which optimisations does a difference depend on?"""
import concurrent.futures
import dataclasses
import itertools


@dataclasses.dataclass(frozen=True)
class Verdict:
    """`single`: names each of which, left out, makes the difference vanish.
    Else `together`: names of which all must be left out; empty: all of them are
    not enough. `is_smallest`: no set of fewer names does."""
    single: tuple = ()
    together: tuple = ()
    is_smallest: bool = True

    def __str__(self):
        if self.single:
            each = " or ".join(f"--without={name}" for name in self.single)
            return f"it vanishes with {each}"
        if self.together:
            few = "no fewer do" if self.is_smallest else "none of them alone can stay"
            return f"it vanishes with --without={','.join(self.together)}; {few}"
        return "it does not vanish with --without=all: no optimisation with a switch is at fault"


def find_switches(differs, names, jobs=1):
    """A Verdict. `differs(without)` tells if the difference is there when these
    names are left out."""
    names = tuple(names)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        if differs(names):
            return Verdict()
        stays = pool.map(differs, [(name,) for name in names])
        single = tuple(name for name, there in zip(names, stays) if not there)
        if single:
            return Verdict(single=single)
        together = one_minimal(differs, names)
        if len(together) > 2:
            pairs = list(itertools.combinations(names, 2))
            stays = pool.map(differs, pairs)
            found = next((pair for pair, there in zip(pairs, stays) if not there), None)
            if found:
                together = found
        return Verdict(together=together, is_smallest=len(together) <= 3)


def one_minimal(differs, names):
    """A part of `names` that is enough, and of which no name can go."""
    kept = list(names)
    size = len(kept) // 2
    while size:
        start = 0
        while start < len(kept):
            rest = kept[:start] + kept[start + size:]
            if rest and not differs(tuple(rest)):
                kept = rest
            else:
                start += size
        size = size // 2
    # What could not go before may go now.
    for name in list(kept):
        rest = [each for each in kept if each != name]
        if rest and not differs(tuple(rest)):
            kept = rest
    return tuple(kept)
