//===- Entries.h - What a tape keeps of fields and changes ------*- C++ -*-===//
#ifndef CHIRT_TAPE_ENTRIES_H
#define CHIRT_TAPE_ENTRIES_H

#include "chirt/chirt.h"
#include "chirt/tape/Boxes.h"

namespace chirt {

/// What a field held at a version: all of it, or a box.
struct Save {
  chirt_field *content; ///< null: a box
  char *bytes;          ///< of the box, one element behind the other
  const Box *box;       ///< null: all elements
  int32_t version;
  int32_t below; ///< number of the field's save before this one, or -1
};

/// A part of a field that an adjoint will read as it is now.
struct Need {
  Box box;
  int32_t next; ///< number of another one of the field, or -1
};

/// What a tape knows of a field.
struct TapedField {
  chirt_field *field;             ///< with a reference
  chirt_field *adjoint = nullptr; ///< null: zero
  chirt_field *dropped = nullptr; ///< was one, and may be one again
  /// Backward: for an adjoint task that changes what its primal found, and the
  /// entry whose one did last.
  chirt_field *copy = nullptr;
  size_t copiedAt = SIZE_MAX;
  int32_t version = 0; ///< how many writes; backward, of the entry's start
  int32_t last = 0;    ///< the version at the end of the tape
  int32_t need = -1;   ///< number of the first part that is needed
  int32_t drops = 0;   ///< how often something was needed no longer
  int32_t save = -1;   ///< number of its latest save
  /// Backward, the number of the save that holds what it held; -1: it holds
  /// that itself.
  int32_t content = -1;
  /// Backward: what a small field held when the tape ended, once it holds
  /// something else.
  char *latest = nullptr;
  bool isActive = false; ///< does what it holds depend on a marked field, or
                         ///< is it watched?
  bool isWatched = false;
  bool isChangedSince = false; ///< of a kernel's record: after its end
  int32_t madeIn = 0; ///< the latest call with an adjoint that overwrote it
  const chirt_task *changedBy = nullptr; ///< null: by no task
  /// A task that a call with an adjoint launched with it, and as which
  /// argument.
  const chirt_task *namedBy = nullptr;
  int32_t namedAs = 0;
};

enum class EntryKind : uint8_t {
  Launch,
  Fill,     ///< of field `to`
  Copy,     ///< from `from` to `to`
  Add,      ///< `to` += `from`
  Gather,   ///< from a part of `from`, which is described at `at`, to `to`
  Scatter,  ///< from `from` to a part of `to`; of -1: a value
  Store,    ///< host code: `count` scalars of `to`, their numbers from `at` on
  Addition, ///< host code adds what is no function of fields to `to`
  /// A call that has an adjoint of its own, with the number `to`; `from` words
  /// at `at`, behind them `from` chirt_custom_use. `count` entries behind this
  /// one are its writes.
  Custom,
  Write ///< in such a call, to `to`
};

struct Entry {
  EntryKind kind;
  bool isActive; ///< do adjoints flow through it?
  /// On a tape with a budget, where it is that the log has what it wrote, or
  /// -1: it can run again (EntryLog).
  int32_t image = -1;
  const chirt_task *task = nullptr;
  int64_t at = 0; ///< of its words and its domain, or its places
  /// Of a launch, `to`: its pattern, `from`: the number of the first field of
  /// what was recorded, `count`: the number of its way back, if it is active.
  int32_t to = -1, from = -1;
  int64_t count = 0;
};

/// What a field held before the adjoint of a call wrote to it.
struct Kept {
  chirt_field *field;
  chirt_field *content; ///< all of it; null: a box
  char *bytes;
  Box box;
};

/// A field that holds an older version while the adjoint of a call runs.
struct Restored {
  int32_t number;
  chirt_field *newer; ///< what it held; null: its save and it changed places
};

} // namespace chirt
#endif // CHIRT_TAPE_ENTRIES_H
