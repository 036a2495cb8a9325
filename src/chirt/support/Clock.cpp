//===- Clock.cpp - Time and settings --------------------------------------===//
#include "chirt/chirt.h"
#include "chirt/support/Settings.h"
#include "chirt/text/Str.h"
#include <ctime>

constinit chirt::Settings chirt::processSettings;

double chirt_time_now(void) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9 +
         chirt::settings().clockShift;
}

double chirt_time_unix(void) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

void chirt_sleep(double seconds) {
  if (!(seconds > 0))
    return;
  constexpr double longest = 1e9; // some 30 years
  double whole = seconds < longest ? seconds : longest;
  timespec left;
  left.tv_sec = time_t(whole);
  left.tv_nsec = long((whole - double(left.tv_sec)) * 1e9);
  while (nanosleep(&left, &left) != 0)
    ; // a signal came
}

const char *chirt_time_format(const char *format, double seconds) {
  // strftime says 0 for what does not fit and for an empty text alike.
  char text[1024] = "";
  auto when = time_t(seconds);
  tm parts;
  if (!localtime_r(&when, &parts) || !format ||
      strftime(text, sizeof(text), format, &parts) == 0)
    text[0] = '\0';
  return chirt::makeStr(text);
}

double chirt_first_launch(void) { return chirt::settings().firstLaunch; }
