//===- StridedCopy.cpp - Copies between arrays of one shape ---------------===//
// A panel of two axes, rows and columns, is copied block by block, and the
// blocks in parallel. Columns are the axis along which the target lies closest,
// rows that along which the source does: the lines that a row of a transposed
// source lies in are still in a cache when the next rows come.
#include "chirt/operators/Tensors.h"

#include "chirt/chirt.h"
#include <algorithm>
#include <cstdlib>

namespace chirt {

namespace {
constexpr int64_t kBlockRows = 32, kBlockColumns = 4096;
/// Of one scalar, as chirt_parallel counts: about half a nanosecond.
constexpr int64_t kCost = 8;

/// An axis that both arrays have; the strides are in scalars.
struct Axis {
  int64_t extent, to, from;
};

int64_t numBlocks(int64_t extent, int64_t size) {
  return (extent + size - 1) / size;
}

/// What is copied: a panel for each index of the outer axes.
class Copy {
public:
  Copy(char *to, const ScalarArray &toArray, const char *from,
       const ScalarArray &fromArray);
  template <typename T> void run() const;

private:
  void add(const Axis &axis);
  void mergeNeighbours();
  void choosePanel();
  template <typename T>
  static void runBlocks(void *copy, int64_t begin, int64_t end, int32_t);
  template <typename T> void runBlock(int64_t number) const;
  template <typename T>
  void runRows(T *to, const T *from, int64_t numRows, int64_t numColumns) const;

  char *to;
  const char *from;
  int rank = 0;
  Axis axes[CHIRT_MAX_RANK + 2];
  Axis rows = {1, 0, 0}, columns = {1, 0, 0};
};
} // namespace

Copy::Copy(char *to, const ScalarArray &toArray, const char *from,
           const ScalarArray &fromArray)
    : to(to), from(from) {
  for (int k = 0; k < toArray.rank; ++k)
    if (toArray.shape[k] != 1)
      add({toArray.shape[k], toArray.strides[k], fromArray.strides[k]});
  mergeNeighbours();
  choosePanel();
}

/// By the strides of the target, the largest first.
void Copy::add(const Axis &axis) {
  int place = rank++;
  for (; place > 0 && labs(axes[place - 1].to) < labs(axis.to); --place)
    axes[place] = axes[place - 1];
  axes[place] = axis;
}

/// Two axes are one if the second continues where the first one steps.
void Copy::mergeNeighbours() {
  int count = 0;
  for (int k = 0; k < rank; ++k) {
    Axis *before = count ? &axes[count - 1] : nullptr;
    const Axis &axis = axes[k];
    if (before && before->to == axis.to * axis.extent &&
        before->from == axis.from * axis.extent)
      *before = {before->extent * axis.extent, axis.to, axis.from};
    else
      axes[count++] = axis;
  }
  rank = count;
}

/// Takes rows and columns from the axes.
void Copy::choosePanel() {
  if (rank > 0)
    columns = axes[--rank];
  if (rank == 0)
    return;
  int closest = rank - 1;
  for (int k = 0; k < rank; ++k)
    if (labs(axes[k].from) < labs(axes[closest].from))
      closest = k;
  // Rows one below the other, unless the source lies along another axis.
  if (labs(axes[closest].from) >= labs(columns.from))
    closest = rank - 1;
  rows = axes[closest];
  for (--rank; closest < rank; ++closest)
    axes[closest] = axes[closest + 1];
}

template <typename T>
void Copy::runRows(T *target, const T *source, int64_t numRows,
                   int64_t numColumns) const {
  for (int64_t r = 0; r < numRows; ++r) {
    T *toRow = target + r * rows.to;
    const T *fromRow = source + r * rows.from;
    if (columns.to == 1 && columns.from == 1)
      memcpy(toRow, fromRow, size_t(numColumns) * sizeof(T));
    else if (columns.to == 1)
      for (int64_t c = 0, at = 0; c < numColumns; ++c, at += columns.from)
        toRow[c] = fromRow[at];
    else
      for (int64_t c = 0; c < numColumns; ++c)
        toRow[c * columns.to] = fromRow[c * columns.from];
  }
}

template <typename T> void Copy::runBlock(int64_t number) const {
  const int64_t across = numBlocks(columns.extent, kBlockColumns);
  const int64_t down = numBlocks(rows.extent, kBlockRows);
  const int64_t column = number % across * kBlockColumns;
  const int64_t row = number / across % down * kBlockRows;
  T *target = reinterpret_cast<T *>(to) + row * rows.to + column * columns.to;
  const T *source = reinterpret_cast<const T *>(from) + row * rows.from +
                    column * columns.from;
  int64_t outer = number / across / down;
  for (int k = rank; k-- > 0; outer /= axes[k].extent) {
    target += outer % axes[k].extent * axes[k].to;
    source += outer % axes[k].extent * axes[k].from;
  }
  const int64_t numRows = std::min(kBlockRows, rows.extent - row);
  const int64_t numColumns = std::min(kBlockColumns, columns.extent - column);
  runRows(target, source, numRows, numColumns);
}

template <typename T>
void Copy::runBlocks(void *copy, int64_t begin, int64_t end, int32_t) {
  for (int64_t k = begin; k < end; ++k)
    static_cast<const Copy *>(copy)->runBlock<T>(k);
}

template <typename T> void Copy::run() const {
  int64_t blocks = numBlocks(rows.extent, kBlockRows) *
                   numBlocks(columns.extent, kBlockColumns);
  for (int k = 0; k < rank; ++k)
    blocks *= axes[k].extent;
  const int64_t scalars = std::min(rows.extent, kBlockRows) *
                          std::min(columns.extent, kBlockColumns);
  chirt_parallel(runBlocks<T>, const_cast<Copy *>(this), blocks, 1,
                 scalars * kCost);
}

void copyScalars(char *to, const ScalarArray &toArray, const char *from,
                 const ScalarArray &fromArray, int64_t bytes) {
  for (int k = 0; k < toArray.rank; ++k)
    if (toArray.shape[k] == 0)
      return;
  const Copy copy(to, toArray, from, fromArray);
  switch (bytes) {
  case 1:
    return copy.run<uint8_t>();
  case 2:
    return copy.run<uint16_t>();
  case 4:
    return copy.run<uint32_t>();
  default:
    return copy.run<uint64_t>();
  }
}

} // namespace chirt
