//===- Reduce.cpp - sum, min, max, argmax, dot of fields ------------------===//
// The order of additions is fixed ([Num.5]): element i of the storage adds to
// sum i mod 16 of block i / 1024; sums, then blocks, are joined pairwise. So
// the result is the same for any number of threads.
#include "chirt/chirt.h"
#include "chirt/cpu/Combine.h"
#include "chirt/cpu/FieldOps.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include <cstring>
#include <type_traits>

namespace chirt {

namespace {
constexpr int64_t blockSize = CHIRT_REDUCTION_BLOCK;
constexpr int lanes = CHIRT_REDUCTION_LANES;

int64_t numBlocks(int64_t elements) {
  return (elements + blockSize - 1) / blockSize;
}

/// Where one component of a field lies, whose host's copy is current.
struct Component {
  const char *data;
  int64_t stride; ///< in scalars
};
Component componentOf(const chirt_field *f, int c) {
  return {static_cast<const char *>(f->data) + scalarOffset(f, 0, c),
          f->is_soa ? 1 : componentsOf(f)};
}

template <typename S> S joinLanes(S *sums) {
  for (int width = lanes / 2; width > 0; width /= 2)
    for (int k = 0; k < width; ++k)
      sums[k] = sums[2 * k] + sums[2 * k + 1];
  return sums[0];
}

/// The sum of one block, of `value(i)` for i in [begin, end).
template <typename S, typename F>
S sumBlock(int64_t begin, int64_t end, F &&value) {
  S sums[lanes] = {};
  int64_t i = begin;
  for (; i + lanes <= end; i += lanes)
    for (int k = 0; k < lanes; ++k)
      sums[k] += value(i + k);
  for (int k = 0; i < end; ++i, ++k)
    sums[k] += value(i);
  return joinLanes(sums);
}

/// One block of a component, strided or not.
template <typename S, typename T>
S sumComponent(const T *data, int64_t stride, int64_t begin, int64_t end) {
  if (stride == 1)
    return sumBlock<S>(begin, end,
                       [=](int64_t i) { return S(number(data[i])); });
  return sumBlock<S>(begin, end,
                     [=](int64_t i) { return S(number(data[i * stride])); });
}

/// A reduction over blocks: one partial of 8 bytes for each block.
struct BlockArgs {
  const chirt_field *field, *other;
  int component;
  int32_t kind; ///< of min and max
  void *partials;
};

void sumChunk(void *context, int64_t begin, int64_t end, int32_t) {
  auto *args = static_cast<BlockArgs *>(context);
  Component c = componentOf(args->field, args->component);
  int64_t elements = args->field->elements;
  withType(args->field->dtype, [&](auto type) {
    using T = decltype(type);
    using S =
        std::conditional_t<std::is_floating_point_v<decltype(number(type))>,
                           double, uint64_t>;
    auto *data = reinterpret_cast<const T *>(c.data);
    auto *partials = static_cast<S *>(args->partials);
    for (int64_t block = begin; block < end; ++block) {
      int64_t from = block * blockSize, to = from + blockSize;
      partials[block] =
          sumComponent<S>(data, c.stride, from, to < elements ? to : elements);
    }
  });
}

/// 1/16 ns a block of one component of `bytes` costs.
int64_t costOfBlock(int64_t bytes) { return blockSize * bytes * 2; }

/// Sums one component into 8 bytes: f64, i64 or u64.
void sumInto(const chirt_field *field, int component, void *result) {
  int64_t blocks = numBlocks(field->elements);
  if (blocks == 0) {
    memset(result, 0, 8);
    return;
  }
  void *partials = chirt_scratch_push(blocks * 8);
  BlockArgs args{field, nullptr, component, 0, partials};
  chirt_parallel(sumChunk, &args, blocks, 1,
                 costOfBlock(scalarBytes(field->dtype)));
  chirt_reduction_join(partials, blocks,
                       isFloatType(field->dtype) ? CHIRT_F64 : CHIRT_I64,
                       CHIRT_ACCUM_ADD);
  memcpy(result, partials, 8);
  chirt_scratch_pop(partials);
}

/// The partials are of 16 bytes here.
void sumWideChunk(void *context, int64_t begin, int64_t end, int32_t) {
  auto *args = static_cast<BlockArgs *>(context);
  Component c = componentOf(args->field, args->component);
  int64_t elements = args->field->elements;
  auto sum = [&](auto *data) {
    for (int64_t block = begin; block < end; ++block) {
      int64_t from = block * blockSize, to = from + blockSize;
      static_cast<__int128 *>(args->partials)[block] = sumComponent<__int128>(
          data, c.stride, from, to < elements ? to : elements);
    }
  };
  if (args->field->dtype == CHIRT_U64)
    sum(reinterpret_cast<const uint64_t *>(c.data));
  else
    sum(reinterpret_cast<const int64_t *>(c.data));
}

/// By halves of the magnitude: the conversion itself is in no C library.
double asDouble(__int128 value) {
  auto size = static_cast<unsigned __int128>(value);
  size = value < 0 ? -size : size;
  double high = double(uint64_t(size >> 64)), low = double(uint64_t(size));
  double result = high * 0x1p64 + low;
  return value < 0 ? -result : result;
}

/// The sum of one component of 64-bit integers.
double sumWide(const chirt_field *field, int component) {
  int64_t blocks = numBlocks(field->elements);
  if (blocks == 0)
    return 0;
  void *partials = chirt_scratch_push(blocks * 16);
  BlockArgs args{field, nullptr, component, 0, partials};
  chirt_parallel(sumWideChunk, &args, blocks, 1, costOfBlock(16));
  __int128 total = 0;
  for (int64_t block = 0; block < blocks; ++block)
    total += static_cast<__int128 *>(partials)[block];
  chirt_scratch_pop(partials);
  return asDouble(total);
}

/// The least or greatest of a range; nan if there is nothing else.
template <bool isMin, typename N, typename T>
N extremeOf(const T *data, int64_t stride, int64_t begin, int64_t end) {
  constexpr AccumKind kind = isMin ? CHIRT_ACCUM_MIN : CHIRT_ACCUM_MAX;
  using C = Combine<N, kind>;
  N best[lanes];
  for (int k = 0; k < lanes; ++k)
    best[k] = N(number(data[begin * stride]));
  int64_t i = begin;
  for (; i + lanes <= end; i += lanes)
    for (int k = 0; k < lanes; ++k)
      best[k] = C::apply(best[k], N(number(data[(i + k) * stride])));
  for (; i < end; ++i)
    best[0] = C::apply(best[0], N(number(data[i * stride])));
  for (int k = 1; k < lanes; ++k)
    best[0] = C::apply(best[0], best[k]);
  return best[0];
}

void extremeChunk(void *context, int64_t begin, int64_t end, int32_t) {
  auto *args = static_cast<BlockArgs *>(context);
  Component c = componentOf(args->field, args->component);
  int64_t elements = args->field->elements;
  withType(args->field->dtype, [&](auto type) {
    using T = decltype(type);
    using N = decltype(number(type));
    auto *data = reinterpret_cast<const T *>(c.data);
    for (int64_t block = begin; block < end; ++block) {
      int64_t from = block * blockSize, to = from + blockSize;
      to = to < elements ? to : elements;
      N best = args->kind == CHIRT_ACCUM_MIN
                   ? extremeOf<true, N>(data, c.stride, from, to)
                   : extremeOf<false, N>(data, c.stride, from, to);
      memcpy(static_cast<char *>(args->partials) + block * 8, &best, sizeof(N));
    }
  });
}

/// The extreme of one component into the field's own scalar type.
void extremeInto(const chirt_field *field, int component, AccumKind kind,
                 char *result) {
  int64_t blocks = numBlocks(field->elements);
  void *partials = chirt_scratch_push(blocks * 8);
  BlockArgs args{field, nullptr, component, kind, partials};
  chirt_parallel(extremeChunk, &args, blocks, 1,
                 costOfBlock(scalarBytes(field->dtype)));
  withType(field->dtype, [&](auto type) {
    using T = decltype(type);
    using N = decltype(number(type));
    N best{};
    for (int64_t block = 0; block < blocks; ++block) {
      N next;
      memcpy(&next, static_cast<char *>(partials) + block * 8, sizeof(N));
      if (block == 0)
        best = next;
      else
        best = kind == CHIRT_ACCUM_MIN
                   ? Combine<N, CHIRT_ACCUM_MIN>::apply(best, next)
                   : Combine<N, CHIRT_ACCUM_MAX>::apply(best, next);
    }
    if constexpr (isShortFloat<T>) {
      T rounded = shortFloat<T>(best);
      memcpy(result, &rounded, sizeof(rounded));
    } else {
      memcpy(result, &best, sizeof(best));
    }
  });
  chirt_scratch_pop(partials);
}

void extremes(const chirt_site *site, const chirt_field *field, AccumKind kind,
              void *result) {
  if (field->elements == 0) {
    failAt(site, UserFault, "%s() of a field without elements",
           kind == CHIRT_ACCUM_MIN ? "min" : "max");
    leave();
  }
  hostCopy(field);
  for (int c = 0; c < componentsOf(field); ++c)
    extremeInto(field, c, kind,
                static_cast<char *>(result) + c * scalarBytes(field->dtype));
}

void dotChunk(void *context, int64_t begin, int64_t end, int32_t) {
  auto *args = static_cast<BlockArgs *>(context);
  Component a = componentOf(args->field, args->component);
  Component b = componentOf(args->other, args->component);
  int64_t elements = args->field->elements;
  withType(args->field->dtype, [&](auto type) {
    using T = decltype(type);
    auto *x = reinterpret_cast<const T *>(a.data);
    auto *y = reinterpret_cast<const T *>(b.data);
    auto *partials = static_cast<double *>(args->partials);
    for (int64_t block = begin; block < end; ++block) {
      int64_t from = block * blockSize, to = from + blockSize;
      partials[block] =
          sumBlock<double>(from, to < elements ? to : elements, [=](int64_t i) {
            return double(number(x[i * a.stride])) *
                   double(number(y[i * b.stride]));
          });
    }
  });
}

/// Fields whose elements lie in different orders: by logical number.
double dotAcross(const chirt_field *a, const chirt_field *b) {
  LogicalWalk left(a), right(b);
  const char *x = hostCopy(a), *y = hostCopy(b);
  double total = 0;
  for (int64_t i = 0; i < a->elements; ++i, left.next(), right.next())
    for (int c = 0; c < componentsOf(a); ++c)
      total +=
          scalarAsDouble(a->dtype, x + scalarOffset(a, left.storage(), c)) *
          scalarAsDouble(b->dtype, y + scalarOffset(b, right.storage(), c));
  return total;
}

/// Reductions add in the order in which elements lie: those of a view are
/// brought together first.
template <typename F> auto withoutGaps(const chirt_field *field, F &&reduce) {
  if (!field->is_strided)
    return reduce(field);
  chirt_field *compact = copyWithoutGaps(field);
  if constexpr (std::is_void_v<decltype(reduce(field))>) {
    reduce(compact);
    chirt_field_release(compact);
  } else {
    auto result = reduce(compact);
    chirt_field_release(compact);
    return result;
  }
}

bool hasSameOrder(const chirt_field *a, const chirt_field *b) {
  for (int k = 0; k < a->rank; ++k)
    if (a->order[k] != b->order[k])
      return false;
  return true;
}

/// Larger as maximumNumber has it, which `max` follows: anything is larger than
/// a NaN, 0.0 larger than -0.0.
template <typename T> bool isGreater(T value, T most) {
  if constexpr (std::is_floating_point_v<T>) {
    if (most != most)
      return value == value;
    if (value == most)
      return __builtin_signbit(most) && !__builtin_signbit(value);
  }
  return value > most;
}

/// Smaller as minimumNumber has it.
template <typename T> bool isLess(T value, T least) {
  if constexpr (std::is_floating_point_v<T>) {
    if (least != least)
      return value == value;
    if (value == least)
      return __builtin_signbit(value) && !__builtin_signbit(least);
  }
  return value < least;
}

/// The number of the largest, or the smallest, element; the logically first of
/// several.
int64_t extremeElement(const chirt_field *field, bool isMin) {
  int64_t best = 0;
  withType(field->dtype, [&](auto type) {
    using T = decltype(type);
    auto *data = reinterpret_cast<const T *>(hostCopy(field));
    LogicalWalk walk(field);
    auto most = number(data[0]);
    for (int64_t i = 0; i < field->elements; ++i, walk.next()) {
      auto value = number(data[walk.storage()]);
      if (isMin ? isLess(value, most) : isGreater(value, most))
        most = value, best = i;
    }
  });
  return best;
}

/// The indices of the smallest or the largest element.
void findExtreme(const chirt_site *site, const chirt_field *field, bool isMin,
                 int64_t *indices) {
  if (field->elements == 0 || componentsOf(field) != 1) {
    failAt(site, UserFault,
           field->elements == 0 ? "%s() of a field without elements"
                                : "%s() needs a field of scalars",
           isMin ? "argmin" : "argmax");
    leave();
  }
  LogicalWalk walk(field, extremeElement(field, isMin));
  for (int k = 0; k < field->rank; ++k)
    indices[k] = walk.indices()[k];
}
} // namespace

} // namespace chirt

