//===- TvmFunctions.cpp - The functions of tvm-ffi ------------------------===//
#include "chirt/operators/TvmFunctions.h"

#include <dlfcn.h>

namespace chirt {

namespace {
constinit TvmFunctions functions = {};
constinit int32_t isFound = 0; ///< `functions` is complete
} // namespace

template <typename F> static bool find(F &function, const char *name) {
  // Threads that look at once find the same.
  auto found = reinterpret_cast<F>(dlsym(RTLD_DEFAULT, name));
  __atomic_store_n(&function, found, __ATOMIC_RELAXED);
  return found != nullptr;
}

const TvmFunctions *tvmFunctions() {
  if (__atomic_load_n(&isFound, __ATOMIC_ACQUIRE)) [[likely]]
    return &functions;
  TvmFunctions &f = functions;
  bool isThere =
      find(f.ErrorSetRaisedFromCStr, "TVMFFIErrorSetRaisedFromCStr") &&
      find(f.TensorFromDLPackVersioned, "TVMFFITensorFromDLPackVersioned") &&
      find(f.StringFromByteArray, "TVMFFIStringFromByteArray") &&
      find(f.FunctionGetGlobal, "TVMFFIFunctionGetGlobal") &&
      find(f.FunctionCall, "TVMFFIFunctionCall") &&
      find(f.ObjectDecRef, "TVMFFIObjectDecRef");
  if (!isThere)
    return nullptr;
  __atomic_store_n(&isFound, 1, __ATOMIC_RELEASE);
  return &functions;
}

} // namespace chirt
