//===- Text.h - Growing text and arrays without exceptions ------*- C++ -*-===//
#ifndef CHIRT_TEXT_TEXT_H
#define CHIRT_TEXT_TEXT_H

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

namespace chirt {

/// Ends the process with status 2: not even a few bytes could be had.
[[noreturn]] void outOfMemory();

/// The part of `text` from `from`, at most `count` bytes. Never throws, unlike
/// std::string_view::substr, so that nothing of libstdc++ must be linked.
inline std::string_view slice(std::string_view text, size_t from,
                              size_t count = size_t(-1)) {
  if (from > text.size())
    from = text.size();
  size_t left = text.size() - from;
  return {text.data() + from, count < left ? count : left};
}

/// An array of plain data that grows. Lack of memory ends the process.
template <typename T> class Array {
public:
  constexpr Array() = default;
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  Array(Array &&other)
      : items(std::exchange(other.items, nullptr)),
        count(std::exchange(other.count, 0)),
        capacity(std::exchange(other.capacity, 0)) {}
  ~Array() { free(items); }
  /// Exchanges all items.
  void swap(Array &other) {
    std::swap(items, other.items);
    std::swap(count, other.count);
    std::swap(capacity, other.capacity);
  }

  /// The number of items.
  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  T *data() { return items; }
  const T *data() const { return items; }
  T &operator[](size_t i) { return items[i]; }
  const T &operator[](size_t i) const { return items[i]; }
  T *begin() { return items; }
  T *end() { return items + count; }
  const T *begin() const { return items; }
  const T *end() const { return items + count; }
  T &back() { return items[count - 1]; }

  /// Makes room for `wanted` items in all.
  void reserve(size_t wanted) {
    if (wanted <= capacity)
      return;
    size_t grown = capacity * 2 > 16 ? capacity * 2 : 16;
    if (grown < wanted)
      grown = wanted;
    T *moved = static_cast<T *>(realloc(items, grown * sizeof(T)));
    if (!moved)
      outOfMemory();
    items = moved, capacity = grown;
  }
  /// Appends an item.
  void push(T item) {
    reserve(count + 1);
    items[count++] = item;
  }
  /// A new item that holds anything: to be written where it lies.
  T &add() {
    reserve(count + 1);
    return items[count++];
  }
  /// Appends `n` items, which are none of this array.
  void append(const T *from, size_t n) {
    if (n == 0)
      return;
    reserve(count + n);
    memcpy(items + count, from, n * sizeof(T));
    count += n;
  }
  /// New items are zero bytes.
  void resize(size_t wanted) {
    reserve(wanted);
    if (wanted > count)
      memset(static_cast<void *>(items + count), 0,
             (wanted - count) * sizeof(T));
    count = wanted;
  }
  /// Removes the last item. There is one.
  void pop() { --count; }
  /// Removes item i; the last one takes its number.
  void removeAt(size_t i) { items[i] = items[--count]; }
  /// Removes all items, and keeps the memory.
  void clear() { count = 0; }

private:
  T *items = nullptr;
  size_t count = 0, capacity = 0;
};

/// A text that grows.
class Text {
public:
  constexpr Text() = default;
  Text(Text &&) = default;

  Text &operator<<(std::string_view text) {
    bytes.append(text.data(), text.size());
    return *this;
  }
  Text &operator<<(char c) {
    bytes.push(c);
    return *this;
  }
  Text &operator<<(int v) { return integer(v); }
  Text &operator<<(long v) { return integer(v); }
  Text &operator<<(long long v) { return integer(v); }
  Text &operator<<(unsigned v) { return natural(v); }
  Text &operator<<(unsigned long v) { return natural(v); }
  Text &operator<<(unsigned long long v) { return natural(v); }
  /// An amount of memory: `40 KiB`, `12 MiB`. Less than one is rounded up.
  void appendBytes(uint64_t amount);
  /// As printf.
  [[gnu::format(printf, 2, 3)]] void appendf(const char *format, ...);
  /// As vprintf.
  void appendv(const char *format, va_list arguments);
  /// Appends `c` n times.
  void fill(char c, size_t n) {
    for (; n; --n)
      bytes.push(c);
  }

  /// Without a NUL; valid until the next change.
  std::string_view view() const { return {bytes.data(), bytes.size()}; }
  operator std::string_view() const { return view(); }
  /// With a NUL at the end; valid until the next change.
  const char *c_str() {
    bytes.push('\0');
    bytes.pop();
    return bytes.data();
  }
  /// Bytes of the text.
  size_t size() const { return bytes.size(); }
  bool empty() const { return bytes.empty(); }
  void clear() { bytes.clear(); }
  /// Cuts the text to at most n bytes.
  void truncate(size_t n) {
    if (n < bytes.size())
      bytes.resize(n);
  }

private:
  Text &integer(long long v);
  Text &natural(unsigned long long v);
  Array<char> bytes;
};

} // namespace chirt
#endif // CHIRT_TEXT_TEXT_H
