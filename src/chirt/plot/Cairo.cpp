//===- Cairo.cpp ----------------------------------------------------------===//
#include "chirt/plot/Cairo.h"

#include "chirt/failure/Failure.h"
#include <dlfcn.h>

namespace chirt {

namespace {
template <typename F> bool find(void *library, const char *name, F &function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}
} // namespace

bool loadCairo(const chirt_site *site, Cairo &cairo) {
  void *library = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
  bool hasAll = library != nullptr;
#define CHIRT_FIND(Name)                                                       \
  hasAll = hasAll && find(library, "cairo_" #Name, cairo.Name);
  CHIRT_CAIRO(CHIRT_FIND)
#undef CHIRT_FIND
  return hasAll ||
         failAt(site, WorldFault,
                "plots need libcairo.so.2, which was not found (package "
                "libcairo2)");
}

} // namespace chirt
