//===- Gather.h - Text gathered piece by piece ------------------*- C++ -*-===//
#ifndef CHIRT_FAILURE_GATHER_H
#define CHIRT_FAILURE_GATHER_H

#include "chirt/text/Text.h"

namespace chirt {

/// What chirt_fmt_* gathered on this thread.
Text &gatheredText();

} // namespace chirt
#endif // CHIRT_FAILURE_GATHER_H
