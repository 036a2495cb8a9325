//===- Parts.cpp - What tapes do with views -------------------------------===//
#include "chirt/tape/Parts.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Making.h"
#include "chirt/field/Views.h"
#include "chirt/launch/Launch.h"
#include "chirt/tape/Stack.h"

namespace chirt {

//===----------------------------------------------------------------------===//
// Places in the base
//===----------------------------------------------------------------------===//

void indicesOfScalar(const chirt_field *base, int64_t scalar,
                     int64_t *indices) {
  int64_t element =
      base->is_soa ? scalar % base->elements : scalar / componentsOf(base);
  for (int k = base->rank; k-- > 0;) {
    int32_t axis = base->order[k];
    indices[axis] = element % base->extents[axis];
    element /= base->extents[axis];
  }
}

void indicesInBase(const chirt_field *view, const int64_t *indices,
                   int64_t *inBase) {
  int64_t scalar = view->offset;
  for (int k = 0; k < view->rank; ++k)
    scalar += indices[k] * view->strides[k];
  indicesOfScalar(view->base, scalar, inBase);
}

Box hullOf(const chirt_field *view) {
  const int64_t first[CHIRT_MAX_RANK] = {};
  int64_t last[CHIRT_MAX_RANK];
  for (int k = 0; k < view->rank; ++k)
    last[k] = view->extents[k] - 1;
  Box box;
  indicesInBase(view, first, box.from);
  indicesInBase(view, last, box.to);
  for (int k = 0; k < view->base->rank; ++k)
    ++box.to[k];
  return box;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// Where the place of a view is described.
int64_t Tape::keepPart(const chirt_field *view) {
  int64_t at = int64_t(offsets.size());
  offsets.push(view->rank);
  offsets.push(view->offset);
  for (int k = 0; k < view->rank; ++k) {
    offsets.push(view->extents[k]);
    offsets.push(view->strides[k]);
  }
  return at;
}

chirt_field *Tape::chunkOf(const Entry &entry, chirt_field *field) const {
  const int64_t *word = offsets.data() + entry.at;
  chirt_field like = {};
  like.rank = int32_t(*word++);
  like.offset = *word++;
  for (int k = 0; k < like.rank; ++k) {
    like.extents[k] = *word++;
    like.strides[k] = *word++;
  }
  return makeViewLike(&like, field);
}

void Tape::gather(size_t level, chirt_field *to, const chirt_field *view) {
  if (depth)
    useInCustom(meet(view->base));
  if (view->elements == 0 || writeWhole(level, to, /*isOverwritten=*/true))
    return;
  if (budget)
    budget->beforeEntry();
  Entry entry{EntryKind::Gather, false};
  entry.from = meet(view->base);
  entry.to = meet(to);
  entry.at = keepPart(view);
  entry.isActive = fields[entry.from].isActive;
  if (budget)
    budget->read(entry.from, wholeOf(view->base));
  beforeWrite(level, entry.to, wholeOf(to), /*isOverwritten=*/true);
  setActive(fields[entry.to], entry.isActive);
  push(entry);
}

void Tape::scatter(size_t level, const chirt_field *view,
                   const chirt_field *from) {
  if (depth && from) // that it is on a tape is no part of what a field is
    useInCustom(meet(const_cast<chirt_field *>(from)));
  if (view->elements == 0)
    return;
  Box written = hullOf(view);
  if (writePart(level, view->base, written))
    return;
  if (budget)
    budget->beforeEntry();
  Entry entry{EntryKind::Scatter, false};
  if (from)
    entry.from = meet(const_cast<chirt_field *>(from));
  entry.to = meet(view->base);
  entry.at = keepPart(view);
  entry.isActive = from && fields[entry.from].isActive;
  if (budget && from)
    budget->read(entry.from, wholeOf(from));
  beforeWrite(level, entry.to, written);
  fields[entry.to].isActive |= entry.isActive;
  push(entry);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static chirt_field *fieldOf(int64_t word) {
  return reinterpret_cast<chirt_field *>(word);
}

static bool isUsed(const chirt_argument &argument, int64_t word) {
  return argument.is_field && argument.uses && word;
}

void refuseView(const chirt_field *field, const char *what) {
  if (!field->base || numTapes() == 0)
    return;
  failAt(field->made_at, UserFault,
         "%s that takes a view of a field is not supported on a tape", what);
  leave();
}

void refuseNestedView(const chirt_site *site) {
  if (numTapes() < 2 && !(numTapes() && tangentCarrier))
    return;
  failAt(site, UserFault,
         tangentCarrier
             ? "a view of a field is not supported on a tape inside of a `with "
               "Forward()`"
             : "a view of a field is not supported on a tape inside of another "
               "one, nor in a kernel that the program differentiates by "
               "`.grad()`");
  leave();
}

/// Copies would no longer share what the fields do.
static bool sharesNothing(const chirt_task *task, const int64_t *words) {
  for (int a = 0; a < task->num_arguments; ++a)
    for (int b = 0; b < a; ++b) {
      const chirt_argument &left = task->arguments[a];
      const chirt_argument &right = task->arguments[b];
      if (isUsed(left, words[a]) && isUsed(right, words[b]) &&
          ((left.uses | right.uses) & CHIRT_USE_WRITE) &&
          (fieldOf(words[a])->base || fieldOf(words[b])->base) &&
          chirt_fields_overlap(fieldOf(words[a]), fieldOf(words[b])))
        return failForOverlap(task, b, a);
    }
  return true;
}

/// A field for a view, as long as the tape is open.
static chirt_field *makeFor(const chirt_task *task, const chirt_field *view) {
  chirt_field *made =
      makeField(task->site, typeOf(view), view->rank, view->extents);
  if (!made)
    leave();
  threadTapes->open.back()->temporaries.push(made);
  return made;
}

bool launchOverCopies(const Launching &launching, const chirt_domain *domain) {
  const chirt_task *task = launching.task;
  if (numTapes() == 0 || !takesViews(task, launching.words))
    return false;
  refuseNestedView(task->site);
  if (!sharesNothing(task, launching.words))
    leave();
  // The guard to which a failure leaves gives this back.
  const size_t bytes = size_t(task->num_arguments) * sizeof(int64_t);
  auto *words = static_cast<int64_t *>(chirt_scratch_push(int64_t(bytes)));
  memcpy(words, launching.words, bytes);
  for (int k = 0; k < task->num_arguments; ++k) {
    const chirt_argument &argument = task->arguments[k];
    if (!isUsed(argument, words[k]) || !fieldOf(words[k])->base)
      continue;
    chirt_field *view = fieldOf(words[k]), *made = makeFor(task, view);
    bool isKept = (argument.uses & CHIRT_USE_READ) ||
                  !(argument.uses & CHIRT_USE_OVERWRITE);
    if (isKept)
      chirt_field_copy(task->site, made, view);
    words[k] = reinterpret_cast<int64_t>(made);
  }
  chirt_launch(task, words, domain);
  for (int k = 0; k < task->num_arguments; ++k)
    if (words[k] != launching.words[k] &&
        (task->arguments[k].uses & CHIRT_USE_WRITE))
      chirt_field_copy(task->site, fieldOf(launching.words[k]),
                       fieldOf(words[k]));
  chirt_scratch_pop(words);
  return true;
}

} // namespace chirt
