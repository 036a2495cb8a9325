//===- CppTypes.cpp - Views and fields of libraries in C++ ----------------===//
#include "chi/Driver/Library/CppCommon.h"

const char *const chi::driver::kCppTypes = R"hpp(#ifndef CHI_LIBRARY_HPP
#define CHI_LIBRARY_HPP 2
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// What the C++ headers of all Chi libraries share.
namespace chi {

/// A wrong argument, or an error of the program, in Chi's words. The library
/// can be used afterwards.
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A vec and a mat of Chi: numbers, a mat by rows.
template <typename T, std::size_t N> using Vec = std::array<T, N>;
template <typename T, std::size_t Rows, std::size_t Columns>
using Mat = std::array<std::array<T, Columns>, Rows>;

/// Chi's f16: the 16 bits of IEEE 754, which computes as a float.
class Half {
public:
  Half() = default;
  /// The nearest one; of two, the even one.
  Half(float value) : bits(narrow(value)) {}
  operator float() const { return widen(bits); }

  std::uint16_t bits = 0;

private:
  static std::uint16_t narrow(float value) {
    auto x = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (x >> 16) & 0x8000;
    x &= 0x7fffffff;
    std::uint32_t half = 0;
    if (x > 0x7f800000) { // NaN
      half = 0x7e00;
    } else if (x >= 0x477ff000) { // rounds to infinity
      half = 0x7c00;
    } else if (x >= 0x38800000) {
      half = (x + 0xfff + ((x >> 13) & 1) - 0x38000000) >> 13;
    } else { // subnormal: the sum with 0.5 rounds to units of 2^-24
      float sum = std::bit_cast<float>(x) + 0.5f;
      half = std::bit_cast<std::uint32_t>(sum) - 0x3f000000;
    }
    return static_cast<std::uint16_t>(sign | half);
  }
  static float widen(std::uint32_t half) {
    const std::uint32_t sign = (half & 0x8000) << 16;
    const std::uint32_t exponent = (half >> 10) & 31, fraction = half & 0x3ff;
    if (exponent == 0) {
      float size = static_cast<float>(fraction) * 0x1p-24f;
      return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(size));
    }
    return std::bit_cast<float>(sign | (fraction << 13) |
                                (exponent == 31 ? 0x7f800000
                                                : (exponent + 112) << 23));
  }
};

/// Chi's bf16: the upper half of a float, which computes as one.
class BFloat {
public:
  BFloat() = default;
  /// The nearest one; of two, the even one.
  BFloat(float value) {
    auto x = std::bit_cast<std::uint32_t>(value);
    std::uint32_t nearest = (x + 0x7fff + ((x >> 16) & 1)) >> 16;
    bits = static_cast<std::uint16_t>(value != value ? (x >> 16) | 0x40
                                                     : nearest);
  }
  operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }

  std::uint16_t bits = 0;
};

namespace detail {

/// The numbers of an element: one, or those of a vec or mat.
template <typename T> struct Element {
  using Number = T;
  static constexpr std::array<std::int64_t, 0> shape = {};
};
template <typename T, std::size_t N> struct Element<std::array<T, N>> {
  using Number = T;
  static constexpr std::array<std::int64_t, 1> shape = {N};
};
template <typename T, std::size_t Rows, std::size_t Columns>
struct Element<std::array<std::array<T, Columns>, Rows>> {
  using Number = T;
  static constexpr std::array<std::int64_t, 2> shape = {Rows, Columns};
};
template <typename T> struct Element<const T> : Element<T> {
  using Number = const typename Element<T>::Number;
};

/// Arrays that know their shape and strides in elements: View, Field, xtensor.
template <typename C>
concept Strided = requires(C &c) {
  std::size(c.shape());
  std::size(c.strides());
  c.data();
};
/// Matrices and vectors of Eigen that lie in memory.
template <typename C>
concept Matrix = requires(C &c) {
  c.rows();
  c.cols();
  c.rowStride();
  c.colStride();
  c.data();
};
template <typename C>
concept Sequence = !Strided<C> && !Matrix<C> && requires(C &c) {
  std::data(c);
  std::size(c);
};

template <typename C, int Rank> constexpr bool hasRank() {
  using Plain = std::remove_cvref_t<C>;
  if constexpr (Strided<C>) {
    using Shape = std::remove_cvref_t<decltype(std::declval<C &>().shape())>;
    if constexpr (requires { std::tuple_size<Shape>::value; })
      return std::tuple_size<Shape>::value == Rank;
    else
      return true; // known at run time
  } else if constexpr (Matrix<C>) {
    return Rank == 2 || (Rank == 1 && bool(Plain::IsVectorAtCompileTime));
  } else {
    return Sequence<C> && Rank == 1;
  }
}

/// The first element.
template <typename C> auto *firstOf(C &from) {
  auto *data = std::data(from);
  if constexpr (requires { from.data_offset(); }) // xtensor's views
    data += from.data_offset();
  return data;
}

/// Whether elements outlive the object: a span, a block of Eigen.
template <typename C> constexpr bool isBorrowed() {
  if constexpr (Matrix<C>)
    return !std::is_same_v<C, typename C::PlainObject>;
  else
    return std::ranges::enable_borrowed_range<C>;
}

/// What a view of `T` with `Rank` axes can be made from. A view that may change
/// elements is not made from a temporary that owns them.
template <typename C, typename T, int Rank>
concept ViewableAs =
    hasRank<C, Rank>() && requires(std::remove_reference_t<C> &c) {
      requires std::is_convertible_v<
          std::remove_pointer_t<decltype(firstOf(c))> (*)[], T (*)[]>;
    } &&
    (std::is_lvalue_reference_v<C> || std::is_const_v<T> ||
     isBorrowed<std::remove_cvref_t<C>>());

template <std::size_t Rank>
std::array<std::int64_t, Rank>
rowMajor(const std::array<std::int64_t, Rank> &shape) {
  std::array<std::int64_t, Rank> strides{};
  std::int64_t step = 1;
  for (std::size_t k = Rank; k-- > 0; step *= shape[k])
    strides[k] = step;
  return strides;
}

template <std::size_t Rank>
std::int64_t sizeOf(const std::array<std::int64_t, Rank> &shape) {
  std::int64_t size = 1;
  for (std::int64_t extent : shape)
    size *= extent;
  return size;
}

template <std::size_t Rank, typename C>
void copyAxes(std::array<std::int64_t, Rank> &to, const C &from) {
  if (std::size(from) != Rank)
    throw Error("chi::View: the array has " + std::to_string(std::size(from)) +
                " axes, expected " + std::to_string(Rank));
  std::size_t k = 0;
  for (auto each : from)
    to[k++] = static_cast<std::int64_t>(each);
}

} // namespace detail

