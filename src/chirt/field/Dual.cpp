//===- Dual.cpp - The tangents of fields ----------------------------------===//
#include "chirt/field/Dual.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Gradient.h"
#include "chirt/field/Views.h"
#include <pthread.h>
#include <utility>

namespace chirt {

namespace {
/// The fields that have tangents, but were not made with ";dual".
struct Hidden {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Array<chirt_field *> fields;
};
[[clang::no_destroy]] constinit Hidden hidden;

void forget(const chirt_field *field) {
  for (size_t k = 0; k < hidden.fields.size(); ++k)
    if (hidden.fields[k] == field)
      return hidden.fields.removeAt(k);
}

/// `whole`: the tangents of the view's base.
chirt_field *dualOfView(chirt_field *view, chirt_field *whole) {
  chirt_field *before = nullptr;
  pthread_mutex_lock(&hidden.lock);
  if (!view->dual || view->dual->base != whole)
    before = std::exchange(view->dual, makeViewLike(view, whole));
  chirt_field *made = view->dual;
  pthread_mutex_unlock(&hidden.lock);
  chirt_field_release(before);
  return made;
}

chirt_field *madeDual(const chirt_field *field) {
  return __atomic_load_n(&field->dual, __ATOMIC_ACQUIRE);
}
} // namespace

chirt_field *knownDual(chirt_field *field) {
  if (!field->base)
    return madeDual(field);
  chirt_field *whole = madeDual(field->base);
  return whole ? dualOfView(field, whole) : nullptr;
}

chirt_field *dualOf(const chirt_site *site, chirt_field *field) {
  if (field->base) {
    chirt_field *whole = dualOf(site, field->base);
    return whole ? dualOfView(field, whole) : nullptr;
  }
  if (chirt_field *made = madeDual(field))
    return made;
  pthread_mutex_lock(&hidden.lock);
  chirt_field *made = field->dual;
  if (!made && (made = makeAdjoint(site, field))) {
    if (!field->has_dual)
      hidden.fields.push(field);
    __atomic_store_n(&field->dual, made, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&hidden.lock);
  return made;
}

void dropDual(chirt_field *field) {
  if (!field->dual)
    return;
  pthread_mutex_lock(&hidden.lock);
  if (!field->has_dual)
    forget(field);
  pthread_mutex_unlock(&hidden.lock);
  chirt_field_release(std::exchange(field->dual, nullptr));
}

void dropHiddenDuals() {
  Array<chirt_field *> all;
  pthread_mutex_lock(&hidden.lock);
  for (chirt_field *field : hidden.fields)
    all.push(std::exchange(field->dual, nullptr));
  hidden.fields.clear();
  pthread_mutex_unlock(&hidden.lock);
  for (chirt_field *dual : all)
    chirt_field_release(dual);
}

} // namespace chirt

using namespace chirt;

chirt_field *chirt_field_dual(const chirt_site *site, chirt_field *field) {
  const char *name = site ? site->what : "";
  if (!field->has_dual)
    failAt(site, UserFault,
           *name ? "`%s` has no tangents: create it with field(..., dual=True)"
                 : "this field has no tangents: create it with field(..., "
                   "dual=True)%s",
           name);
  chirt_field *dual = field->has_dual ? dualOf(site, field) : nullptr;
  if (!dual)
    leave();
  return dual;
}
