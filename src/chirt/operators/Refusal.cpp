//===- Refusal.cpp - Why a call of an operator is refused -----------------===//
#include "chirt/operators/Refusal.h"

#include "chirt/operators/Any.h"
#include "chirt/operators/TvmFunctions.h"

namespace chirt {

bool Refusal::refuse(const char *kind, const char *format, ...) {
  exception = kind;
  message.clear();
  message << function << ": ";
  va_list arguments;
  va_start(arguments, format);
  message.appendv(format, arguments);
  va_end(arguments);
  return false;
}

void Refusal::fail(std::string_view text) {
  exception = "RuntimeError";
  message.clear();
  message << text;
}

int32_t Refusal::raise(chirt_any *results) {
  if (caller == Caller::Plain)
    *results = plainText(message.view());
  else if (const TvmFunctions *tvm = tvmFunctions())
    tvm->ErrorSetRaisedFromCStr(exception, message.c_str());
  return -1;
}

} // namespace chirt
