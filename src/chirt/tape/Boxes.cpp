//===- Boxes.cpp - Parts of fields that tasks touch -----------------------===//
#include "chirt/tape/Boxes.h"

#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"

namespace chirt {

//===----------------------------------------------------------------------===//
// Sets of elements
//===----------------------------------------------------------------------===//

Box wholeOf(const chirt_field *field) {
  Box box;
  for (int k = 0; k < field->rank; ++k)
    box.from[k] = 0, box.to[k] = field->extents[k];
  return box;
}

Box elementAt(const chirt_field *field, const int64_t *indices) {
  Box box;
  for (int k = 0; k < field->rank; ++k)
    box.from[k] = indices[k], box.to[k] = indices[k] + 1;
  return box;
}

bool isUnion(const Box &a, const Box &b, int rank) {
  if (contains(a, b, rank) || contains(b, a, rank))
    return true;
  int differing = 0;
  for (int k = 0; k < rank; ++k) {
    if (a.from[k] == b.from[k] && a.to[k] == b.to[k])
      continue;
    ++differing;
    if (a.from[k] > b.to[k] || b.from[k] > a.to[k])
      return false;
  }
  return differing == 1;
}

int64_t bytesIn(const Box &box, const chirt_field *field) {
  int64_t bytes = int64_t(scalarBytes(field->dtype)) * componentsOf(field);
  for (int k = 0; k < field->rank; ++k)
    bytes *= box.to[k] > box.from[k] ? box.to[k] - box.from[k] : 0;
  return bytes;
}

//===----------------------------------------------------------------------===//
// What tasks say
//===----------------------------------------------------------------------===//

namespace {
/// Reads the words of chirt_task::boxes, which lie anywhere.
class BoxReader {
public:
  BoxReader(const chirt_task *task, const int64_t *words,
            const chirt_domain *domain)
      : task(task), words(words), domain(domain),
        at(static_cast<const char *>(task->boxes)),
        end(at + task->num_box_words * int64_t(sizeof(int64_t))) {}

  bool isAtEnd() const { return at == end; }
  int64_t word() {
    int64_t value;
    memcpy(&value, at, sizeof(value));
    at += sizeof(value);
    return value;
  }
  void skipSum() {
    int64_t count = word();
    if (count >= 0)
      at += (1 + 4 * count) * int64_t(sizeof(int64_t));
  }
  /// Like skipSum; true if a term is one of isBoxOfLaunch.
  bool isSumOfLaunch() {
    int64_t count = word();
    if (count < 0)
      return false;
    bool isAny = false;
    for (word(); count > 0; --count) {
      int64_t kind = word(), number = word();
      at += 2 * sizeof(int64_t);
      isAny |= kind == CHIRT_BOX_SCALAR ||
               (kind == CHIRT_BOX_EXTENT && !task->arguments[number].uses);
    }
    return isAny;
  }
  /// A sum; false if it is not known or too large.
  bool sum(int64_t &value) {
    int64_t count = word();
    bool isKnown = count >= 0;
    if (!isKnown)
      return false;
    value = word();
    for (; count > 0; --count) {
      int64_t kind = word(), number = word(), axis = word(), factor = word();
      int64_t term = 0;
      isKnown = isKnown && symbol(kind, number, axis, term) &&
                !__builtin_mul_overflow(term, factor, &term) &&
                !__builtin_add_overflow(value, term, &value);
    }
    return isKnown;
  }

private:
  bool symbol(int64_t kind, int64_t number, int64_t axis, int64_t &value) {
    switch (kind) {
    case CHIRT_BOX_FIRST:
      value = domain->from[number];
      return true;
    case CHIRT_BOX_LAST:
      value = domain->to[number] - 1;
      return true;
    case CHIRT_BOX_SCALAR: {
      int unused = 64 - 8 * scalarBytes(task->arguments[number].dtype);
      value = int64_t(uint64_t(words[number]) << unused) >> unused;
      return true;
    }
    case CHIRT_BOX_EXTENT: {
      auto *field = reinterpret_cast<const chirt_field *>(words[number]);
      value = field ? field->extents[axis] : 0;
      return field != nullptr;
    }
    default:
      return false;
    }
  }

