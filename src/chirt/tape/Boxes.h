//===- Boxes.h - Parts of fields that tasks touch ---------------*- C++ -*-===//
#ifndef CHIRT_TAPE_BOXES_H
#define CHIRT_TAPE_BOXES_H

#include "chirt/chirt.h"

namespace chirt {

/// Elements whose indices lie in [from, to), axis by axis; what lies behind the
/// axes of the field is not set. Of no axes: the one element.
struct Box {
  int64_t from[CHIRT_MAX_RANK], to[CHIRT_MAX_RANK];
};

/// All elements of a field.
Box wholeOf(const chirt_field *field);
/// The box of one element; one index for each axis.
Box elementAt(const chirt_field *field, const int64_t *indices);
/// Whether the box has no elements.
inline bool isEmpty(const Box &box, int rank) {
  for (int k = 0; k < rank; ++k)
    if (box.to[k] <= box.from[k])
      return true;
  return false;
}
/// Whether all elements of `other` are in `box`.
inline bool contains(const Box &box, const Box &other, int rank) {
  for (int k = 0; k < rank; ++k)
    if (other.from[k] < box.from[k] || other.to[k] > box.to[k])
      return false;
  return true;
}
// What was written number by number is slow to read as a whole: these touch no
// more than `rank` axes.
/// Copies a box; the further axes of `to` stay as they were.
inline void assign(Box &to, const Box &from, int rank) {
  for (int k = 0; k < rank; ++k)
    to.from[k] = from.from[k], to.to[k] = from.to[k];
}
/// Sets `both` to the elements of both boxes; it may be empty.
inline void intersect(Box &both, const Box &a, const Box &b, int rank) {
  for (int k = 0; k < rank; ++k) {
    both.from[k] = a.from[k] > b.from[k] ? a.from[k] : b.from[k];
    both.to[k] = a.to[k] < b.to[k] ? a.to[k] : b.to[k];
  }
}
/// `box` becomes the least one that has both.
inline void widen(Box &box, const Box &other, int rank) {
  for (int k = 0; k < rank; ++k) {
    box.from[k] = other.from[k] < box.from[k] ? other.from[k] : box.from[k];
    box.to[k] = other.to[k] > box.to[k] ? other.to[k] : box.to[k];
  }
}
/// Has the hull no element that none of the two has?
bool isUnion(const Box &a, const Box &b, int rank);
/// Bytes of its elements.
int64_t bytesIn(const Box &box, const chirt_field *field);

/// What a launch may touch of an argument, of the accesses that do some of
/// `uses` (chirt_use): as the task's `boxes` say, else the field.
Box touched(const chirt_task *task, int argument, uint8_t uses,
            const int64_t *words, const chirt_domain *domain);

/// Whether that box depends on scalars of the launch, or on the extents of a
/// field that the task does not use.
bool isBoxOfLaunch(const chirt_task *task, int argument, uint8_t uses);

/// From the elements of a box, one behind the other, and back.
void takeBox(const chirt_field *field, const Box &box, char *to);
/// The reverse: writes the elements of a box from consecutive memory.
void putBox(chirt_field *field, const Box &box, const char *from);
/// Both at once.
void exchangeBox(chirt_field *field, const Box &box, char *with);

} // namespace chirt
#endif // CHIRT_TAPE_BOXES_H
