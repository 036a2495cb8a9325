//===- Support.h - What the tests of the run time share ---------*- C++ -*-===//
#ifndef CHIRT_TEST_SUPPORT_H
#define CHIRT_TEST_SUPPORT_H

#include "chirt/chirt.h"
#include "chirt/failure/Gather.h"
#include "chirt/text/Format.h"
#include "chirt/text/Output.h"
#include <functional>
#include <gtest/gtest.h>
#include <string>

/// What was printed by `body`, and its exit status.
struct Ran {
  int status = 0;
  std::string out, err;
};

/// Runs `body` with both streams caught. `body` returns a status.
inline Ran catchOutput(const std::function<int()> &body) {
  Ran ran;
  chirt::flushOut();
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  ran.status = body();
  chirt::flushOut();
  ran.out = testing::internal::GetCapturedStdout();
  ran.err = testing::internal::GetCapturedStderr();
  return ran;
}

/// Runs `body` under a guard. It may leave by a jump: what it owns is lost.
inline Ran guarded(const std::function<void()> &body) {
  return catchOutput([&] {
    return chirt_guard(
        [](void *context) {
          (*static_cast<const std::function<void()> *>(context))();
        },
        const_cast<std::function<void()> *>(&body));
  });
}

/// As tasks of a unit with that one site do.
inline void failAt(const chirt_site &site, const int64_t *words,
                   const int64_t *iteration) {
  // The unit is kept until the failure is raised.
  static thread_local chirt_unit unit;
  unit = {&site, nullptr, 1, 0};
  chirt_fail(&unit, 0, words, iteration);
}

inline std::string takeText() {
  std::string text(chirt::gatheredText().view());
  chirt::gatheredText().clear();
  return text;
}

/// A field with up to three axes.
inline chirt_field *makeField(const char *desc,
                              std::initializer_list<int64_t> shape) {
  int64_t e[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  int k = 0;
  for (int64_t extent : shape)
    e[k++] = extent;
  return chirt_field_new(nullptr, desc, int64_t(shape.size()), e[0], e[1], e[2],
                         e[3], e[4], e[5], e[6], e[7]);
}

inline std::string textOf(const chirt_field *field) {
  chirt_fmt_field(field);
  return takeText();
}

#endif // CHIRT_TEST_SUPPORT_H
