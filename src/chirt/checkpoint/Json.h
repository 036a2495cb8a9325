//===- Json.h - The texts of a checkpoint -----------------------*- C++ -*-===//
// `state.json` has objects, texts and null alone: numbers are texts, so that
// each keeps its bits.
#ifndef CHIRT_CHECKPOINT_JSON_H
#define CHIRT_CHECKPOINT_JSON_H

#include "chirt/text/Text.h"

namespace chirt {

/// Writes one object, with a member a line.
class JsonWriter {
public:
  JsonWriter() { out << '{'; }
  /// Opens an object that is a member, until `end`.
  void begin(std::string_view name);
  void end();
  /// A text that is a member.
  void add(std::string_view name, std::string_view text);
  void addNull(std::string_view name);
  /// Ends the whole, and returns its text.
  std::string_view finish();

private:
  void beginMember(std::string_view name);

  Text out;
  int depth = 1;
  bool isEmpty = true; ///< the object that is open
};

/// What such a text holds.
class JsonReader {
public:
  /// Reads all of it. False if it is no object of objects, texts and null.
  bool read(std::string_view text);
  /// The text at a path of names; null as its data if there is none, or if it
  /// is no text.
  std::string_view text(std::string_view a, std::string_view b = {},
                        std::string_view c = {}) const;
  /// Whether anything is at the path, null too.
  bool has(std::string_view a, std::string_view b,
           std::string_view c = {}) const;
  /// Calls `take(name, text)` for each text of the object `name`.
  template <typename F> void each(std::string_view name, F &&take) const {
    for (const Item &item : items)
      if (item.depth == 2 && item.isText && part(item, 0) == name)
        take(part(item, 1), slice(pool, item.textAt, item.textSize));
  }

private:
  static constexpr int kDeepest = 3;
  struct Item {
    int depth;
    bool isText;
    size_t nameAt[kDeepest], nameSize[kDeepest];
    size_t textAt, textSize;
  };
  std::string_view part(const Item &item, int k) const {
    return slice(pool, item.nameAt[k], item.nameSize[k]);
  }
  const Item *find(std::string_view a, std::string_view b,
                   std::string_view c) const;
  bool readObject(Item &around);
  bool readMember(Item &around);
  bool readString(size_t &at, size_t &size);
  void skipSpaces();
  bool take(char c);

  std::string_view source;
  size_t place = 0;
  Text pool; ///< all texts, without their escapes
  Array<Item> items;
};

} // namespace chirt
#endif // CHIRT_CHECKPOINT_JSON_H
