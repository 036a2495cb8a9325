//===- CppCalls.cpp - Calls of libraries from C++ -------------------------===//
#include "chi/Driver/Library/CppCommon.h"

// The structs are those of chirt/tvm_ffi.h and chirt/dlpack.h under names of
// their own; test/Operators/cpp-layouts.test compares them.
const char *const chi::driver::kCppCalls = R"hpp(namespace detail {

/// A value of a call (chirt_any).
struct Any {
  std::int32_t type = 0;
  std::uint32_t padding = 0;
  union {
    std::int64_t bits = 0;
    void *pointer;
  };
};
enum AnyType : std::int32_t {
  kWord = -2,
  kTensor = 7,
  kText = 65,
  kManaged = 70
};

/// DLPack's tensor, and one that a library gave.
struct Tensor {
  void *data = nullptr;
  std::int32_t deviceType = 1, deviceId = 0, rank = 0;
  std::uint8_t code = 0, bits = 0;
  std::uint16_t lanes = 1;
  std::int64_t *shape = nullptr, *strides = nullptr;
  std::uint64_t offset = 0;
};
struct Managed {
  std::uint32_t major, minor;
  void *context;
  void (*deleter)(Managed *self);
  std::uint64_t flags;
  Tensor tensor;
};
struct Text {
  std::uint64_t references = 1;
  std::int32_t type = kText;
  std::uint32_t padding = 0;
  void (*deleter)(void *self, int flags) = nullptr;
  const char *data = nullptr;
  std::size_t size = 0;
};

template <typename Number> constexpr std::uint8_t codeOf() {
  using N = std::remove_const_t<Number>;
  if constexpr (std::is_same_v<N, bool>)
    return 6;
  else if constexpr (std::is_same_v<N, BFloat>)
    return 4;
  else if constexpr (std::is_floating_point_v<N> || std::is_same_v<N, Half>)
    return 2;
  else
    return std::is_unsigned_v<N> ? 1 : 0;
}

/// An argument for the time of a call: a scalar.
template <typename T> struct Argument {
  explicit Argument(const T &value) { std::memcpy(&bits, &value, sizeof(T)); }
  Any any() {
    Any made;
    made.type = kWord;
    made.bits = bits;
    return made;
  }
  std::int64_t bits = 0;
};

template <typename T, int Rank> struct Argument<View<T, Rank>> {
  using Number = typename View<T, Rank>::Number;
  static constexpr auto &inner = Element<T>::shape;

  explicit Argument(const View<T, Rank> &view) {
    tensor.data = const_cast<void *>(static_cast<const void *>(view.data()));
    tensor.rank = Rank + static_cast<std::int32_t>(inner.size());
    tensor.code = codeOf<Number>();
    tensor.bits = 8 * sizeof(Number);
    std::size_t axis = 0;
    constexpr std::int64_t numbers = sizeof(T) / sizeof(Number);
    for (; axis < view.shape().size(); ++axis) {
      shape[axis] = view.shape()[axis];
      strides[axis] = view.strides()[axis] * numbers;
    }
    const auto steps = rowMajor(inner);
    for (std::size_t k = 0; k < inner.size(); ++k, ++axis) {
      shape[axis] = inner[k];
      strides[axis] = steps[k];
    }
  }
  Any any() {
    tensor.shape = shape.data();
    tensor.strides = strides.data();
    Any made;
    made.type = kTensor;
    made.pointer = &tensor;
    return made;
  }
  Tensor tensor;
  std::array<std::int64_t, std::size_t(Rank) + 2> shape{}, strides{};
};

/// A vec or mat.
template <typename T, std::size_t N>
struct Argument<std::array<T, N>> : Argument<View<const std::array<T, N>, 0>> {
  explicit Argument(const std::array<T, N> &value)
      : Argument<View<const std::array<T, N>, 0>>(
            View<const std::array<T, N>, 0>(&value)) {}
};

template <> struct Argument<std::string_view> {
  explicit Argument(const std::string_view &value) {
    text.data = value.data();
    text.size = value.size();
  }
  Any any() {
    Any made;
    made.type = kText;
    made.pointer = &text;
    return made;
  }
  Text text;
};

/// What a call gave, until somebody takes it.
struct Results {
  Any all[16];

  Results() = default;
  Results(const Results &) = delete;
  Results &operator=(const Results &) = delete;
  ~Results() {
    for (Any &each : all)
      if (each.type == kManaged)
        drop(each.pointer);
      else if (each.type == kText)
        static_cast<Text *>(each.pointer)->deleter(each.pointer, 0);
  }
  static void drop(void *tensor) {
    auto *managed = static_cast<Managed *>(tensor);
    managed->deleter(managed);
  }
};

/// Copies numbers to row-major order.
template <typename Number>
Number *copyNumbers(Number *to, const Number *from, const Tensor &tensor,
                    int axis) {
  if (axis == tensor.rank) {
    *to = *from;
    return to + 1;
  }
  for (std::int64_t k = 0; k < tensor.shape[axis]; ++k)
    to = copyNumbers(to, from + k * tensor.strides[axis], tensor, axis + 1);
  return to;
}
template <typename Number> void copyNumbers(Number *to, const Tensor &tensor) {
  const char *bytes = static_cast<const char *>(tensor.data) + tensor.offset;
  copyNumbers(to, reinterpret_cast<const Number *>(bytes), tensor, 0);
}

