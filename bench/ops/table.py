"""The table of the operators, and what of it is not as asked."""
import statistics

from measuring import geometric_mean, show
from timing import least_of, quotient

COLUMNS = ["eager", "PyTorch", "compiled", "jax", "taichi"]
PYTORCH = ["conv1d", "fft", "tables", "indices", "eager"]


def row_of(case, times, wrong):
    """The record of a case: mean and least milliseconds of every round, and quotients. A wrong result of any form is its error; a form
    that cannot run is a note, unless it is Chi's."""
    row = {"case": case.name, "directions": {}, "asked_backward": case.backward,
           "notes": [f"{form} {way}: {why}" for (form, way), why in wrong.items()]}
    serious = [f"{form} {way}: {why}" for (form, way), why in wrong.items()
               if form == "chi" or why.startswith("result ")]
    if serious:
        row["error"] = serious[0]
    for way in dict.fromkeys(way for _, way in times):
        of = {form: ms for (form, there), ms in times.items() if there == way}
        row["directions"][way] = direction_of(case, way, of)
    both = row["directions"].get("both")
    if both:
        forward = row["directions"]["forward"]["ms"]["chi"]
        row["backward"] = statistics.median(b / a - 1 for (a, _), (b, _) in zip(forward, both["ms"]["chi"]))
    return row


def direction_of(case, way, of):
    quotients = {form: quotient(ms, of["chi"]) for form, ms in of.items() if form != "chi"}
    known = {form: value for form, value in quotients.items() if form in PYTORCH}
    best = min(known, key=known.get)
    quotients["PyTorch"] = known[best]
    least = {form: least_of(ms) / least_of(of["chi"]) for form, ms in of.items()}
    return {"ms": of, "chi_ms": statistics.median(mean for mean, _ in of["chi"]), "quotients": quotients, "best": best,
            "least": least, "least_PyTorch": min(least[form] for form in known),
            "asked": {column: least for (there, column), least in case.asked.items() if there == way}}


def title(way):
    return "forward" if way == "forward" else "forward and backward"


def print_table(rows):
    heads = ["operator", "", "Chi ms", "eager", "best PyTorch", "by least times", "compiled", "JAX", "Taichi", "asked", "backward / forward"]
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for row in rows:
        if "error" in row:
            print(f"| {row['case']} | error: {row['error']} |")
        for way, of in row["directions"].items():
            print("| " + " | ".join(cells_of(row, way, of)) + " |", flush=True)
    for way in ("forward", "both"):
        values = [row["directions"][way]["quotients"]["PyTorch"] for row in rows if way in row["directions"]]
        if values:
            print(f"geometric mean of best PyTorch, {title(way)}: {geometric_mean(values):.2f} ({len(values)} cases)")
    for row in rows:
        for note in row["notes"]:
            print(f"{row['case']}: {note}")


def cells_of(row, way, of):
    quotients = of["quotients"]
    shown = {column: show(quotients.get(column), "{:.3g}") for column in COLUMNS}
    if of["best"] != "eager":
        shown["PyTorch"] += f" ({of['best']})"
    asked = ", ".join(f"{column} {least}" for column, least in of["asked"].items()) or "–"
    backward = "–"
    if way == "both":
        backward = show(row["backward"]) + (f" (asked {row['asked_backward']})" if row["asked_backward"] else "")
    cells = [shown[column] for column in COLUMNS]
    cells.insert(2, show(of["least_PyTorch"], "{:.3g}"))
    return [row["case"], title(way), show(of["chi_ms"], "{:.4g}"), *cells, asked, backward]


def print_misses(rows):
    """What is not as asked."""
    for row in rows:
        for way, of in row["directions"].items():
            for column, least in of["asked"].items():
                value = of["quotients"].get(column)
                if value is not None and value < least:
                    print(f"missed: {row['case']}, {title(way)}: {column} takes {value:.3g} times as long, asked {least}")
        for way, of in row["directions"].items():
            if of["quotients"].get("jax", 1) < 1:
                print(f"slower than JAX: {row['case']}, {title(way)}: JAX takes {of['quotients']['jax']:.3g} times as long")
        if row["asked_backward"] and row.get("backward", 0) > row["asked_backward"]:
            print(f"missed: {row['case']}: backward takes {row['backward']:.2f} times as long as forward, "
                  f"asked {row['asked_backward']}")
