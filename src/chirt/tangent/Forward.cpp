//===- Forward.cpp - Forward mode -----------------------------------------===//
#include "chirt/tangent/Forward.h"

#include "chirt/cpu/FieldOps.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Changes.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Dual.h"
#include "chirt/field/Field.h"
#include "chirt/field/Making.h"
#include "chirt/launch/Launch.h"
#include "chirt/tape/Record.h"
#include "chirt/tape/Tape.h"
#include <new>

namespace chirt {

namespace {
/// The forward mode of a thread.
struct ForwardMode {
  const chirt_site *site;
  Array<int64_t> words;           ///< that the running tangent task takes
  Array<int64_t> before;          ///< that a task before it takes
  Array<chirt_field *> workspace; ///< made for these
};
thread_local constinit ForwardMode *mode = nullptr;
constinit int32_t numModes = 0;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

chirt_field *fieldAt(const int64_t *words, int argument) {
  return reinterpret_cast<chirt_field *>(words[argument]);
}

/// A field of floats that the task uses; null for other arguments.
chirt_field *floatsAt(const chirt_task *task, const int64_t *words,
                      int argument) {
  const chirt_argument &is = task->arguments[argument];
  bool isUsed = is.is_field && is.uses && isFloatType(is.dtype);
  return isUsed ? fieldAt(words, argument) : nullptr;
}

/// Whether a tangent may be other than zero.
bool hasTangents(const chirt_task *task, const int64_t *words) {
  for (int k = 0; k < task->num_arguments; ++k)
    if (chirt_field *field = floatsAt(task, words, k);
        field && knownDual(field))
      return true;
  return false;
}

bool writesFloats(const chirt_task *task, const int64_t *words) {
  for (int k = 0; k < task->num_arguments; ++k)
    if (floatsAt(task, words, k) && (task->arguments[k].uses & CHIRT_USE_WRITE))
      return true;
  return false;
}

/// A task that takes `.dual` of a field beside the field would change tangents
/// under the tangent task's hands.
void refuseOwnDuals(const chirt_task *task, const int64_t *words,
                    const chirt_field *dual) {
  for (int k = 0; k < task->num_arguments; ++k)
    if (const chirt_field *field = floatsAt(task, words, k);
        field && chirt_fields_overlap(field, dual)) {
      failAt(task->site, UserFault,
             "a kernel inside of a `with Forward()` takes a field and its "
             "`.dual`");
      leave();
    }
}

void dropWorkspace() {
  for (chirt_field *field : mode->workspace)
    chirt_field_release(field);
  mode->workspace.clear();
}

/// What the tangent task shares with those that run before it.
void makeWorkspace(const chirt_task *tangent, const int64_t *words) {
  for (int64_t k = 0; k < tangent->num_workspace_fields; ++k) {
    chirt_workspace_field asked = workspaceFieldAt(tangent, k);
    chirt_field *made = makeFilled(tangent->site, fieldAt(words, int(asked.of)),
                                   int32_t(asked.dtype), asked.bits);
    if (!made)
      leave();
    mode->workspace.push(made);
    mode->words.push(reinterpret_cast<int64_t>(made));
  }
}

/// A field with the same elements, until the next launch.
chirt_field *copyOf(const chirt_site *site, const chirt_field *field) {
  chirt_field *made =
      makeField(site, typeOf(field), field->rank, field->extents);
  if (!made)
    leave();
  mode->workspace.push(made);
  copyField(made, field);
  return made;
}

/// What runs before the tangent task of `task`. Where it repeats writes to what
/// it reads again, it does so in copies.
void runPrologue(const chirt_task *by, const chirt_task *task,
                 const chirt_domain *domain) {
  if (by->prologue)
    runPrologue(by->prologue, task, domain);
  Array<int64_t> &words = mode->before;
  words.clear();
  words.append(mode->words.data(), mode->words.size());
  for (int k = 0; k < task->num_arguments; ++k) {
    const chirt_argument &argument = by->arguments[k];
    if (argument.is_field && (argument.uses & CHIRT_USE_WRITE) && words[k])
      words[k] =
          reinterpret_cast<int64_t>(copyOf(by->site, fieldAt(words.data(), k)));
  }
  launchUnheard(by, words.data(), domain);
}

void addTangentWords(const chirt_task *task, const int64_t *words) {
  for (int k = 0; k < task->num_arguments; ++k) {
    const chirt_argument &argument = task->arguments[k];
    if (!argument.is_field || !isFloatType(argument.dtype))
      continue;
    // The tangent task does not look at what this one does not use.
    chirt_field *field = floatsAt(task, words, k);
    chirt_field *dual = field ? dualOf(task->site, field) : fieldAt(words, k);
    if (field && !dual)
      leave();
    if (field)
      refuseOwnDuals(task, words, dual);
    mode->words.push(reinterpret_cast<int64_t>(dual));
  }
}

Launching launchTangent(const Launching &launching,
                        const chirt_domain *domain) {
  auto [task, words] = launching;
  // What is linear maps zero to zero.
  if (!hasTangents(task, words))
    return launching;
  if (!task->tangent) {
    if (!writesFloats(task, words))
      return launching;
    failAt(task->site, UserFault,
           "this loop has no tangent: it is not part of a `with Forward()` "
           "that the compiler has seen");
    leave();
  }
  const chirt_task *tangent = task->tangent;
  dropWorkspace();
  mode->words.clear();
  mode->words.append(words, size_t(task->num_arguments));
  if (tangent->num_workspace_fields) {
    refuseOverlaps(task, words);
    makeWorkspace(tangent, words);
    if (tangent->prologue)
      runPrologue(tangent->prologue, task, domain);
  }
  addTangentWords(task, words);
  return {tangent, mode->words.data()};
}

//===----------------------------------------------------------------------===//
// What the run time and host code do
//===----------------------------------------------------------------------===//

/// What all elements become is no function of any field.
void fillTangents(chirt_field *field) {
  if (chirt_field *dual = knownDual(field))
    zeroField(dual);
}

void copyTangents(chirt_field *to, const chirt_field *from) {
  // That its tangents are asked for is no part of what a field is.
  chirt_field *source = knownDual(const_cast<chirt_field *>(from));
  if (!source)
    return fillTangents(to);
  chirt_field *target = dualOf(to->made_at, to);
  if (!target)
    leave();
  copyField(target, source);
}

void addTangents(chirt_field *to, const chirt_field *from) {
  chirt_field *source = knownDual(const_cast<chirt_field *>(from));
  chirt_field *target = source ? dualOf(to->made_at, to) : nullptr;
  if (source && !target)
    leave();
  if (source)
    addField(target, source);
}

void zeroTangents(chirt_field *field, const int64_t *offsets, int64_t count) {
  if (chirt_field *dual = knownDual(field))
    zeroScalars(dual, offsets, count);
}

void storeTangent(chirt_field *field, int64_t component,
                  const int64_t *indices) {
  chirt_field *dual = knownDual(field);
  if (!dual)
    return;
  int64_t offset = 0;
  for (int k = 0; k < field->rank; ++k) {
    if (indices[k] < 0 || indices[k] >= field->extents[k])
      return; // the store that comes now fails, and changes nothing
    offset += indices[k] * dual->strides[k];
  }
  size_t bytes = size_t(scalarBytes(dual->dtype));
  char *data = hostCopyToUpdate(dual);
  int64_t first = component < 0 ? 0 : component;
  int64_t last = component < 0 ? componentsOf(field) : first + 1;
  for (int64_t c = first; c < last; ++c)
    memset(data + size_t(offset + c * dual->component_stride) * bytes, 0,
           bytes);
}

constexpr TangentCarrier kCarrier = {.launch = launchTangent,
                                     .fill = fillTangents,
                                     .copy = copyTangents,
                                     .add = addTangents,
                                     .zero = zeroTangents,
                                     .store = storeTangent};

void refuseNested(const chirt_site *site) {
  if (!mode)
    return;
  Text where;
  if (mode && mode->site && mode->site->line)
    where << " (" << mode->site->file << ':' << mode->site->line << ')';
  failAt(site, UserFault,
         "`with Forward()` inside of another one%s: a field has one tangent",
         where.c_str());
  leave();
}
} // namespace

int32_t numForwardModes() {
  return __atomic_load_n(&numModes, __ATOMIC_RELAXED);
}

void beginForwardMode(const chirt_site *site) {
  refuseNested(site);
  void *memory = malloc(sizeof(ForwardMode));
  if (!memory)
    outOfMemory();
  mode = new (memory) ForwardMode{site, {}, {}, {}};
  tangentCarrier = &kCarrier;
  __atomic_fetch_add(&numModes, 1, __ATOMIC_RELAXED);
  // Kernels hand over their launches.
  __atomic_fetch_add(&chirt_recording, 1, __ATOMIC_RELAXED);
}

bool isInForwardMode() { return mode != nullptr; }

void endForwardMode() {
  if (!mode)
    return;
  tangentCarrier = nullptr;
  dropWorkspace();
  mode->~ForwardMode();
  free(mode);
  mode = nullptr;
  dropHiddenDuals();
  __atomic_fetch_sub(&chirt_recording, 1, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&numModes, 1, __ATOMIC_RELAXED);
}

} // namespace chirt

using namespace chirt;

void chirt_forward_begin(const chirt_site *site) {
  if (!isInForwardMode() && numTapes() > 0) {
    failAt(site, UserFault,
           "`with Forward()` inside of a tape is not supported");
    leave();
  }
  beginForwardMode(site);
}

void chirt_forward_end(void) { endForwardMode(); }
