//===- Tell.cpp -----------------------------------------------------------===//
#include "chirt/gradcheck/Tell.h"

#include "chirt/failure/Failure.h"
#include "chirt/gradcheck/Kinks.h"
#include "chirt/text/Output.h"

namespace chirt {

void tell(const Text &text) {
  muteOutput(false, false);
  writeOut(text);
  flushOut();
  muteOutput(/*results=*/true, /*errors=*/false);
}

void beginCheck(Text &out, const char *kernel, int32_t number,
                const chirt_site *site, double loss) {
  if (kernel)
    out << kernel << ".grad()";
  else
    out << "tape " << number;
  if (site && site->file)
    out << " (" << site->file << ':' << site->line << ')';
  out.appendf(kernel ? "\n" : ", loss %.6g\n", loss);
}

static void tellError(const chirt_site *site, const Text &words) {
  Text message;
  describeFailure(message, site, "error", words, nullptr);
  writeError(message);
}

void tellNotRepeated(Text &out, const chirt_site *site, double loss,
                     double again, Totals &totals) {
  ++totals.numUnclear;
  ++totals.numGradients;
  out << "  not compared: a second run of the tape has another loss\n";
  Text words;
  words.appendf("this tape cannot be compared with finite differences: its "
                "loss is %.9g, and %.9g in a second run from the same fields",
                loss, again);
  tellError(site, words);
}

void tellLeftOut(Text &out, const char *name, const char *why) {
  out << "  " << name << ": not compared, " << why << '\n';
}

/// "[3]: 1.5, differences 1.25 ± 1e-09"
static void appendSample(Text &out, const chirt_field *field,
                         const Sample &sample) {
  if (sample.scalar >= 0)
    appendElement(out, field, sample.scalar);
  else
    out << "a direction over all";
  out.appendf(": %.6g, finite differences %.6g", sample.gradient,
              sample.found.slope);
}

static void appendUnclear(Text &out, const chirt_field *field,
                          const Outcome &outcome) {
  if (outcome.numKinks > 0)
    out << "; " << outcome.numKinks
        << " at a kink, where the slopes of both sides differ";
  if (outcome.numUnclear > 0)
    out << "; " << outcome.numUnclear
        << " where finite differences do not converge";
  if (outcome.numKinks + outcome.numUnclear == 0)
    return;
  out << " (";
  appendSample(out, field, outcome.firstUnclear);
  out << ')';
}

static void tellWrong(const chirt_site *site, const char *name,
                      const chirt_field *field, const Sample &worst) {
  Text words;
  words << "the gradient of " << name << " is wrong";
  if (worst.scalar >= 0) {
    words << " at ";
    appendElement(words, field, worst.scalar);
  } else {
    words << " in a direction over all elements";
  }
  words.appendf(": it is %.9g, but finite differences yield %.9g (to %.0e)",
                worst.gradient, worst.found.slope, worst.found.error);
  tellError(site, words);
}

void tellOutcome(Text &out, const chirt_site *site, const char *name,
                 const chirt_field *field, const Outcome &outcome,
                 Totals &totals) {
  int numElements = outcome.numSamples - outcome.hasDirection;
  int numGood = outcome.numSamples - outcome.numWrong - outcome.numUnclear -
                outcome.numKinks;
  ++totals.numGradients;
  totals.numSamples += outcome.numSamples;
  totals.numKinks += outcome.numKinks;
  totals.numRough += outcome.numUnclear;
  out << "  " << name << ": ";
  if (outcome.isWrong())
    out << "WRONG, ";
  else if (outcome.isUnclear())
    out << "inconclusive, ";
  out << numGood << " of " << outcome.numSamples << " agree (";
  if (outcome.hasDirection || outcome.numLeftOut)
    out << numElements << " of " << scalarsOf(field) << " elements"
        << (outcome.hasDirection ? ", and a direction over all" : "");
  else
    out << (numElements == 1 ? "the only element" : "all elements");
  if (outcome.numLeftOut)
    out << "; no time for " << outcome.numLeftOut << " more";
  totals.numLeftOut += outcome.numLeftOut;
  out << ')';
  if (numGood + outcome.numWrong > 0) {
    out << "; worst at ";
    appendSample(out, field, outcome.worst);
  }
  appendUnclear(out, field, outcome);
  out << '\n';
  if (outcome.isWrong()) {
    ++totals.numWrong;
    tellWrong(site, name, field, outcome.worst);
  } else if (outcome.isUnclear()) {
    ++totals.numUnclear;
  }
}

static const char *methodOf(bool isSecond) {
  return isSecond ? "second derivatives" : "forward mode";
}

void tellForward(Text &out, const chirt_site *site, const char *name,
                 const Sample &sample, bool isSecond, Totals &totals) {
  Verdict verdict = sample.found.verdict;
  const char *by = isSecond ? "differences of gradients" : "forward mode";
  out << "  " << name << ", " << methodOf(isSecond) << ": ";
  if (verdict == Verdict::Agrees)
    out << (isSecond ? "a product agrees" : "a direction over all agrees");
  else if (verdict == Verdict::Wrong)
    out << "WRONG";
  else
    out << "inconclusive, "
        << (verdict == Verdict::Kink ? "at a kink"
                                     : "differences do not converge");
  out.appendf("; %.6g, %s %.6g\n", sample.gradient, by, sample.found.slope);
  ++totals.numGradients;
  (isSecond ? totals.numProducts : totals.numTangents) +=
      verdict == Verdict::Agrees;
  totals.numUnclear += verdict == Verdict::Kink || verdict == Verdict::Unclear;
  if (verdict != Verdict::Wrong)
    return;
  ++totals.numWrong;
  Text words;
  words << (isSecond ? "the second derivative by " : "the gradient of ") << name
        << (isSecond ? "" : ", or its tangent,")
        << " is wrong in a direction over all elements";
  words.appendf(": it is %.9g, but %s yield%s %.9g", sample.gradient, by,
                isSecond ? "" : "s", sample.found.slope);
  tellError(site, words);
}

void tellNoForward(Text &out, const char *name, const Text &why, bool isSecond,
                   Totals &totals) {
  ++totals.numGradients;
  ++totals.numUnclear;
  out << "  " << name << ", " << methodOf(isSecond) << ": not compared";
  if (why.size())
    out << ": " << why.view();
  out << '\n';
}

void tellWatched(const Totals &totals) {
  if (totals.numWatched == totals.numLaunches && !totals.isCut)
    return;
  Text line;
  line << "races: watched " << totals.numWatched << " of "
       << (totals.isCut ? "the first " : "") << totals.numLaunches
       << " launches (--effort)"
       << (totals.isCut ? "\n" : ", each loop at least once\n");
  tell(line);
}

void tellKinks(int32_t tape) {
  Text operations, line;
  if (!appendKinks(operations, tape))
    return;
  line << "  on a tie or a kink: " << operations.c_str() << '\n';
  tell(line);
}

static void appendCount(Text &out, int64_t count, const char *what) {
  out << count << ' ' << what << (count == 1 ? "" : "s");
}

static void tellGood(Text &out, const Totals &totals) {
  out << "all gradients agree with finite differences (";
  appendCount(out, totals.numGradients, "gradient");
  out << " of ";
  if (totals.numChecked > 0)
    appendCount(out, totals.numChecked, "tape");
  if (totals.numChecked > 0 && totals.numCalls > 0)
    out << " and ";
  if (totals.numCalls > 0)
    appendCount(out, totals.numCalls, "call");
  out << ')';
  if (totals.numTangents > 0 || totals.numProducts > 0)
    out << ", and with forward mode";
}

/// What the verdict leaves out.
static void appendUnreported(Text &out, const Totals &totals) {
  int64_t unreported = totals.numKinks + totals.numRough;
  if (unreported == 0)
    return;
  out << "; " << unreported << " of " << totals.numSamples
      << " comparisons were inconclusive (" << totals.numKinks << " at a kink, "
      << totals.numRough << " where finite differences do not converge)";
}

int32_t tellTotals(const Totals &totals) {
  Text out;
  int32_t numOthers = totals.numTapes - totals.numChecked;
  out << "gradcheck: ";
  if (totals.numTapes == 0 && totals.numCalls == 0)
    out << "nothing to check: the program computes no gradient";
  else if (totals.numGradients == 0)
    out << "nothing to check: no field was marked with grad=True";
  else if (totals.numWrong > 0)
    out << totals.numWrong << " of " << totals.numGradients
        << " gradients are wrong";
  else if (totals.numUnclear > 0)
    out << totals.numUnclear
        << " could not be compared: too little is differentiable there";
  else
    tellGood(out, totals);
  appendUnreported(out, totals);
  if (totals.numLeftOut > 0) {
    out << "; no time (--effort) for ";
    appendCount(out, totals.numLeftOut, "element");
  }
  if (numOthers > 0) {
    out << "; not checked: ";
    appendCount(out, numOthers, "more tape");
  }
  out << '\n';
  tell(out);
  bool isGood =
      totals.numGradients > 0 && totals.numWrong == 0 && totals.numUnclear == 0;
  return isGood ? 0 : 1;
}

} // namespace chirt
