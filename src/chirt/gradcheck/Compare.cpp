//===- Compare.cpp --------------------------------------------------------===//
#include "chirt/gradcheck/Compare.h"

#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include <cmath>

namespace chirt {

int64_t scalarsOf(const chirt_field *field) {
  return field->elements * componentsOf(field);
}

static const double *valuesOf(const chirt_field *field) {
  return reinterpret_cast<const double *>(hostCopy(field));
}

double sizeOf(const chirt_field *field) {
  const double *values = valuesOf(field);
  int64_t count = scalarsOf(field);
  double sum = 0;
  for (int64_t k = 0; k < count; ++k)
    sum += values[k] * values[k];
  double size = count ? std::sqrt(sum / double(count)) : 0;
  return size > 0 && std::isfinite(size) ? size : 1;
}

double *copyOf(const chirt_field *field) {
  auto bytes = size_t(field->bytes);
  auto *copy = static_cast<double *>(malloc(bytes ? bytes : 1));
  if (!copy)
    outOfMemory();
  memcpy(copy, hostCopy(field), bytes);
  return copy;
}

static uint64_t scrambled(uint64_t bits) {
  // The finalizer of MurmurHash3.
  bits = (bits ^ bits >> 33) * 0xff51afd7ed558ccdULL;
  bits = (bits ^ bits >> 33) * 0xc4ceb9fe1a85ec53ULL;
  return bits ^ bits >> 33;
}

double directionAt(int64_t scalar) {
  return scrambled(uint64_t(scalar) + 1) & 1 ? 1 : -1;
}

void appendElement(Text &out, const chirt_field *field, int64_t scalar) {
  int components = componentsOf(field);
  int64_t element =
      field->is_soa ? scalar % field->elements : scalar / components;
  int64_t component =
      field->is_soa ? scalar / field->elements : scalar % components;
  int64_t indices[CHIRT_MAX_RANK] = {};
  for (int k = field->rank; k-- > 0;) {
    int32_t axis = field->order[k];
    indices[axis] = element % field->extents[axis];
    element /= field->extents[axis];
  }
  out << '[' << (field->rank ? "" : "None");
  for (int axis = 0; axis < field->rank; ++axis)
    out << (axis ? ", " : "") << indices[axis];
  out << ']';
  if (field->element_rank == 1)
    out << '[' << component << ']';
  if (field->element_rank == 2)
    out << '[' << component / field->columns << ", "
        << component % field->columns << ']';
}

namespace {
/// What a tape gave for an input.
class Gradient {
public:
  explicit Gradient(const Input &input)
      : values(input.field->grad ? valuesOf(input.field->grad) : nullptr),
        before(input.before) {}

  double at(int64_t scalar) const {
    double value = values ? values[scalar] : 0;
    return before ? value - before[scalar] : value;
  }

private:
  const double *values, *before;
};
} // namespace

double slopeAlong(const Input &input, double &size) {
  double sum = 0;
  int64_t count = scalarsOf(input.field);
  Gradient gradient(input);
  size = 0;
  for (int64_t scalar = 0; scalar < count; ++scalar) {
    double slope = gradient.at(scalar);
    sum += slope * directionAt(scalar);
    size += std::fabs(slope);
  }
  return sum;
}

namespace {
/// Compares what is asked of one input.
class Comparer {
public:
  Comparer(Snapshot &snapshot, const Input &input, double loss,
           uint32_t seconds, Effort effort, const chirt_gradcheck &options)
      : snapshot(snapshot), input(input), loss(loss), seconds(seconds),
        effort(effort), options(options), gradient(input),
        count(scalarsOf(input.field)) {}

  Outcome run();

private:
  struct Asked {
    Comparer *self;
    int64_t scalar;
  };
  static bool evaluate(void *context, double step, double &value);
  void choose();
  bool isTooMuch() const;
  void compare(int64_t scalar, double slope);
  void note(const Sample &sample);
  double badness(const Sample &sample) const;
  bool isTaken(int64_t scalar) const;
  void takeLargest();

