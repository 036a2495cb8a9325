//===- Contents.h - What snapshots hold -------------------------*- C++ -*-===//
// A snapshot has no list of its contents. A field is copied when it is about to
// be changed for the first time behind a snapshot, so one copy serves all
// snapshots between which it did not change, and what nothing reads before it
// is overwritten is not copied at all.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_BUDGET_CONTENTS_H
#define CHIRT_BUDGET_CONTENTS_H

#include "chirt/budget/Online.h"
#include "chirt/chirt.h"

namespace chirt {

/// What a field held. It goes back where a step begins in (behind, to].
struct Content {
  int32_t field; ///< its number on the tape
  int64_t behind, to;
  chirt_field *copy; ///< a field at a device; null: bytes
  char *bytes;       ///< as the host's copy has them; null: in the file
  int64_t place;     ///< in the file
  int64_t size;
};

/// The contents of all snapshots of a tape.
class Contents {
public:
  Contents() = default;
  Contents(const Contents &) = delete;
  Contents &operator=(const Contents &) = delete;
  ~Contents();

  /// From now on contents are counted and not kept.
  void onlyCount() { isCounted = true; }
  /// From now on contents go to a file without a name in a folder. Returns
  /// false if there cannot be one; errno says why.
  bool spillTo(const char *folder);
  /// Do contents go to a file?
  bool isSpilled() const { return isInFile; }
  /// Keeps what a field holds. Raises at `site` if there is no room.
  void keep(const chirt_site *site, int32_t number, chirt_field *field,
            int64_t behind, int64_t to);
  /// Is there what the field held where `step` begins?
  bool has(int32_t number, int64_t step) const;
  /// A content goes back to its field. Raises at `site` if the file cannot be
  /// read.
  void putBack(const chirt_site *site, const Content &content,
               chirt_field *field) const;
  /// All contents, in no order.
  const Array<Content> &all() const { return contents; }
  /// The snapshot of a step is gone: drops what no other one asks for.
  void dropUnused(int64_t step, const Snapshots &snapshots);
  /// Drops all.
  void clear();
  /// What a content of so many bytes takes of memory.
  int64_t costOf(int64_t size) const;
  /// Bytes of memory that they take, without the file.
  int64_t numBytes() const { return held; }
  /// Bytes of the file.
  int64_t numSpilled() const { return end; }

private:
  void write(const chirt_site *site, Content &content, const char *bytes);
  int64_t placeFor(int64_t size);
  void drop(Content &content);

  struct Hole {
    int64_t place, size;
  };
  Array<Content> contents;
  Array<Hole> holes; ///< of the file
  int64_t held = 0, end = 0;
  int file = -1;
  bool isInFile = false, isCounted = false;
};

} // namespace chirt
#endif // CHIRT_BUDGET_CONTENTS_H
