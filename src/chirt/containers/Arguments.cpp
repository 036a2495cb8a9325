//===- Arguments.cpp ------------------------------------------------------===//
#include "chirt/containers/Arguments.h"

#include "chirt/containers/Object.h"
#include "chirt/containers/Points.h"
#include "chirt/text/Str.h"

namespace chirt {

namespace {
struct Arguments {
  int32_t count = 0;
  const char *const *words = nullptr;
};
constinit Arguments arguments;
} // namespace

void setArguments(int32_t count, const char *const *words) {
  arguments = {count, words};
}

} // namespace chirt

using namespace chirt;

chirt_object *chirt_arguments() {
  List *list = makeStrList();
  for (int32_t k = 0; k < arguments.count; ++k)
    pushStr(*list, makeStr(viewOf(arguments.words[k])));
  return list;
}
