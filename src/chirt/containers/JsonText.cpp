//===- JsonText.cpp - Values as JSON --------------------------------------===//
#include "chirt/containers/JsonDocument.h"
#include "chirt/containers/Object.h"
#include "chirt/containers/Points.h"
#include "chirt/failure/Failure.h"
#include "chirt/text/Element.h"
#include "chirt/text/Format.h"
#include "chirt/text/Json.h"
#include "chirt/text/Str.h"

namespace chirt {

namespace {
/// Writes arrays and objects, on one line or on several.
class JsonLines {
public:
  JsonLines(Text &out, int64_t indent)
      : out(out), indent(indent < 0    ? 0
                         : indent > 64 ? 64
                                       : indent) {}

  /// `isLong`: its members have lines of their own, if there is an indentation.
  void begin(char bracket, bool isLong) {
    out << bracket;
    ++depth;
    isFirst = true;
    breaks = isLong && indent > 0;
  }
  /// Before each member.
  void next(bool isLong) {
    if (!isFirst)
      out << (isLong && indent > 0 ? "," : ", ");
    if (isLong && indent > 0)
      breakLine();
    isFirst = false;
  }
  void end(char bracket, bool isLong, bool isEmpty) {
    --depth;
    if (isLong && indent > 0 && !isEmpty)
      breakLine();
    out << bracket;
    isFirst = false;
  }

  Text &out;

private:
  void breakLine() {
    out << '\n';
    out.fill(' ', size_t(indent * depth));
  }
  int64_t indent, depth = 0;
  bool isFirst = true, breaks = false;
};

/// Writes a value of a document.
class NodeWriter {
public:
  NodeWriter(JsonLines &lines, const JsonDocument &document)
      : lines(lines), document(document) {}

  void write(uint32_t number) {
    const JsonNode &node = document.node(number);
    switch (node.kind) {
    case JsonNode::Null:
      lines.out << "null";
      return;
    case JsonNode::Bool:
      lines.out << (node.number != 0 ? "true" : "false");
      return;
    case JsonNode::Number:
      if (node.isInteger)
        lines.out << static_cast<long long>(node.integer);
      else
        formatScalar(lines.out, CHIRT_F64, &node.number, FormatSpec());
      return;
    case JsonNode::String:
      return appendJsonText(lines.out, document.string(node));
    case JsonNode::Array:
      return writeArray(node);
    case JsonNode::Object:
      return writeObject(node);
    }
  }

private:
  bool isLong(const JsonNode &array) const {
    for (uint64_t k = 0; k < array.count; ++k)
      if (document.node(document.child(array, k)).kind >= JsonNode::Array)
        return true;
    return false;
  }
  void writeArray(const JsonNode &node) {
    bool isOnLines = isLong(node);
    lines.begin('[', isOnLines);
    for (uint64_t k = 0; k < node.count; ++k) {
      lines.next(isOnLines);
      write(document.child(node, k));
    }
    lines.end(']', isOnLines, node.count == 0);
  }
  void writeObject(const JsonNode &node) {
    lines.begin('{', true);
    for (uint64_t k = 0; k < node.count; k += 2) {
      lines.next(true);
      write(document.child(node, k));
      lines.out << ": ";
      write(document.child(node, k + 1));
    }
    lines.end('}', true, node.count == 0);
  }

  JsonLines &lines;
  const JsonDocument &document;
};

/// Writes an object of host code. Fails, with the failure recorded, for what
/// JSON does not have.
class ObjectWriter {
public:
  ObjectWriter(JsonLines &lines, const chirt_site *site)
      : lines(lines), site(site) {}

  bool write(const chirt_object *object) {
    if (object && object->kind == chirt_object::Dict)
      return writeDict(dictOf(object));
    return writeList(listOf(object));
  }

private:
  static bool isBracket(char c) {
    return c == '(' || c == ')' || c == '[' || c == ']';
  }
  static bool holdsObjects(const ValueType &type) {
    return std::string_view(type.desc).find('o') != std::string_view::npos;
  }
  bool writeWord(char letter, int64_t word);
  bool writeWords(const ValueType &type, const int64_t *words);
  bool writeKey(const ValueType &type, const int64_t *words);
  bool writeList(const List &list);
  bool writeDict(const Dict &dict);