/// A result: a scalar, a vec or a mat.
template <typename T> struct Result {
  static T take(Any &value) {
    T made{};
    if constexpr (Element<T>::shape.size() == 0)
      std::memcpy(static_cast<void *>(&made), &value.bits, sizeof(T));
    else
      copyNumbers(reinterpret_cast<typename Element<T>::Number *>(&made),
                  static_cast<Managed *>(value.pointer)->tensor);
    return made;
  }
};

template <> struct Result<std::string> {
  static std::string take(Any &value) {
    auto *text = static_cast<Text *>(value.pointer);
    return std::string(text->data, text->size);
  }
};

template <typename T, int Rank> struct Result<Field<T, Rank>> {
  using Number = typename Element<T>::Number;
  using Shape = typename View<T, Rank>::Shape;
  static constexpr std::int64_t numbers = sizeof(T) / sizeof(Number);
  static constexpr auto &inner = Element<T>::shape;

  static Field<T, Rank> take(Any &value) {
    const Tensor &tensor = static_cast<Managed *>(value.pointer)->tensor;
    Shape shape{}, strides{};
    bool isTogether = true;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      shape[k] = tensor.shape[k];
      strides[k] = tensor.strides[k] / numbers;
      isTogether = isTogether && tensor.strides[k] % numbers == 0;
    }
    const auto steps = rowMajor(inner);
    for (std::size_t k = 0; k < inner.size(); ++k)
      isTogether = isTogether && (inner[k] == 1 ||
                                  tensor.strides[shape.size() + k] == steps[k]);
    if (!isTogether) { // an soa field
      Field<T, Rank> copy(shape);
      copyNumbers(reinterpret_cast<Number *>(copy.data()), tensor);
      return copy;
    }
    char *first = static_cast<char *>(tensor.data) + tensor.offset;
    value.type = 0;
    return Field<T, Rank>({value.pointer, Results::drop},
                          {reinterpret_cast<T *>(first), shape, strides});
  }
};

using Invoke = std::int32_t (*)(const Any *, std::int32_t, Any *);

/// A call: of a function with these results.
template <typename... Types> struct Call {
  template <typename... Args> static auto run(Invoke invoke, Args... args) {
    std::tuple<Argument<Args>...> kept(args...);
    Results results;
    std::int32_t status = std::apply(
        [&](auto &...each) {
          const Any values[] = {each.any()..., Any()};
          return invoke(values, sizeof...(Args), results.all);
        },
        kept);
    if (status != 0)
      throw Error(Result<std::string>::take(results.all[0]));
    return take(results, std::index_sequence_for<Types...>());
  }

private:
  template <std::size_t... Numbers>
  static auto take([[maybe_unused]] Results &results,
                   std::index_sequence<Numbers...>) {
    if constexpr (sizeof...(Types) == 1)
      return (Result<Types>::take(results.all[Numbers]), ...);
    else if constexpr (sizeof...(Types) > 1)
      return std::tuple<Types...>{
          Result<Types>::take(results.all[Numbers])...};
  }
};

/// The functions of a library that do not depend on the program.
struct Library {
  const char *name;
  std::int32_t (*run)(std::int32_t, const char *const *);
  std::int32_t (*field)(const char *, chi_array *);
  const char *(*lastError)();
  std::int32_t (*silence)(std::int32_t);

  [[noreturn]] void fail(std::int32_t status) const {
    std::string text = lastError();
    while (!text.empty() && text.back() == '\n')
      text.pop_back();
    throw Error(text.empty() ? std::string(name) + ": the program ended with " +
                                   "the exit status " + std::to_string(status)
                             : text);
  }
  void runProgram(const std::vector<std::string> &params) const {
    std::vector<const char *> words{name};
    for (const std::string &param : params)
      words.push_back(param.c_str());
    const std::int32_t before = silence(1);
    const std::int32_t status =
        run(static_cast<std::int32_t>(words.size()), words.data());
    silence(before);
    if (status != 0)
      fail(status);
  }
  template <typename T, int Rank>
  View<T, Rank> fieldOf(const std::string &of) const {
    using Number = typename View<T, Rank>::Number;
    constexpr auto &inner = Element<T>::shape;
    chi_array array;
    typename View<T, Rank>::Shape shape{}, strides{};
    const std::int32_t before = silence(1);
    const std::int32_t status = field(of.c_str(), &array);
    silence(before);
    if (status != 0)
      fail(status);
    constexpr char letters[] = "iufxxxb"; // as in "f32"; "bool" of a byte
    constexpr std::uint8_t code = codeOf<Number>();
    const std::string type =
        code == 6 ? "bool" : letters[code] + std::to_string(8 * sizeof(Number));
    const auto steps = rowMajor(inner);
    bool isSame = type == array.type && array.field_rank == Rank &&
                  array.rank == Rank + static_cast<int>(inner.size());
    for (std::size_t k = 0; isSame && k < inner.size(); ++k)
      isSame = array.shape[shape.size() + k] == inner[k] &&
               array.strides[shape.size() + k] ==
                   steps[k] * static_cast<std::int64_t>(sizeof(Number));
    for (std::size_t k = 0; isSame && k < shape.size(); ++k) {
      shape[k] = array.shape[k];
      strides[k] = array.strides[k] / static_cast<std::int64_t>(sizeof(T));
    }
    if (!isSame)
      throw Error(std::string(name) + ": the field `" + of + "` has " +
                  std::to_string(array.field_rank) + " axes and numbers of " +
                  array.type + ", which is not the type of the view");
    return View<T, Rank>(static_cast<T *>(array.data), shape, strides);
  }
};

} // namespace detail
} // namespace chi
#elif CHI_LIBRARY_HPP != 2
#error "made by another version of chic than a header before: build both again"
#endif

)hpp";