  const chirt_task *task;
  const int64_t *words;
  const chirt_domain *domain;
  const char *at, *end;
};
} // namespace

Box touched(const chirt_task *task, int argument, uint8_t uses,
            const int64_t *words, const chirt_domain *domain) {
  auto *field = reinterpret_cast<const chirt_field *>(words[argument]);
  Box whole = wholeOf(field), all;
  bool isFound = false, isAny = false;
  if (!task->num_box_words || field->rank == 0)
    return whole;
  for (BoxReader reader(task, words, domain); !reader.isAtEnd();) {
    int64_t number = reader.word();
    bool isWanted = reader.word() & uses;
    int rank = int(reader.word());
    isFound |= number == argument;
    if (number != argument || !isWanted) {
      for (int k = 0; k < 2 * rank; ++k)
        reader.skipSum();
      continue;
    }
    Box box = whole;
    for (int axis = 0; axis < rank; ++axis) {
      int64_t least, greatest;
      bool hasLeast = reader.sum(least), hasGreatest = reader.sum(greatest);
      if (hasLeast && least > box.from[axis])
        box.from[axis] = least;
      if (hasGreatest && greatest < box.to[axis] - 1)
        box.to[axis] = greatest + 1;
    }
    if (isEmpty(box, rank))
      continue;
    if (isAny)
      widen(all, box, rank);
    else
      assign(all, box, rank);
    isAny = true;
    if (contains(all, whole, rank))
      return whole;
  }
  if (!isAny)
    all = {};
  return isFound ? all : whole;
}

bool isBoxOfLaunch(const chirt_task *task, int argument, uint8_t uses) {
  bool isAny = false;
  for (BoxReader reader(task, nullptr, nullptr); !reader.isAtEnd();) {
    int64_t number = reader.word();
    bool isWanted = (reader.word() & uses) && number == argument;
    for (int64_t left = 2 * reader.word(); left > 0; --left)
      isAny |= reader.isSumOfLaunch() && isWanted;
  }
  return isAny;
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

/// Calls each(offset, bytes) for the stretches of memory that a box is made of.
template <typename F>
static void forEachRun(const chirt_field *field, const Box &box, F &&each) {
  if (isEmpty(box, field->rank) || field->elements == 0)
    return;
  // The innermost axes of which all is there make one stretch.
  int64_t strides[CHIRT_MAX_RANK], stride = 1, length = 1;
  int outer = field->rank;
  bool isWhole = true;
  for (int k = field->rank; k-- > 0;) {
    int32_t axis = field->order[k];
    strides[k] = stride;
    stride *= field->extents[axis];
    if (isWhole) {
      length *= box.to[axis] - box.from[axis];
      outer = k;
      isWhole = box.from[axis] == 0 && box.to[axis] == field->extents[axis];
    }
  }
  int64_t scalar = scalarBytes(field->dtype);
  int copies = field->is_soa ? componentsOf(field) : 1;
  int64_t element = field->is_soa ? scalar : scalar * componentsOf(field);
  int64_t index[CHIRT_MAX_RANK];
  for (int k = 0; k < field->rank; ++k)
    index[k] = box.from[field->order[k]];
  for (bool goesOn = true; goesOn;) {
    int64_t first = 0;
    for (int k = 0; k < field->rank; ++k)
      first += index[k] * strides[k];
    for (int c = 0; c < copies; ++c)
      each((c * field->elements + first) * element, length * element);
    goesOn = false;
    for (int k = outer; k-- > 0 && !goesOn;) {
      goesOn = ++index[k] < box.to[field->order[k]];
      if (!goesOn)
        index[k] = box.from[field->order[k]];
    }
  }
}

void takeBox(const chirt_field *field, const Box &box, char *to) {
  const char *data = hostCopy(field);
  forEachRun(field, box, [&](int64_t offset, int64_t bytes) {
    memcpy(to, data + offset, size_t(bytes));
    to += bytes;
  });
}

void putBox(chirt_field *field, const Box &box, const char *from) {
  char *data = hostCopyToUpdate(field);
  forEachRun(field, box, [&](int64_t offset, int64_t bytes) {
    memcpy(data + offset, from, size_t(bytes));
    from += bytes;
  });
}

void exchangeBox(chirt_field *field, const Box &box, char *with) {
  char *data = hostCopyToUpdate(field);
  forEachRun(field, box, [&](int64_t offset, int64_t bytes) {
    char held[512];
    for (int64_t k = 0, length; k < bytes; k += length, with += length) {
      length = bytes - k < int64_t(sizeof(held)) ? bytes - k : sizeof(held);
      memcpy(held, with, size_t(length));
      memcpy(with, data + offset + k, size_t(length));
      memcpy(data + offset + k, held, size_t(length));
    }
  });
}

} // namespace chirt