  JsonLines &lines;
  const chirt_site *site;
};
} // namespace

bool ObjectWriter::writeWord(char letter, int64_t word) {
  switch (letter) {
  case 's':
    appendJsonText(lines.out, viewOf(chirt_str_of_word(word)));
    return true;
  case 'o':
    return write(chirt_object_of_word(word));
  case 'x':
    return failAt(site, UserFault, "JSON has no fields");
  case 'b':
    lines.out << (word & 1 ? "true" : "false");
    return true;
  case 'h':
  case 'g':
  case 'f':
  case 'd': {
    double value = floatOfWord(letter, word);
    if (value - value != 0)
      return failAt(site, UserFault, "JSON has no number %s",
                    value != value ? "nan"
                    : value > 0    ? "inf"
                                   : "-inf");
    break;
  }
  default:
    break;
  }
  char one[2] = {letter, 0};
  showWords(lines.out, valueTypeOf(one), &word);
  return true;
}

/// Tuples and vecs are arrays.
bool ObjectWriter::writeWords(const ValueType &type, const int64_t *words) {
  bool isFirst = true;
  for (const char *at = type.desc; *at; ++at) {
    if (*at == '{')
      return failAt(site, UserFault, "JSON has no complex numbers");
    bool opens = *at == '(' || *at == '[';
    bool closes = isBracket(*at) && !opens;
    if (!closes && !isFirst)
      lines.out << ", ";
    if (isBracket(*at))
      lines.out << (opens ? '[' : ']');
    else if (!writeWord(*at, *words++))
      return false;
    isFirst = opens;
  }
  return true;
}

/// Numbers become texts, as in Python.
bool ObjectWriter::writeKey(const ValueType &type, const int64_t *words) {
  if (type.width != 1 || isBracket(type.desc[0]))
    return failAt(site, UserFault,
                  "JSON has no keys of several numbers or strs");
  if (type.desc[0] == 's')
    return writeWord('s', *words);
  lines.out << '"';
  bool isGood = writeWord(type.desc[0], *words);
  lines.out << '"';
  return isGood;
}

bool ObjectWriter::writeList(const List &list) {
  bool isLong = holdsObjects(list.type);
  lines.begin('[', isLong);
  for (int64_t k = 0; k < list.size(); ++k) {
    lines.next(isLong);
    if (!writeWords(list.type, list.at(k)))
      return false;
  }
  lines.end(']', isLong, list.size() == 0);
  return true;
}

bool ObjectWriter::writeDict(const Dict &dict) {
  bool isLong = !dict.isSet || holdsObjects(dict.keys);
  lines.begin(dict.isSet ? '[' : '{', isLong);
  for (int64_t entry = 0; entry < dict.numEntries(); ++entry) {
    if (!dict.hashes[entry])
      continue;
    lines.next(isLong);
    if (!(dict.isSet ? writeWords(dict.keys, dict.key(entry))
                     : writeKey(dict.keys, dict.key(entry))))
      return false;
    if (dict.isSet)
      continue;
    lines.out << ": ";
    if (!writeWords(dict.values, dict.value(entry)))
      return false;
  }
  lines.end(dict.isSet ? ']' : '}', isLong, dict.living == 0);
  return true;
}

void appendJson(Text &out, const JsonDocument &document, uint32_t number,
                int64_t indent) {
  JsonLines lines(out, indent);
  NodeWriter(lines, document).write(number);
}

} // namespace chirt

using namespace chirt;

const char *chirt_json_of(const chirt_site *site, const chirt_object *object,
                          int64_t indent) {
  const char *made = nullptr;
  {
    Text out;
    JsonLines lines(out, indent);
    if (ObjectWriter(lines, site).write(object))
      made = makeStr(out);
  }
  if (!made)
    leave();
  return made;
}
