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
Box elementAt(const chirt_field *field, const int64_t *indices);
bool isEmpty(const Box &box, int rank);
bool contains(const Box &box, const Box &other, int rank);
Box intersection(const Box &a, const Box &b, int rank);
/// The least box that has both.
Box hull(const Box &a, const Box &b, int rank);
/// Has the hull no element that none of the two has?
bool isUnion(const Box &a, const Box &b, int rank);
/// Bytes of its elements.
int64_t bytesIn(const Box &box, const chirt_field *field);

/// What a launch may touch of an argument, of the accesses that do some of
/// `uses` (chirt_use): as the task's `boxes` say, else the field.
Box touched(const chirt_task *task, int argument, uint8_t uses,
            const int64_t *words, const chirt_domain *domain);

/// From the elements of a box, one behind the other, and back.
void takeBox(const chirt_field *field, const Box &box, char *to);
void putBox(chirt_field *field, const Box &box, const char *from);
/// Both at once.
void exchangeBox(chirt_field *field, const Box &box, char *with);

} // namespace chirt
#endif // CHIRT_TAPE_BOXES_H
