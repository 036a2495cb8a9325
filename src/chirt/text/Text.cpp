//===- Text.cpp -----------------------------------------------------------===//
#include "chirt/text/Text.h"

#include <cstdio>
#include <unistd.h>

namespace chirt {

void outOfMemory() {
  static const char message[] = "error: out of memory\n";
  (void)!write(2, message, sizeof(message) - 1);
  _exit(2);
}

void Text::appendv(const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  char small[512];
  int length = vsnprintf(small, sizeof(small), format, arguments);
  if (length < int(sizeof(small))) {
    if (length > 0)
      bytes.append(small, size_t(length));
  } else {
    size_t before = bytes.size();
    bytes.resize(before + size_t(length) + 1);
    vsnprintf(bytes.data() + before, size_t(length) + 1, format, again);
    bytes.pop();
  }
  va_end(again);
}

void Text::appendf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  appendv(format, arguments);
  va_end(arguments);
}

void Text::appendBytes(uint64_t amount) {
  constexpr uint64_t mib = uint64_t(1) << 20;
  bool isLarge = amount >= mib;
  uint64_t unit = isLarge ? mib : 1024;
  // Of what is less than one, nothing would be left.
  natural(amount / unit +
          (isLarge ? amount % unit >= unit / 2 : amount % unit != 0));
  *this << (isLarge ? " MiB" : " KiB");
}

Text &Text::natural(unsigned long long v) {
  char digits[24];
  char *at = digits + sizeof(digits);
  do
    *--at = char('0' + v % 10);
  while (v /= 10);
  bytes.append(at, size_t(digits + sizeof(digits) - at));
  return *this;
}

Text &Text::integer(long long v) {
  if (v >= 0)
    return natural(static_cast<unsigned long long>(v));
  bytes.push('-');
  return natural(0ULL - static_cast<unsigned long long>(v));
}

} // namespace chirt
