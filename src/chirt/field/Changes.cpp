//===- Changes.cpp - Who observes changes of fields -----------------------===//
#include "chirt/field/Changes.h"

namespace chirt {

thread_local constinit const ChangeObserver *changeObserver = nullptr;
thread_local constinit const TangentCarrier *tangentCarrier = nullptr;
constinit const FieldObserver *fieldObserver = nullptr;

} // namespace chirt
