//===- Refusal.h - Why a call of an operator is refused ---------*- C++ -*-===//
#ifndef CHIRT_OPERATORS_REFUSAL_H
#define CHIRT_OPERATORS_REFUSAL_H

#include "chirt/text/Text.h"
#include "chirt/tvm_ffi.h"

namespace chirt {

/// The convention of a call: that of tvm-ffi, or that of C and C++
/// (chirt_operator_invoke).
enum class Caller { TvmFfi, Plain };

/// The exception that a call ends with: its class in Python, its message.
class Refusal {
public:
  Refusal(const char *function, Caller caller)
      : caller(caller), function(function) {}

  /// Records the exception, with the name of the function before its message;
  /// `format` as printf. Returns false, always.
  [[gnu::format(printf, 3, 4)]] bool refuse(const char *exception,
                                            const char *format, ...);
  /// Records the message of a failed run as a RuntimeError.
  void fail(std::string_view text);
  /// Raises it where tvm-ffi is there, or makes the message the first of the
  /// plain caller's results. Returns -1, always.
  int32_t raise(chirt_any *results);

  const Caller caller;

private:
  const char *function;
  const char *exception = "RuntimeError";
  Text message;
};

} // namespace chirt
#endif // CHIRT_OPERATORS_REFUSAL_H
