//===- CrowdedMain.cpp - The same tests with more workers than cores ------===//
#include "chirt/support/Settings.h"
#include <gtest/gtest.h>

int main(int argc, char **argv) {
  chirt::settings().threads = 9;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
