//===- Gradient.cpp - The fields that go with fields ----------------------===//
#include "chirt/field/Gradient.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Changes.h"
#include "chirt/field/Field.h"
#include "chirt/field/Making.h"
#include "chirt/field/Views.h"
#include <pthread.h>
#include <utility>

namespace chirt {

namespace {
/// The fields that have a gradient; a tape sets all of these to zero. There are
/// few: a loop finds the one that goes.
struct Owners {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Array<chirt_field *> fields;
};
[[clang::no_destroy]] constinit Owners owners;
} // namespace

chirt_field *makeAdjoint(const chirt_site *site, const chirt_field *field) {
  FieldType type = typeOf(field);
  type.dtype = adjointType(type.dtype);
  return makeField(site, type, field->rank, field->extents);
}

chirt_field *gradientOf(const chirt_site *site, chirt_field *field) {
  if (chirt_field *made = __atomic_load_n(&field->grad, __ATOMIC_ACQUIRE))
    return made;
  pthread_mutex_lock(&owners.lock);
  chirt_field *made = field->grad;
  if (!made && (made = makeAdjoint(site, field))) {
    made->has_dual = field->has_dual;
    owners.fields.push(field);
    __atomic_store_n(&field->grad, made, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&owners.lock);
  return made;
}

chirt_field *takeGradient(chirt_field *field) {
  if (!field->grad)
    return nullptr;
  pthread_mutex_lock(&owners.lock);
  for (size_t k = 0; k < owners.fields.size(); ++k)
    if (owners.fields[k] == field) {
      owners.fields.removeAt(k);
      break;
    }
  pthread_mutex_unlock(&owners.lock);
  return std::exchange(field->grad, nullptr);
}

void dropGradient(chirt_field *field) {
  chirt_field_release(takeGradient(field));
}

Array<chirt_field *> allGradients() {
  Array<chirt_field *> all;
  pthread_mutex_lock(&owners.lock);
  for (chirt_field *owner : owners.fields) {
    chirt_field_retain(owner->grad);
    all.push(owner->grad);
  }
  pthread_mutex_unlock(&owners.lock);
  return all;
}

} // namespace chirt

using namespace chirt;

/// `whole`: what the gradient of the view's base is at present.
static chirt_field *gradientOfView(chirt_field *view, chirt_field *whole) {
  chirt_field *before = nullptr;
  pthread_mutex_lock(&owners.lock);
  if (!view->grad || view->grad->base != whole)
    before = std::exchange(view->grad, makeViewLike(view, whole));
  chirt_field *made = view->grad;
  pthread_mutex_unlock(&owners.lock);
  chirt_field_release(before);
  return made;
}

chirt_field *chirt_field_grad(const chirt_site *site, chirt_field *field) {
  if (field->base)
    return gradientOfView(field, chirt_field_grad(site, field->base));
  const char *name = site ? site->what : "";
  bool isElse = true;
  chirt_field *grad =
      changeObserver ? changeObserver->gradient(site, field, isElse) : nullptr;
  if (!isElse && grad)
    return grad;
  if (isElse && field->has_grad)
    grad = gradientOf(site, field);
  else if (isElse)
    failAt(site, UserFault,
           *name ? "`%s` has no gradient: create it with field(..., grad=True)"
                 : "this field has no gradient: create it with field(..., "
                   "grad=True)%s",
           name);
  if (!grad)
    leave();
  return grad;
}
