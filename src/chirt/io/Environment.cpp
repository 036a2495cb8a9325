//===- Environment.cpp - Files and variables around a program -------------===//
#include "chirt/failure/Failure.h"
#include "chirt/field/Field.h"
#include "chirt/params/Value.h"
#include "chirt/provenance/Redirect.h"
#include "chirt/text/Str.h"

#include <sys/stat.h>

using namespace chirt;

int32_t chirt_exists(const char *path) {
  struct stat facts;
  Text redirected;
  return stat(placeToRead(path ? path : "", redirected), &facts) == 0;
}

const char *chirt_env_str(const char *name, const char *fallback) {
  const char *found = getenv(name ? name : "");
  return makeStr(found ? found : fallback ? fallback : "");
}

void chirt_env_value(const chirt_site *site, const char *name, const char *desc,
                     void *value) {
  const char *found = getenv(name ? name : "");
  if (!found)
    return;
  int32_t dtype = dtypeOfName(desc);
  ParamScalar scalar;
  if (!parseScalar(found, dtype, scalar)) {
    failAt(site, WorldFault,
           "the environment variable %s is `%s`, which is no %s", name, found,
           desc);
    leave();
  }
  if (isFloatType(dtype))
    castScalars(CHIRT_F64, &scalar.real, dtype, value, 1);
  else
    castScalars(CHIRT_I64, &scalar.integer, dtype, value, 1);
}
