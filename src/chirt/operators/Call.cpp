//===- Call.cpp - Calls by tvm-ffi ----------------------------------------===//
#include "chirt/operators.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/CallFields.h"
#include "chirt/operators/Call.h"
#include "chirt/operators/TvmFunctions.h"
#include "chirt/tape/Record.h"
#include "chirt/text/Output.h"

using namespace chirt;

namespace {
/// What a guarded call works on.
struct Step {
  const chirt_operator &op;
  Arguments &arguments;
  Results &results;
  bool isDone = false;
};

void run(void *context) {
  Step &step = *static_cast<Step *>(context);
  step.op.entry(step.arguments.addresses(), step.results.slots());
  step.results.own(step.arguments.tensors);
  step.isDone = true;
}

} // namespace

int32_t chirt::guardSilently(void (*body)(void *), void *context,
                             const bool &isDone) {
  CallFields made;
  const bool wasSilent = silenceFailures(true);
  int32_t status = chirt_guard(body, context);
  if (!isDone) {
    dropRecords();
    made.releaseAll();
  }
  silenceFailures(wasSilent);
  flushOut();
  return status;
}

void chirt::takeFailure(Refusal &refusal, int32_t status) {
  std::string_view text = lastFailure();
  while (!text.empty() && text.back() == '\n')
    text = slice(text, 0, text.size() - 1);
  if (text.empty())
    refusal.refuse("RuntimeError", "the program called exit(%d)", int(status));
  else
    refusal.fail(text);
}

static int32_t call(const chirt_operator *op, const chirt_any *args,
                    int32_t count, chirt_any *result, Caller caller) {
  Refusal refusal(op->name, caller);
  Arguments arguments(refusal);
  if (!arguments.bind(op->signature, args, count))
    return refusal.raise(result);
  Results results(op->signature);
  Step step{*op, arguments, results};
  int32_t status = guardSilently(run, &step, step.isDone);
  arguments.tensors.writeBack();
  if (!step.isDone) {
    takeFailure(refusal, status);
    return refusal.raise(result);
  }
  return results.give(refusal, result) ? 0 : refusal.raise(result);
}

int32_t chirt_operator_call(const chirt_operator *op, const chirt_any *args,
                            int32_t count, chirt_any *result) {
  return call(op, args, count, result, Caller::TvmFfi);
}

int32_t chirt_operator_invoke(const chirt_operator *op, const chirt_any *args,
                              int32_t count, chirt_any *results) {
  return call(op, args, count, results, Caller::Plain);
}

int32_t chirt_operator_text(const char *text, chirt_any *result) {
  chirt_any_text bytes = {text, strlen(text)};
  const TvmFunctions *tvm = tvmFunctions();
  return tvm ? tvm->StringFromByteArray(&bytes, result) : -1;
}

const char *chirt_last_failure(void) { return lastFailureText(); }

int32_t chirt_silence_failures(int32_t is_silent) {
  return silenceFailures(is_silent != 0);
}
