//===- DriverEnv.cpp ------------------------------------------------------===//
#include "chi/Driver/DriverEnv.h"

using namespace chi::driver;

std::string DriverEnv::stdlibFolder() const {
  return host.binaryFolder + "/../share/chi/stdlib";
}

std::string DriverEnv::errorPagesFolder() const {
  return host.binaryFolder + "/../share/chi/errors";
}

std::string DriverEnv::builtinWordsFile() const {
  return host.binaryFolder + "/../share/chi/words.txt";
}