using namespace chirt;

void chirt_field_sum(const chirt_field *field, void *result) {
  if (field->is_strided)
    return withoutGaps(
        field, [=](auto *compact) { chirt_field_sum(compact, result); });
  hostCopy(field);
  for (int c = 0; c < componentsOf(field); ++c)
    sumInto(field, c, static_cast<char *>(result) + c * 8);
}

void chirt_field_sum_wide(const chirt_field *field, double *result) {
  if (field->is_strided)
    return withoutGaps(
        field, [=](auto *compact) { chirt_field_sum_wide(compact, result); });
  hostCopy(field);
  for (int c = 0; c < componentsOf(field); ++c) {
    if (scalarBytes(field->dtype) == 8) {
      result[c] = sumWide(field, c);
      continue;
    }
    int64_t sum; // of at most 32 bits each: it fits
    sumInto(field, c, &sum);
    result[c] =
        isUnsignedType(field->dtype) ? double(uint64_t(sum)) : double(sum);
  }
}

void chirt_field_min(const chirt_site *site, const chirt_field *field,
                     void *result) {
  withoutGaps(field, [=](auto *compact) {
    extremes(site, compact, CHIRT_ACCUM_MIN, result);
  });
}

void chirt_field_max(const chirt_site *site, const chirt_field *field,
                     void *result) {
  withoutGaps(field, [=](auto *compact) {
    extremes(site, compact, CHIRT_ACCUM_MAX, result);
  });
}