/// Elements in the memory of somebody else, with any strides, which count
/// elements. `View<const T, Rank>` does not change them. An argument that is a
/// field of Chi is a view; only memory without gaps in row-major order is
/// passed without a copy.
template <typename T, int Rank> class View {
public:
  using Shape = std::array<std::int64_t, std::size_t(Rank)>;
  using Number = typename detail::Element<T>::Number;

  View() = default;
  /// Row-major memory: `{data, {2, 3}}`, `{data, rows, columns}`.
  View(T *data, const Shape &shape)
      : View(data, shape, detail::rowMajor(shape)) {}
  template <std::integral... Extents>
    requires(sizeof...(Extents) == Rank)
  View(T *data, Extents... shape)
      : View(data, Shape{static_cast<std::int64_t>(shape)...}) {}
  View(T *data, const Shape &shape, const Shape &strides)
      : first(data), extents(shape), steps(strides) {}
  /// A view or field; with one axis whatever has data() and size(); matrices of
  /// Eigen, arrays of xtensor.
  template <typename C>
    requires(!std::same_as<std::remove_cvref_t<C>, View> &&
             detail::ViewableAs<C, T, Rank>)
  View(C &&from) : first(detail::firstOf(from)) {
    if constexpr (detail::Strided<C>) {
      detail::copyAxes(extents, from.shape());
      detail::copyAxes(steps, from.strides());
    } else if constexpr (detail::Matrix<C> && Rank == 2) {
      extents = {from.rows(), from.cols()};
      steps = {from.rowStride(), from.colStride()};
    } else if constexpr (detail::Matrix<C>) {
      extents[0] = from.size();
      steps[0] = from.rows() == 1 ? from.colStride() : from.rowStride();
    } else {
      extents[0] = static_cast<std::int64_t>(std::size(from));
      steps[0] = 1;
    }
  }
  /// Row-major vecs or mats whose numbers lie one after another.
  static View ofNumbers(Number *numbers, const Shape &shape) {
    return View(reinterpret_cast<T *>(numbers), shape);
  }

  T *data() const { return first; }
  const Shape &shape() const { return extents; }
  const Shape &strides() const { return steps; }
  std::int64_t size() const { return detail::sizeOf(extents); }
  /// The element at these indices, which are not checked.
  template <std::integral... Indices>
    requires(sizeof...(Indices) == Rank)
  T &operator()(Indices... indices) const {
    std::int64_t at = 0;
    [[maybe_unused]] std::size_t axis = 0;
    ((at += static_cast<std::int64_t>(indices) * steps[axis++]), ...);
    return first[at];
  }

private:
  T *first = nullptr;
  Shape extents{}, steps{};
};

/// Elements in memory of its own: what a function of Chi returns, or zeros for
/// a kernel to fill. It is moved, not copied, and is empty then.
template <typename T, int Rank> class Field {
public:
  using Shape = typename View<T, Rank>::Shape;

  Field() = default;
  /// Zeros.
  explicit Field(const Shape &shape)
      : memory(new T[static_cast<std::size_t>(detail::sizeOf(shape))](),
               [](void *p) { delete[] static_cast<T *>(p); }),
        elements(static_cast<T *>(memory.get()), shape) {}
  /// Over memory that `owner` releases.
  Field(std::unique_ptr<void, void (*)(void *)> owner,
        const View<T, Rank> &view)
      : memory(std::move(owner)), elements(view) {}
  Field(Field &&other) noexcept
      : memory(std::move(other.memory)),
        elements(std::exchange(other.elements, {})) {}
  Field &operator=(Field &&other) noexcept {
    memory = std::move(other.memory);
    elements = std::exchange(other.elements, {});
    return *this;
  }

  View<T, Rank> view() { return elements; }
  View<const T, Rank> view() const { return elements; }
  T *data() { return elements.data(); }
  const T *data() const { return elements.data(); }
  const Shape &shape() const { return elements.shape(); }
  const Shape &strides() const { return elements.strides(); }
  std::int64_t size() const { return elements.size(); }
  /// The element at these indices, which are not checked.
  template <std::integral... Indices>
    requires(sizeof...(Indices) == Rank)
  T &operator()(Indices... indices) {
    return elements(indices...);
  }
  template <std::integral... Indices>
    requires(sizeof...(Indices) == Rank)
  const T &operator()(Indices... indices) const {
    return elements(indices...);
  }

private:
  std::unique_ptr<void, void (*)(void *)> memory{nullptr, [](void *) {}};
  View<T, Rank> elements;
};

)hpp";
