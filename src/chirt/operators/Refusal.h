//===- Refusal.h - Why a call of an operator is refused ---------*- C++ -*-===//
#ifndef CHIRT_OPERATORS_REFUSAL_H
#define CHIRT_OPERATORS_REFUSAL_H

#include "chirt/text/Text.h"

namespace chirt {

/// The exception that a call ends with: its class in Python, its message.
class Refusal {
public:
  explicit Refusal(const char *function) : function(function) {}

  /// Records the exception, with the name of the function before its message;
  /// `format` as printf. Returns false, always.
  [[gnu::format(printf, 3, 4)]] bool refuse(const char *exception,
                                            const char *format, ...);
  /// Records the message of a failed run as a RuntimeError.
  void fail(std::string_view text);
  /// Raises it where tvm-ffi is there. Returns -1, always.
  int32_t raise();

private:
  const char *function;
  const char *exception = "RuntimeError";
  Text message;
};

} // namespace chirt
#endif // CHIRT_OPERATORS_REFUSAL_H
