//===- Clock.cpp - Time and settings --------------------------------------===//
#include "chirt/chirt.h"
#include "chirt/support/Settings.h"
#include <ctime>

constinit chirt::Settings chirt::processSettings;

double chirt_time_now(void) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9 +
         chirt::settings().clockShift;
}

double chirt_first_launch(void) { return chirt::settings().firstLaunch; }
