//===- JsonDocument.cpp ---------------------------------------------------===//
#include "chirt/containers/JsonDocument.h"

#include "chirt/chirt.h"
#include "chirt/params/Value.h"
#include "chirt/text/CodePoints.h"

namespace chirt {

/// The text of a value is written by recursion.
static constexpr size_t deepest = 512;

/// "config.json:3:14: …"
bool JsonDocument::fail(const char *what) {
  if (!problem.empty())
    return false; // the first one
  size_t column = 1;
  for (size_t k = lineStart; k < at && k < text.size(); ++k)
    column += (static_cast<unsigned char>(text[k]) & 0xc0) != 0x80;
  problem << source << ':' << line << ':' << column << ": " << what;
  return false;
}

void JsonDocument::skipSpaces() {
  for (; at < text.size(); ++at)
    if (text[at] == '\n') {
      ++line;
      lineStart = at + 1;
    } else if (text[at] != ' ' && text[at] != '\t' && text[at] != '\r') {
      return;
    }
}

JsonNode &JsonDocument::add(JsonNode::Kind kind) {
  pending.push(uint32_t(nodes.size()));
  nodes.push(JsonNode());
  nodes.back().kind = kind;
  nodes.back().line = line;
  return nodes.back();
}

bool JsonDocument::readWord(std::string_view word, JsonNode::Kind kind,
                            double value) {
  if (slice(text, at, word.size()) != word)
    return fail("expected a value");
  at += word.size();
  add(kind).number = value;
  return true;
}

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// -12.5e+3; no digit may follow a zero that comes first.
bool JsonDocument::readNumber() {
  size_t begin = at;
  auto digits = [&] {
    size_t first = at;
    while (at < text.size() && isDigit(text[at]))
      ++at;
    return at > first;
  };
  take('-');
  bool startsWithZero = at < text.size() && text[at] == '0';
  size_t first = at;
  if (!digits())
    return fail("expected a digit");
  if (startsWithZero && at > first + 1)
    return fail("a number begins with 0");
  bool isInteger = true;
  if (take('.')) {
    isInteger = false;
    if (!digits())
      return fail("expected a digit behind the point");
  }
  if (take('e') || take('E')) {
    isInteger = false;
    if (!take('+'))
      take('-');
    if (!digits())
      return fail("expected a digit in the exponent");
  }
  std::string_view written = slice(text, begin, at - begin);
  ParamScalar scalar;
  if (!parseScalar(written, CHIRT_F64, scalar) ||
      scalar.real - scalar.real != 0)
    return fail("the number is too large");
  JsonNode &node = add(JsonNode::Number);
  node.number = scalar.real;
  if (isInteger && parseScalar(written, CHIRT_I64, scalar)) {
    node.isInteger = true;
    node.integer = scalar.integer;
  }
  return true;
}

bool JsonDocument::readHex(uint32_t &unit) {
  unit = 0;
  for (int k = 0; k < 4; ++k) {
    char c = at < text.size() ? text[at] : 0;
    uint32_t digit = isDigit(c)               ? uint32_t(c - '0')
                     : (c >= 'a' && c <= 'f') ? uint32_t(c - 'a' + 10)
                     : (c >= 'A' && c <= 'F') ? uint32_t(c - 'A' + 10)
                                              : 16;
    if (digit == 16)
      return fail("expected four hexadecimal digits after `\\u`");
    unit = unit * 16 + digit;
    ++at;
  }
  return true;
}

/// What follows a backslash.
bool JsonDocument::readEscape() {
  char c = at < text.size() ? text[at] : 0;
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  size_t known = c ? letters.find(c) : letters.npos;
  if (known != letters.npos) {
    pool << meanings[known];
    ++at;
    return true;
  }
  if (!take('u'))
    return fail("there is no such escape");
  uint32_t point = 0, low = 0;
  if (!readHex(point))
    return false;
  if (point >= 0xd800 && point < 0xdc00) {
    bool isPair = take('\\') && take('u') && readHex(low) && low >= 0xdc00 &&
                  low < 0xe000;
    if (!isPair)
      return fail("half of a surrogate pair");
    point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
  } else if (point >= 0xdc00 && point < 0xe000) {
    return fail("half of a surrogate pair");
  }
  if (point == 0)
    return fail("a str cannot hold the character 0");
  appendPoint(pool, point);
  return true;
}

bool JsonDocument::readString() {
  JsonNode &node = add(JsonNode::String);
  node.first = pool.size();
  ++at;
  while (at < text.size() && text[at] != '"') {
    if (take('\\')) {
      if (!readEscape())
        return false;
      continue;
    }
    uint32_t point = 0;
    size_t size = decodeUtf8(slice(text, at), point);
    if (size == 0)
      return fail("this byte is no UTF-8");
    if (point < 0x20)
      return fail(point == '\n' ? "the string is not closed on its line"
                                : "a control character in a string");
    pool << slice(text, at, size);
    at += size;
  }
  if (!take('"'))
    return fail("the string is not closed");
  nodes.back().count = pool.size() - nodes.back().first;
  return true;
}

bool JsonDocument::readKey() {
  skipSpaces();
  if (at >= text.size() || text[at] != '"')
    return fail("expected a key in double quotes");
  if (!readString())
    return false;
  skipSpaces();
  return take(':') || fail("expected `:` after a key");
}

bool JsonDocument::open(JsonNode::Kind kind) {
  if (stack.size() >= deepest)
    return fail("the values nest deeper than 512 levels");
  ++at;
  uint32_t number = uint32_t(nodes.size());
  add(kind);
  pending.pop(); // it is a child when it is closed
  stack.push({number, pending.size()});
  return true;
}

/// The innermost array or object has all its children.
void JsonDocument::close() {
  Open opened = stack.back();
  stack.pop();
  JsonNode &node = nodes[opened.node];
  node.first = children.size();
  node.count = pending.size() - opened.begin;
  children.append(pending.data() + opened.begin, node.count);
  while (pending.size() > opened.begin)
    pending.pop();
  pending.push(opened.node);
}

/// `opens`: an array or object that has a first value.
bool JsonDocument::readValue(bool &opens) {
  opens = false;
  skipSpaces();
  char c = at < text.size() ? text[at] : 0;
  switch (c) {
  case '"':
    return readString();
  case 't':
    return readWord("true", JsonNode::Bool, 1);
  case 'f':
    return readWord("false", JsonNode::Bool, 0);
  case 'n':
    return readWord("null", JsonNode::Null, 0);
  case '[':
  case '{':
    break;
  default:
    if (c == '-' || isDigit(c))
      return readNumber();
    return fail(at >= text.size() ? "the text ends where a value is expected"
                                  : "expected a value");
  }
  if (!open(c == '[' ? JsonNode::Array : JsonNode::Object))
    return false;
  skipSpaces();
  if (take(c == '[' ? ']' : '}')) {
    close();
    return true;
  }
  opens = true;
  return c == '[' || readKey();
}

/// What follows a value: a comma and a key, or ends of arrays and objects.
bool JsonDocument::readAfter(bool &isDone) {
  isDone = false;
  while (!stack.empty()) {
    bool isArray = nodes[stack.back().node].kind == JsonNode::Array;
    skipSpaces();
    if (take(','))
      return isArray || readKey();
    if (!take(isArray ? ']' : '}'))
      return fail(at >= text.size() ? isArray ? "the array is not closed"
                                              : "the object is not closed"
                  : isArray         ? "expected `,` or `]`"
                                    : "expected `,` or `}`");
    close();
  }
  skipSpaces();
  isDone = true;
  return at == text.size() || fail("the text goes on after its value");
}

bool JsonDocument::read(std::string_view all) {
  text = all;
  if (text.starts_with("\xef\xbb\xbf")) // a byte order mark
    lineStart = at = 3;
  constexpr size_t most = size_t(1) << 31; // nodes have numbers of 32 bits
  if (text.size() > most)
    return fail("the text has more than 2 GiB");
  for (bool isDone = false; !isDone;) {
    bool opens = false;
    if (!readValue(opens) || (!opens && !readAfter(isDone)))
      return false;
  }
  // One value is pending: the whole.
  uint32_t whole = pending[0];
  nodes.push(nodes[whole]);
  text = {};
  return true;
}

const uint32_t *JsonDocument::find(const JsonNode &object,
                                   std::string_view key) const {
  for (uint64_t k = object.count; k >= 2; k -= 2)
    if (string(node(child(object, k - 2))) == key)
      return children.data() + object.first + k - 1;
  return nullptr;
}

} // namespace chirt
