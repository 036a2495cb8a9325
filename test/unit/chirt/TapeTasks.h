//===- TapeTasks.h - Tasks with adjoints, written by hand -------*- C++ -*-===//
#ifndef CHIRT_TEST_TAPETASKS_H
#define CHIRT_TEST_TAPETASKS_H

#include "Support.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include <algorithm>
#include <memory>
#include <vector>

namespace tasks {

constexpr uint8_t R = CHIRT_USE_READ, W = CHIRT_USE_WRITE, U = R | W,
                  O = CHIRT_USE_WRITE | CHIRT_USE_OVERWRITE, None = 0;

/// The elements of an argument.
inline double *at(const int64_t *words, int argument) {
  return static_cast<double *>(
      reinterpret_cast<chirt_field *>(words[argument])->data);
}

using Entry = void (*)(const chirt_task *, const int64_t *,
                       const chirt_domain *);

/// A descriptor over fields of f64, and what it points to.
class Task {
public:
  Task(const char *name, const char *names, std::vector<uint8_t> uses,
       Entry entry, const Task *adjoint = nullptr) {
    for (uint8_t each : uses)
      arguments.push_back({CHIRT_F64, 1, 1, each});
    site = {"none.chi", 17, 3,  9,  CHIRT_SITE_CALL, "", 0, 0, nullptr,
            name,       1,  -1, "i"};
    task = {};
    task.version = CHIRT_TASK_VERSION;
    task.rank = 1;
    task.num_arguments = int32_t(arguments.size());
    task.name = name;
    task.names = names;
    task.site = &site;
    task.arguments = arguments.data();
    task.entry = entry;
    task.adjoint = adjoint ? &adjoint->task : nullptr;
  }
  Task(const Task &) = delete;

  /// Launches it over the elements of the first field.
  void operator()(std::initializer_list<chirt_field *> fields) const {
    // A failure leaves past destructors.
    int64_t words[8];
    int count = 0;
    for (chirt_field *field : fields)
      words[count++] = reinterpret_cast<int64_t>(field);
    chirt_domain domain = {};
    domain.to[0] = (*fields.begin())->elements;
    chirt_launch(&task, words, &domain);
  }