  Snapshot &snapshot;
  const Input &input;
  double loss;
  uint32_t seconds;
  Effort effort;
  const chirt_gradcheck &options;
  Gradient gradient;
  int64_t count;
  double largest = 0; ///< scalar of the gradient
  Array<int64_t> taken;
  Outcome outcome;
};
} // namespace

bool Comparer::evaluate(void *context, double step, double &value) {
  auto *asked = static_cast<Asked *>(context);
  Comparer &self = *asked->self;
  Question question{self.input.field, self.input.number, asked->scalar, step,
                    self.seconds};
  return ask(self.snapshot, question, value);
}

/// NaN is the largest of all.
static double magnitude(double value) {
  return std::isnan(value) ? HUGE_VAL : std::fabs(value);
}

/// How far off a scalar is, relative to what it is; little beside the largest
/// one is not much.
double Comparer::badness(const Sample &sample) const {
  double gradient = std::fabs(sample.gradient);
  double slope = std::fabs(sample.found.slope);
  double size = gradient > slope ? gradient : slope;
  double difference = std::fabs(sample.gradient - sample.found.slope);
  size += 1e-4 * largest;
  return size > 0 ? difference / size : 0;
}

void Comparer::note(const Sample &sample) {
  bool isWrong = sample.found.verdict == Verdict::Wrong;
  bool isUnclear = !isWrong && sample.found.verdict != Verdict::Agrees;
  outcome.numSamples += 1;
  outcome.numWrong += isWrong;
  outcome.numKinks += sample.found.verdict == Verdict::Kink;
  outcome.numUnclear += sample.found.verdict == Verdict::Unclear;
  if (isUnclear) {
    if (outcome.numKinks + outcome.numUnclear == 1 ||
        outcome.firstUnclear.scalar < 0)
      outcome.firstUnclear = sample;
    return;
  }
  bool isFirst =
      outcome.numSamples == 1 + outcome.numKinks + outcome.numUnclear;
  bool wasWrong = !isFirst && outcome.worst.found.verdict == Verdict::Wrong;
  // An element tells more than a direction.
  bool isWorse =
      outcome.worst.scalar < 0 || badness(sample) > badness(outcome.worst);
  if (isFirst || (isWrong && !wasWrong) || (isWrong == wasWrong && isWorse))
    outcome.worst = sample;
}

void Comparer::compare(int64_t scalar, double slope) {
  Asked asked{this, scalar};
  Line line{evaluate, &asked, loss};
  // What moves the loss by its 10^10th part where the input changes by its own
  // size is nothing, and so is what is nothing beside other elements.
  double negligible = 1e-10 * std::fabs(loss) / input.size;
  if (scalar >= 0)
    negligible += 0.1 * options.tolerance * largest;
  Expected expected{slope, options.tolerance, negligible};
  note({scalar, slope, compareSlope(line, 1e-3 * input.size, expected)});
}

bool Comparer::isTaken(int64_t scalar) const {
  for (int64_t each : taken)
    if (each == scalar)
      return true;
  return false;
}

/// The scalar of the gradient that is largest of those not taken yet.
void Comparer::takeLargest() {
  int64_t best = -1;
  for (int64_t scalar = 0; scalar < count; ++scalar)
    if ((best < 0 ||
         magnitude(gradient.at(scalar)) > magnitude(gradient.at(best))) &&
        !isTaken(scalar))
      best = scalar;
  taken.push(best);
}

/// Would samples of single elements take longer than there is time? Two losses
/// decide most of them.
bool Comparer::isTooMuch() const {
  int64_t planned = count < options.samples ? count : options.samples;
  double left = effort.until - chirt_time_now();
  return count > 1 && 2 * effort.probe * double(planned) > left;
}

/// The elements to compare, the most telling ones first.
void Comparer::choose() {
  if (count <= options.samples) {
    for (int64_t scalar = 0; scalar < count; ++scalar)
      taken.push(scalar);
    return;
  }
  for (int k = 0; k < (options.samples + 1) / 2; ++k)
    takeLargest();
  for (uint64_t k = 0; int64_t(taken.size()) < options.samples; ++k) {
    auto scalar = int64_t(scrambled(k + 77) % uint64_t(count));
    if (!isTaken(scalar))
      taken.push(scalar);
  }
}

Outcome Comparer::run() {
  for (int64_t scalar = 0; scalar < count; ++scalar)
    if (double slope = gradient.at(scalar);
        std::isfinite(slope) && std::fabs(slope) > largest)
      largest = std::fabs(slope);
  choose();
  // First what all elements have a part in: it is all that there may be time
  // for.
  outcome.hasDirection = count > options.samples || isTooMuch();
  double size;
  if (outcome.hasDirection)
    compare(-1, slopeAlong(input, size));
  for (int64_t scalar : taken)
    if (outcome.numSamples > 0 && chirt_time_now() > effort.until)
      ++outcome.numLeftOut;
    else
      compare(scalar, gradient.at(scalar));
  return outcome;
}

Outcome compareGradient(Snapshot &snapshot, const Input &input, double loss,
                        uint32_t seconds, Effort effort,
                        const chirt_gradcheck &options) {
  return Comparer(snapshot, input, loss, seconds, effort, options).run();
}

} // namespace chirt
