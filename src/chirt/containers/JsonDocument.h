//===- JsonDocument.h - JSON that was read ----------------------*- C++ -*-===//
#ifndef CHIRT_CONTAINERS_JSONDOCUMENT_H
#define CHIRT_CONTAINERS_JSONDOCUMENT_H

#include "chirt/text/Text.h"

namespace chirt {

/// A value of a document.
struct JsonNode {
  enum Kind : uint8_t { Null, Bool, Number, String, Array, Object };
  Kind kind = Null;
  bool isInteger = false; ///< a number that `integer` holds exactly
  uint32_t line = 1;      ///< where it begins
  double number = 0;      ///< of a bool 0 or 1
  int64_t integer = 0;
  /// Of a string its place in the pool; of an array its children; of an object
  /// keys and values in turn.
  uint64_t first = 0, count = 0;
};

/// A text as a tree. Values have numbers; the last one is the whole.
class JsonDocument {
public:
  /// `name` stands in messages.
  explicit JsonDocument(std::string_view name) { source << name; }
  /// Reads RFC 8259: UTF-8, one value. False with `problem` set to a sentence
  /// with line and column if the text is none.
  bool read(std::string_view text);

  /// A value by its number.
  const JsonNode &node(uint32_t number) const { return nodes[number]; }
  uint32_t size() const { return uint32_t(nodes.size()); }
  /// Child k of an array or object: of an object keys and values in turn.
  uint32_t child(const JsonNode &node, uint64_t k) const {
    return children[node.first + k];
  }
  /// The text of a string.
  std::string_view string(const JsonNode &node) const {
    return slice(pool, node.first, node.count);
  }
  /// The value of a key, the last one if there are several; null without one.
  const uint32_t *find(const JsonNode &object, std::string_view key) const;
  std::string_view name() const { return source; }

  Text problem;

private:
  /// An array or object that is open: its node, and where its children begin.
  struct Open {
    uint32_t node;
    uint64_t begin;
  };

  bool readValue(bool &opens);
  bool readAfter(bool &isDone);
  bool readWord(std::string_view word, JsonNode::Kind kind, double value);
  bool readNumber();
  bool readString();
  bool readEscape();
  bool readHex(uint32_t &unit);
  bool readKey();
  bool open(JsonNode::Kind kind);
  void close();
  bool fail(const char *what);
  void skipSpaces();
  bool take(char c) {
    bool isThere = at < text.size() && text[at] == c;
    at += isThere;
    return isThere;
  }
  JsonNode &add(JsonNode::Kind kind);

  Text source;
  Text pool; ///< the strings, without their escapes
  chirt::Array<JsonNode> nodes;
  chirt::Array<uint32_t> children;
  chirt::Array<uint32_t> pending; ///< children of what is open
  chirt::Array<Open> stack;
  std::string_view text;
  size_t at = 0, lineStart = 0;
  uint32_t line = 1;
};

/// Appends a value of a document as JSON. `indent`: spaces a level, each member
/// on a line of its own; 0: all on one line.
void appendJson(Text &out, const JsonDocument &document, uint32_t number,
                int64_t indent);

} // namespace chirt
#endif // CHIRT_CONTAINERS_JSONDOCUMENT_H