  chirt_task task;

private:
  std::vector<chirt_argument> arguments;
  chirt_site site;
};

#define CHIRT_EACH(Body)                                                       \
  [](const chirt_task *, const int64_t *a, const chirt_domain *domain) {       \
    for (int64_t i = domain->from[0]; i < domain->to[0]; ++i) {                \
      Body;                                                                    \
    }                                                                          \
  }

/// y = x * x. Its adjoint has one, too.
inline const Task &square() {
  // x, y, x', y', and the adjoints of all four.
  static const Task second("square.adj.adj", "",
                           {R, None, None, R, U, None, U, U}, CHIRT_EACH({
                             at(a, 4)[i] += 2 * at(a, 3)[i] * at(a, 6)[i];
                             at(a, 7)[i] = 2 * at(a, 0)[i] * at(a, 6)[i];
                           }));
  static const Task adjoint("square.adj", "x, y", {R, None, U, U}, CHIRT_EACH({
                              at(a, 2)[i] += 2 * at(a, 0)[i] * at(a, 3)[i];
                              at(a, 3)[i] = 0;
                            }),
                            &second);
  static const Task task("square", "x, y", {R, O},
                         CHIRT_EACH(at(a, 1)[i] = at(a, 0)[i] * at(a, 0)[i]),
                         &adjoint);
  return task;
}

/// x *= x
inline const Task &squareInPlace() {
  static const Task adjoint("squared.adj", "x", {R, U},
                            CHIRT_EACH(at(a, 1)[i] *= 2 * at(a, 0)[i]));
  static const Task task("squared", "x", {U},
                         CHIRT_EACH(at(a, 0)[i] *= at(a, 0)[i]), &adjoint);
  return task;
}

/// loss += x
inline const Task &sum() {
  static const Task second("sum.adj.adj", "",
                           {None, None, None, None, None, None, R, U},
                           CHIRT_EACH(at(a, 7)[0] += at(a, 6)[i]));
  static const Task adjoint("sum.adj", "x, loss", {None, None, U, R},
                            CHIRT_EACH(at(a, 2)[i] += at(a, 3)[0]), &second);
  static const Task task("sum", "x, loss", {R, U},
                         CHIRT_EACH(at(a, 1)[0] += at(a, 0)[i]), &adjoint);
  return task;
}

/// z = x * y
inline const Task &product() {
  static const Task adjoint("product.adj", "x, y, z", {R, R, None, U, U, U},
                            CHIRT_EACH({
                              at(a, 3)[i] += at(a, 1)[i] * at(a, 5)[i];
                              at(a, 4)[i] += at(a, 0)[i] * at(a, 5)[i];
                              at(a, 5)[i] = 0;
                            }));
  static const Task task("product", "x, y, z", {R, R, O},
                         CHIRT_EACH(at(a, 2)[i] = at(a, 0)[i] * at(a, 1)[i]),
                         &adjoint);
  return task;
}

/// x = 5, of the odd elements
inline const Task &setOdd() {
  static const Task adjoint("setOdd.adj", "x", {None, U},
                            CHIRT_EACH(if (i % 2) at(a, 1)[i] = 0));
  static const Task task("setOdd", "x", {W},
                         CHIRT_EACH(if (i % 2) at(a, 0)[i] = 5), &adjoint);
  return task;
}

#undef CHIRT_EACH

//===----------------------------------------------------------------------===//
// Fields and tapes
//===----------------------------------------------------------------------===//

using Field = std::unique_ptr<chirt_field, void (*)(chirt_field *)>;

inline Field fieldOf(std::initializer_list<double> values,
                     bool hasGrad = false) {
  chirt_field *made =
      makeField(hasGrad ? "f64;grad" : "f64", {int64_t(values.size())});
  std::copy(values.begin(), values.end(), static_cast<double *>(made->data));
  return Field(made, chirt_field_release);
}
inline Field marked(std::initializer_list<double> values) {
  return fieldOf(values, true);
}
/// So large that a tape would rather give it other memory than copy it.
inline Field large(double value, bool hasGrad = false) {
  chirt_field *made = makeField(hasGrad ? "f64;grad" : "f64", {40});
  auto *data = static_cast<double *>(made->data);
  std::fill(data, data + made->elements, value);
  return Field(made, chirt_field_release);
}
inline Field scalar(double value = 0, const char *desc = "f64") {
  chirt_field *made = makeField(desc, {});
  *static_cast<double *>(made->data) = value;
  return Field(made, chirt_field_release);
}

using Values = std::vector<double>;
inline Values valuesOf(const chirt_field *field) {
  auto *data = reinterpret_cast<const double *>(chirt::hostCopy(field));
  return Values(data, data + field->elements);
}
inline Values gradOf(const Field &field) {
  return valuesOf(chirt_field_grad(nullptr, field.get()));
}

/// What tapes did since it was made.
class Statistics {
public:
  Statistics() { chirt_tape_statistics(before); }
  int64_t operator[](chirt_tape_statistic which) const {
    int64_t now[CHIRT_TAPE_NUM_STATISTICS];
    chirt_tape_statistics(now);
    return now[which] - before[which];
  }

private:
  int64_t before[CHIRT_TAPE_NUM_STATISTICS];
};

/// `with Tape(loss=loss): body()`
template <typename F>
void tape(const Field &loss, F &&body, int32_t flags = 0) {
  chirt_tape_begin(nullptr, loss.get(), flags);
  body();
  chirt_tape_end(nullptr);
}
} // namespace tasks

#endif // CHIRT_TEST_TAPETASKS_H
