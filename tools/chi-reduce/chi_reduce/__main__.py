"""chi-reduce PROGRAM: shrink it, and name the switch that causes its fault."""
import argparse
import pathlib
import sys

from . import Difference, NoDifference, Runner, Script, find_switches, reduce


def options():
    parser = argparse.ArgumentParser(
        prog="chi-reduce", description="Shrinks a program on which two configurations of chic "
        "differ (status, output or message), or on which the second one crashes, and tells which "
        "optimisations (--without) the difference hangs on.")
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("params", nargs="*", metavar="PARAM", help="the program's own, after --")
    parser.add_argument("--chic", default="chic", help="the chic to run")
    parser.add_argument("--good", default="--arch=interp --float=strict", metavar="FLAGS",
                        help="of `chic run`, that give the right answer (%(default)s)")
    parser.add_argument("--bad", default="--float=strict", metavar="FLAGS",
                        help="that give the wrong one (%(default)s)")
    parser.add_argument("--test", metavar="COMMAND",
                        help="instead of those: a program is interesting if COMMAND PROGRAM exits "
                        "with 0; CHI_REDUCE_WITHOUT holds what is to be left out")
    parser.add_argument("-o", "--output", metavar="OUT", help="where to (PROGRAM.reduced.chi)")
    parser.add_argument("--jobs", type=int, default=1, help="programs at once")
    parser.add_argument("--minutes", type=float, default=0, help="after which to stop; 0: never")
    parser.add_argument("--timeout", type=float, default=20, metavar="S", help="of one run")
    parser.add_argument("--memory", type=int, default=0, metavar="MB", help="of one run")
    parser.add_argument("--no-reduce", action="store_true", help="look for switches only")
    parser.add_argument("--no-switches", action="store_true", help="only reduce")
    parser.add_argument("-q", "--quiet", action="store_true", help="no steps on stderr")
    return parser.parse_args()


def header(lines):
    return "".join(f"# {line}".rstrip() + "\n" for line in lines)


def main():
    args = options()
    path = pathlib.Path(args.program)
    try:
        text = path.read_text()
    except OSError as error:
        sys.exit(f"chi-reduce: {path}: {error.strerror}")
    runner = Runner(args.chic, args.timeout, args.memory, args.params,
                    include=[str(path.resolve().parent)])
    try:
        differs = (Script(runner, args.test, text) if args.test
                   else Difference(runner, args.good, args.bad, text))
    except NoDifference as told:
        sys.exit(f"chi-reduce: nothing to look for\n{told}")

    def report(line):
        if not args.quiet:
            print(f"chi-reduce: {line}", file=sys.stderr)

    if not args.no_reduce:
        text = reduce(text, differs, args.jobs, 60 * args.minutes, report)
    told = differs.tell(text=text).splitlines()
    if not args.no_switches:
        verdict = find_switches(lambda off: differs(text, off), runner.switches(), args.jobs)
        told.append(str(verdict))
    out = pathlib.Path(args.output or path.with_suffix(".reduced.chi"))
    out.write_text(header(told) + text)
    print("\n".join(told))
    print(f"{len(text.splitlines())} lines in {out}, after {runner.runs} runs")


if __name__ == "__main__":
    main()
