//===- JsonValues.cpp - What programs read of JSON ------------------------===//
// A value is the number of its document and its own number in it. Documents
// live as long as the process.
#include "chirt/containers/JsonDocument.h"
#include "chirt/containers/Object.h"
#include "chirt/containers/Points.h"
#include "chirt/failure/Failure.h"
#include "chirt/text/Str.h"
#include <pthread.h>

namespace chirt {

namespace {
struct Documents {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Array<JsonDocument *> all;
};
[[clang::no_destroy]] constinit Documents documents;

int64_t keep(JsonDocument *document) {
  pthread_mutex_lock(&documents.lock);
  documents.all.push(document);
  int64_t number = int64_t(documents.all.size()) - 1;
  pthread_mutex_unlock(&documents.lock);
  return number << 32 | (document->size() - 1);
}

const JsonDocument &documentOf(int64_t value) {
  pthread_mutex_lock(&documents.lock);
  const JsonDocument *document = documents.all[size_t(value >> 32)];
  pthread_mutex_unlock(&documents.lock);
  return *document;
}

/// A value of the program: its document and its node.
struct Value {
  explicit Value(int64_t value)
      : document(documentOf(value)), node(document.node(uint32_t(value))),
        base(value >> 32 << 32) {}
  /// The same for another node of the document.
  int64_t sibling(uint32_t number) const { return base | number; }

  const JsonDocument &document;
  const JsonNode &node;
  int64_t base;
};

const char *describe(JsonNode::Kind kind) {
  switch (kind) {
  case JsonNode::Null:
    return "null";
  case JsonNode::Bool:
    return "a bool";
  case JsonNode::Number:
    return "a number";
  case JsonNode::String:
    return "a string";
  case JsonNode::Array:
    return "an array";
  case JsonNode::Object:
    return "an object";
  }
  return "";
}

/// Raises "config.json:3: the value is a string, not a number".
[[noreturn]] void refuse(const chirt_site *site, const Value &value,
                         const char *wanted) {
  std::string_view name = value.document.name();
  failAt(site, UserFault, "%.*s:%u: the value is %s, not %s", int(name.size()),
         name.data(), value.node.line, describe(value.node.kind), wanted);
  leave();
}

Value valueOf(const chirt_site *site, int64_t number, JsonNode::Kind kind) {
  Value value(number);
  if (value.node.kind != kind)
    refuse(site, value, describe(kind));
  return value;
}

/// Reads a text that is released then; raises if it is no JSON.
int64_t readText(const chirt_site *site, std::string_view name,
                 const char *text, bool isOwned, Fault fault) {
  void *memory = malloc(sizeof(JsonDocument));
  if (!memory)
    outOfMemory();
  auto *document = new (memory) JsonDocument(name);
  bool isGood = document->read(viewOf(text));
  if (isOwned)
    chirt_str_release(text);
  if (isGood)
    return keep(document);
  failAt(site, fault, "%s", document->problem.c_str());
  document->~JsonDocument();
  free(memory);
  leave();
}
} // namespace

} // namespace chirt

using namespace chirt;

int64_t chirt_json_load(const chirt_site *site, const char *path) {
  chirt_object *file = chirt_file_open(site, path, "r");
  const char *text = chirt_file_read(site, file);
  chirt_object_release(file);
  return readText(site, viewOf(path), text, /*isOwned=*/true, WorldFault);
}

int64_t chirt_json_parse(const chirt_site *site, const char *text) {
  return readText(site, "the text", text, /*isOwned=*/false, UserFault);
}

int32_t chirt_json_kind(int64_t value) { return Value(value).node.kind; }

int64_t chirt_json_length(const chirt_site *site, int64_t number) {
  Value value(number);
  bool isObject = value.node.kind == JsonNode::Object;
  if (!isObject && value.node.kind != JsonNode::Array)
    refuse(site, value, "an array or an object");
  return int64_t(value.node.count) / (isObject ? 2 : 1);
}

int32_t chirt_json_has(const chirt_site *site, int64_t number,
                       const char *key) {
  Value value = valueOf(site, number, JsonNode::Object);
  return value.document.find(value.node, viewOf(key)) != nullptr;
}

int64_t chirt_json_at(const chirt_site *site, int64_t number, const char *key) {
  Value value = valueOf(site, number, JsonNode::Object);
  if (const uint32_t *found = value.document.find(value.node, viewOf(key)))
    return value.sibling(*found);
  std::string_view name = value.document.name();
  failAt(site, UserFault, "%.*s:%u: the object has no key '%s'",
         int(name.size()), name.data(), value.node.line, key ? key : "");
  leave();
}

int64_t chirt_json_item(const chirt_site *site, int64_t number, int64_t index) {
  Value value = valueOf(site, number, JsonNode::Array);
  auto size = int64_t(value.node.count);
  int64_t place = index < 0 ? index + size : index;
  if (uint64_t(place) < uint64_t(size))
    return value.sibling(value.document.child(value.node, uint64_t(place)));
  std::string_view name = value.document.name();
  failAt(site, UserFault,
         "%.*s:%u: index %lld is out of range: the array has %lld %s",
         int(name.size()), name.data(), value.node.line,
         static_cast<long long>(index), static_cast<long long>(size),
         size == 1 ? "element" : "elements");
  leave();
}

double chirt_json_number(const chirt_site *site, int64_t number) {
  return valueOf(site, number, JsonNode::Number).node.number;
}

int64_t chirt_json_integer(const chirt_site *site, int64_t number) {
  Value value(number);
  if (value.node.kind != JsonNode::Number || !value.node.isInteger)
    refuse(site, value, "an integer");
  return value.node.integer;
}

int32_t chirt_json_bool(const chirt_site *site, int64_t number) {
  return valueOf(site, number, JsonNode::Bool).node.number != 0;
}

const char *chirt_json_str(const chirt_site *site, int64_t number) {
  Value value = valueOf(site, number, JsonNode::String);
  return makeStr(value.document.string(value.node));
}

chirt_object *chirt_json_keys(const chirt_site *site, int64_t number) {
  Value value = valueOf(site, number, JsonNode::Object);
  List *keys = makeStrList();
  for (uint64_t k = 0; k < value.node.count; k += 2) {
    const JsonNode &key =
        value.document.node(value.document.child(value.node, k));
    pushStr(*keys, makeStr(value.document.string(key)));
  }
  return keys;
}

const char *chirt_json_text(int64_t number, int64_t indent) {
  Text out;
  appendJson(out, documentOf(number), uint32_t(number), indent);
  return makeStr(out);
}
