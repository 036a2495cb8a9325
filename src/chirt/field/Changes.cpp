//===- Changes.cpp - Who observes changes of fields -----------------------===//
#include "chirt/field/Changes.h"

namespace chirt {

thread_local constinit const ChangeObserver *changeObserver = nullptr;
constinit const FieldObserver *fieldObserver = nullptr;

} // namespace chirt
