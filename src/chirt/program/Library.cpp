//===- Library.cpp - Calls from C, fields for C ---------------------------===//
#include "chirt/failure/Failure.h"
#include "chirt/field/CallFields.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Gradient.h"
#include "chirt/field/Making.h"
#include "chirt/tape/Record.h"

#include <climits>

namespace chirt {

namespace {
// The compiler leaves out what has more (sema::problemForC).
constexpr int maxFields = 32, maxArguments = 1024, maxResults = 16;

/// One call: what the entry takes and gives.
struct LibraryCall {
  void (*entry)(void **arguments, void *results);
  const char *signature;
  void *const *slots;
  int numFields = 0, numArguments = 0;
  chirt_field fields[maxFields];
  chirt_field *handles[maxFields];
  void *arguments[maxArguments];
  uint64_t results[maxResults];

  bool bind();
  bool bindField(const char *item, size_t length);
  void giveBackFields();
  void giveBack() const;
};

/// "V3x4": 3 scalars of 4 bytes.
struct Scalars {
  long count, bytes;
};
Scalars readScalars(const char *item) {
  char *end = nullptr;
  long count = strtol(item + 1, &end, 10);
  return {count, strtol(end + 1, nullptr, 10)};
}

template <typename F> void forEachItem(const char *signature, F &&each) {
  for (const char *end; (end = strchr(signature, '|')); signature = end + 1)
    each(signature, size_t(end - signature));
}
} // namespace

/// Elements in row-major order of the axes, as the description says.
bool LibraryCall::bindField(const char *item, size_t length) {
  Text desc;
  desc << std::string_view(item + 2, length - 2);
  void *data = *static_cast<void *const *>(*slots++);
  auto *shape = *static_cast<const int64_t *const *>(*slots++);
  int64_t rank = item[1] - '0';
  FieldType type;
  if (!readFieldType(nullptr, desc.c_str(), rank, type))
    return false;
  for (int axis = 0; axis < rank; ++axis)
    // The compiled loops count in i32 ([Loop.4]).
    if (shape[axis] < 0 || shape[axis] > INT_MAX)
      return failAt(nullptr, UserFault,
                    "axis %d of an argument has the extent %lld; it must be "
                    "between 0 and %d",
                    axis, static_cast<long long>(shape[axis]), INT_MAX);
  if (!lendField(fields[numFields], type, int(rank), shape, data))
    return false;
  handles[numFields] = &fields[numFields];
  arguments[numArguments++] = &handles[numFields++];
  return true;
}

/// Fills in the arguments; fails if one cannot be right.
bool LibraryCall::bind() {
  bool isGood = true;
  forEachItem(signature, [&](const char *item, size_t length) {
    if (!isGood || *item == '>')
      return;
    if (*item == 'F') {
      isGood = bindField(item, length);
    } else if (*item == 'S') {
      arguments[numArguments++] = *slots++;
    } else {
      Scalars scalars = readScalars(item);
      char *from = *static_cast<char *const *>(*slots++);
      for (long k = 0; k < scalars.count; ++k)
        arguments[numArguments++] = from + k * scalars.bytes;
    }
  });
  return isGood;
}

/// The caller's memory holds what it should again, and nothing else does.
void LibraryCall::giveBackFields() {
  dropRecordsOf(fields, fields + numFields);
  for (int k = 0; k < numFields; ++k) {
    dropGradient(&fields[k]);
    hostCopy(&fields[k]);
    dropDeviceCopy(&fields[k]);
  }
}

/// Results lie 8 bytes apart; those of C, one behind the other.
void LibraryCall::giveBack() const {
  void *const *slot = slots;
  const uint64_t *result = results;
  forEachItem(signature, [&](const char *item, size_t) {
    if (*item != '>')
      return;
    Scalars scalars = readScalars(item + 1);
    char *to = *static_cast<char *const *>(*slot++);
    for (long k = 0; k < scalars.count; ++k)
      memcpy(to + k * scalars.bytes, result++, size_t(scalars.bytes));
  });
}

namespace {
void runCall(void *context) {
  auto *call = static_cast<LibraryCall *>(context);
  if (!call->bind())
    leave();
  call->entry(call->arguments, call->results);
}
} // namespace

} // namespace chirt

using namespace chirt;

int32_t chirt_call(void (*entry)(void **, void *), const char *signature,
                   void *const *slots) {
  LibraryCall call;
  call.entry = entry;
  call.signature = signature;
  call.slots = slots;
  CallFields made;
  int32_t status = chirt_guard(runCall, &call);
  if (status != 0) {
    dropRecords();
    made.releaseAll();
  }
  call.giveBackFields();
  if (status == 0)
    call.giveBack();
  return status;
}

const char *chirt_library_field_name(const chirt_field_table *table,
                                     int64_t number) {
  return number >= 0 && number < table->count ? table->fields[number].name
                                              : nullptr;
}

namespace {
struct FieldQuery {
  const chirt_field_table *table;
  const char *name;
  chirt_array *array;
};

void describe(void *context) {
  auto *query = static_cast<FieldQuery *>(context);
  chirt_field *found = nullptr;
  bool isKnown = false;
  for (int64_t k = 0; k < query->table->count && !isKnown; ++k)
    if ((isKnown = !strcmp(query->table->fields[k].name, query->name)))
      found = *query->table->fields[k].variable;
  if (!found) {
    failAt(nullptr, UserFault,
           isKnown ? "the field `%s` has no value before the program has run: "
                     "call the library's `…_run` first"
                   : "the program has no top-level field `%s`",
           query->name);
    leave();
  }
  chirt_array array = {};
  // Whoever asks may write to it.
  found->is_lent = 1;
  array.data = hostCopyToUpdate(found);
  array.type = dtypeName(found->dtype);
  array.field_rank = found->rank;
  ScalarArray scalars = arrayOf(found);
  array.rank = scalars.rank;
  for (int k = 0; k < array.rank; ++k) {
    array.shape[k] = scalars.shape[k];
    array.strides[k] = scalars.strides[k] * scalarBytes(found->dtype);
  }
  *query->array = array;
}
} // namespace

int32_t chirt_library_field(const chirt_field_table *table, const char *name,
                            chirt_array *array) {
  FieldQuery query{table, name, array};
  return chirt_guard(describe, &query);
}
