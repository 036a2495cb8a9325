//===- Results.cpp - Results of atomic operations -------------------------===//
// The result of an atomic operation depends on the order of the iterations. So
// the forward pass stores it in fields of the launch's entry, and the backward
// pass reads it.
#include "chirt/tape/Stack.h"

#include "chirt/cpu/FieldOps.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include "chirt/field/Making.h"
#include "chirt/launch/Launch.h"

namespace chirt {

chirt_workspace_field workspaceFieldAt(const chirt_task *task, int64_t number) {
  chirt_workspace_field field;
  memcpy(&field,
         static_cast<const char *>(task->workspace) +
             number * int64_t(sizeof(field)),
         sizeof(field));
  return field;
}

void Tape::keepResults(chirt_field *field) {
  Entry &launch = entries.back();
  if (launch.from < 0)
    launch.from = int32_t(results.size());
  chirt_field_retain(field);
  results.push(field);
  count(CHIRT_TAPE_RESULT_BYTES, field->bytes);
  if (budget)
    budget->addResults(field->bytes + int64_t(sizeof(chirt_field)));
}

void Tape::dropResults(const Entry &launch) {
  if (launch.from < 0)
    return;
  for (int64_t k = 0; k < launch.task->recorder->num_workspace_fields; ++k) {
    chirt_field *&field = results[size_t(launch.from + k)];
    chirt_field_release(field);
    field = nullptr;
  }
}

namespace {
/// Makes the fields of one launch. They are the tapes' at once: a failure
/// leaves by a jump.
class ResultMaker {
public:
  ResultMaker(const Array<Tape *> &wanting, const Launching &launching,
              const chirt_domain *domain);
  void run(Array<int64_t> &taken);

private:
  chirt_field *make(int64_t dtype, int64_t count);
  chirt_field *copyOf(const chirt_field *field);
  void count(Array<int64_t> &taken);
  int64_t sumUp(chirt_field *starts);
  int64_t numResults(const chirt_workspace_field &field,
                     const Array<int64_t> &taken);

  const Array<Tape *> &wanting;
  const chirt_task *task, *recorder;
  const int64_t *words;
  const chirt_domain *domain;
  int64_t iterations = 1;
};
} // namespace

ResultMaker::ResultMaker(const Array<Tape *> &wanting,
                         const Launching &launching, const chirt_domain *domain)
    : wanting(wanting), task(launching.task), recorder(task->recorder),
      words(launching.words), domain(domain) {
  for (int axis = 0; axis < task->rank; ++axis) {
    int64_t extent = domain->to[axis] - domain->from[axis];
    iterations *= extent > 0 ? extent : 0;
  }
}

chirt_field *ResultMaker::make(int64_t dtype, int64_t count) {
  FieldType type;
  type.dtype = int32_t(dtype);
  chirt_field *made = makeField(task->site, type, 1, &count);
  if (!made)
    leave();
  for (Tape *tape : wanting)
    tape->keepResults(made);
  chirt_field_release(made);
  return made;
}

/// What the counter changes is its own.
chirt_field *ResultMaker::copyOf(const chirt_field *field) {
  chirt_field *own =
      makeField(task->site, typeOf(field), field->rank, field->extents);
  if (!own)
    leave();
  wanting[0]->temporaries.push(own);
  copyField(own, field);
  return own;
}

/// The words of a recorder that it has so far are those of its counter.
void ResultMaker::count(Array<int64_t> &taken) {
  const chirt_task *counter = recorder->prologue;
  for (int k = 0; k < task->num_arguments; ++k) {
    const chirt_argument &argument = counter->arguments[k];
    if (argument.is_field && (argument.uses & CHIRT_USE_WRITE) && words[k])
      taken[size_t(k)] = reinterpret_cast<int64_t>(
          copyOf(reinterpret_cast<const chirt_field *>(words[k])));
  }
  launchUnheard(counter, taken.data(), domain);
  for (int k = 0; k < task->num_arguments; ++k)
    taken[size_t(k)] = words[k];
  Array<chirt_field *> &temporaries = wanting[0]->temporaries;
  for (chirt_field *own : temporaries)
    chirt_field_release(own);
  temporaries.clear();
}

/// How many there are of each iteration becomes where they begin, at last where
/// they end; results in how many there are of all.
int64_t ResultMaker::sumUp(chirt_field *starts) {
  auto *data = reinterpret_cast<int64_t *>(hostCopyToUpdate(starts));
  int64_t sum = 0;
  for (int64_t k = 0; k < iterations; ++k)
    sum += std::exchange(data[k], sum);
  data[iterations] = sum;
  return sum;
}

int64_t ResultMaker::numResults(const chirt_workspace_field &field,
                                const Array<int64_t> &taken) {
  if (field.of < 0)
    return iterations * field.bits;
  return sumUp(reinterpret_cast<chirt_field *>(
      taken[size_t(task->num_arguments + field.of)]));
}

void ResultMaker::run(Array<int64_t> &taken) {
  taken.clear();
  taken.append(words, size_t(task->num_arguments));
  bool isCounted = false;
  for (int64_t k = 0; k < recorder->num_workspace_fields; ++k) {
    chirt_workspace_field field = workspaceFieldAt(recorder, k);
    bool isStarts = field.kind == CHIRT_WORKSPACE_STARTS;
    if (!isStarts && !isCounted && recorder->prologue) {
      isCounted = true;
      count(taken);
    }
    int64_t number = isStarts ? iterations + 1 : numResults(field, taken);
    taken.push(reinterpret_cast<int64_t>(make(field.dtype, number)));
  }
}

Launching launchRecorder(TapeStack &tapes, const Launching &launching,
                         const chirt_domain *domain) {
  ResultMaker(tapes.wanting, launching, domain).run(tapes.recorded);
  return {launching.task->recorder, tapes.recorded.data()};
}

} // namespace chirt