void chirt_field_argmax(const chirt_site *site, const chirt_field *field,
                        int64_t *indices) {
  bool isMin = site && !strcmp(site->what, "argmin");
  findExtreme(site, field, isMin, indices);
}

double chirt_field_dot(const chirt_site *site, const chirt_field *a,
                       const chirt_field *b) {
  if (!checkFieldsAgree(site, "dot", a, b))
    leave();
  if (a->is_strided)
    return withoutGaps(
        a, [=](auto *compact) { return chirt_field_dot(site, compact, b); });
  if (b->is_strided)
    return withoutGaps(
        b, [=](auto *compact) { return chirt_field_dot(site, a, compact); });
  hostCopy(a);
  hostCopy(b);
  int64_t blocks = numBlocks(a->elements);
  if (blocks == 0)
    return 0;
  if (!hasSameOrder(a, b))
    return dotAcross(a, b);
  void *partials = chirt_scratch_push(blocks * 8);
  double total = 0;
  for (int c = 0; c < componentsOf(a); ++c) {
    BlockArgs args{a, b, c, 0, partials};
    chirt_parallel(dotChunk, &args, blocks, 1,
                   2 * costOfBlock(scalarBytes(a->dtype)));
    chirt_reduction_join(partials, blocks, CHIRT_F64, CHIRT_ACCUM_ADD);
    total += *static_cast<double *>(partials);
  }
  chirt_scratch_pop(partials);
  return total;
}
