//===- Call.cpp - Calls by tvm-ffi ----------------------------------------===//
#include "chirt/operators.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/CallFields.h"
#include "chirt/operators/Call.h"
#include "chirt/operators/Into.h"
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

/// Binds the arguments and runs the operator; false after a refusal.
static bool call(Step step, Refusal &refusal, const chirt_any *args,
                 int32_t count) {
  if (!step.arguments.bind(step.op.signature, args, count))
    return false;
  int32_t status = guardSilently(run, &step, step.isDone);
  step.arguments.tensors.writeBack();
  if (!step.isDone)
    takeFailure(refusal, status);
  return step.isDone;
}

static int32_t callAndGive(const chirt_operator *op, const chirt_any *args,
                           int32_t count, chirt_any *result, Caller caller) {
  Refusal refusal(op->name, caller);
  Arguments arguments(refusal);
  Results results(op->signature);
  bool isGood = call({*op, arguments, results}, refusal, args, count) &&
                results.give(refusal, result);
  return isGood ? 0 : refusal.raise(result);
}

int32_t chirt_operator_call(const chirt_operator *op, const chirt_any *args,
                            int32_t count, chirt_any *result) {
  return callAndGive(op, args, count, result, Caller::TvmFfi);
}

int32_t chirt_operator_invoke(const chirt_operator *op, const chirt_any *args,
                              int32_t count, chirt_any *results) {
  return callAndGive(op, args, count, results, Caller::Plain);
}

int32_t chirt_operator_into(const chirt_operator *op, const chirt_any *args,
                            int32_t count, chirt_any *result) {
  Refusal refusal(op->name, Caller::TvmFfi);
  Arguments arguments(refusal);
  Results results(op->signature);
  *result = {};
  const ItemCounts has(op->signature);
  DeclaredArguments declared(has, has.results);
  bool isGood = declared.take(refusal, op->signature, args, count) &&
                call({*op, arguments, results}, refusal, declared.args(),
                     has.parameters) &&
                results.store(refusal, args + has.fields);
  return isGood ? 0 : refusal.raise(result);
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
