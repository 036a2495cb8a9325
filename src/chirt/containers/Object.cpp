//===- Object.cpp ---------------------------------------------------------===//
#include "chirt/containers/Object.h"

#include "chirt/failure/Failure.h"
#include "chirt/text/Str.h"

namespace chirt {

List *makeList(const char *desc) {
  List *list = makeObject<List>();
  list->type = valueTypeOf(desc);
  return list;
}

namespace {
/// What stands for an object without a value.
struct Nothing {
  List list;
  Dict dict;
  constexpr Nothing() { list.type.width = 1; }
};
[[clang::no_destroy]] constinit Nothing nothing;
} // namespace

const List &listOf(const chirt_object *object) {
  return object ? *static_cast<const List *>(object) : nothing.list;
}

const Dict &dictOf(const chirt_object *object) {
  return object ? *static_cast<const Dict *>(object) : nothing.dict;
}

[[noreturn]] static void refuseNothing() {
  failAt(nullptr, UserFault,
         "a list, dict or set is changed before it is made");
  leave();
}

List &changed(chirt_object *list) {
  if (!list)
    refuseNothing();
  return *static_cast<List *>(list);
}

Dict &changedDict(chirt_object *dict) {
  if (!dict)
    refuseNothing();
  return *static_cast<Dict *>(dict);
}

static void showList(Text &out, const List &list) {
  out << '[';
  for (int64_t k = 0; k < list.size(); ++k) {
    out << (k ? ", " : "");
    showWords(out, list.type, list.at(k));
  }
  out << ']';
}

static void showDict(Text &out, const Dict &dict) {
  if (dict.isSet && dict.living == 0) {
    out << "set()";
    return;
  }
  out << '{';
  bool isFirst = true;
  for (int64_t entry = 0; entry < dict.numEntries(); ++entry) {
    if (!dict.hashes[entry])
      continue;
    out << (isFirst ? "" : ", ");
    isFirst = false;
    showWords(out, dict.keys, dict.key(entry));
    if (dict.isSet)
      continue;
    out << ": ";
    showWords(out, dict.values, dict.value(entry));
  }
  out << '}';
}

void showObject(Text &out, const chirt_object *object) {
  if (!object)
    out << "[]";
  else if (object->kind == chirt_object::List)
    showList(out, listOf(object));
  else if (object->kind == chirt_object::Dict)
    showDict(out, dictOf(object));
  else if (object->kind == chirt_object::Record)
    showRecord(out, *static_cast<const Record *>(object));
  else
    out << "<file " << static_cast<const TextFile *>(object)->path << '>';
}

SlicePlaces slicePlaces(int64_t size, int32_t flags, int64_t begin, int64_t end,
                        int64_t step) {
  auto cut = [&](int64_t place) {
    if (place < 0)
      place = place < -size ? -1 : place + size;
    int64_t least = step < 0 ? -1 : 0, most = step < 0 ? size - 1 : size;
    if (place < 0)
      place = least;
    return place > most ? most : place;
  };
  SlicePlaces places;
  places.step = step;
  places.first = flags & CHIRT_SLICE_BEGIN ? cut(begin)
                 : step < 0                ? size - 1
                                           : 0;
  int64_t last = flags & CHIRT_SLICE_END ? cut(end) : step < 0 ? -1 : size;
  uint64_t distance =
      step < 0 ? uint64_t(places.first - last) : uint64_t(last - places.first);
  bool isEmpty = step < 0 ? places.first <= last : last <= places.first;
  uint64_t width = step < 0 ? -uint64_t(step) : uint64_t(step);
  places.count = isEmpty ? 0 : int64_t((distance - 1) / width + 1);
  return places;
}

static void destroyList(List *list) {
  if (list->type.hasHandles)
    for (int64_t k = 0; k < list->size(); ++k)
      releaseWords(list->type, list->at(k));
  list->~List();
}

static void destroyDict(Dict *dict) {
  if (dict->keys.hasHandles || dict->values.hasHandles)
    for (int64_t entry = 0; entry < dict->numEntries(); ++entry)
      if (dict->hashes[entry]) {
        releaseWords(dict->keys, dict->key(entry));
        releaseWords(dict->values, dict->value(entry));
      }
  dict->~Dict();
}

static void destroyFile(TextFile *file) {
  if (file->stream)
    fclose(file->stream);
  file->~TextFile();
}

} // namespace chirt

using namespace chirt;

void chirt_object_retain(chirt_object *object) {
  if (object)
    __atomic_fetch_add(&object->references, 1, __ATOMIC_RELAXED);
}

void chirt_object_release(chirt_object *object) {
  if (!object ||
      __atomic_fetch_sub(&object->references, 1, __ATOMIC_ACQ_REL) != 1)
    return;
  if (object->kind == chirt_object::List)
    destroyList(static_cast<List *>(object));
  else if (object->kind == chirt_object::Dict)
    destroyDict(static_cast<Dict *>(object));
  else if (object->kind == chirt_object::Record)
    destroyRecord(static_cast<Record *>(object));
  else
    destroyFile(static_cast<TextFile *>(object));
  free(object);
}

int64_t chirt_object_length(const chirt_object *object) {
  if (!object)
    return 0;
  return object->kind == chirt_object::List ? listOf(object).size()
                                            : dictOf(object).living;
}

const char *chirt_str_quoted(const char *text) {
  Text out;
  showText(out, text ? text : "");
  return makeStr(out);
}

const char *chirt_object_text(const chirt_object *object) {
  Text out;
  showObject(out, object);
  return makeStr(out);
}

static bool equalDicts(const Dict &a, const Dict &b) {
  if (a.living != b.living)
    return false;
  for (int64_t entry = 0; entry < a.numEntries(); ++entry) {
    if (!a.hashes[entry])
      continue;
    int64_t other = findEntry(b, a.key(entry));
    if (other < 0 || !equalWords(a.values, a.value(entry), b.value(other)))
      return false;
  }
  return true;
}

int32_t chirt_object_equal(const chirt_object *a, const chirt_object *b) {
  bool isRecord = a && b && a->kind == chirt_object::Record;
  if (isRecord)
    return equalRecords(*static_cast<const Record *>(a),
                        *static_cast<const Record *>(b));
  bool isDict = (a && a->kind == chirt_object::Dict) ||
                (b && b->kind == chirt_object::Dict);
  if (isDict)
    return equalDicts(dictOf(a), dictOf(b));
  const List &x = listOf(a), &y = listOf(b);
  if (x.size() != y.size())
    return false;
  for (int64_t k = 0; k < x.size(); ++k)
    if (!equalWords(x.type, x.at(k), y.at(k)))
      return false;
  return true;
}

chirt_object *chirt_object_copy(const chirt_object *object) {
  if (object && object->kind == chirt_object::Dict) {
    const Dict &dict = dictOf(object);
    Dict *copy = makeObject<Dict>();
    copy->isSet = dict.isSet;
    copy->keys = dict.keys, copy->values = dict.values;
    chirt_dict_update(copy, object);
    return copy;
  }
  const List &list = listOf(object);
  List *copy = makeList(list.type.desc);
  copy->type = list.type;
  chirt_list_extend(copy, object);
  return copy;
}

void chirt_object_clear(chirt_object *object) {
  if (object && object->kind == chirt_object::Dict) {
    Dict &dict = changedDict(object);
    for (int64_t entry = 0; entry < dict.numEntries(); ++entry)
      if (dict.hashes[entry])
        dropEntry(dict, entry);
    dict.words.clear(), dict.hashes.clear();
    Array<int64_t> none;
    dict.table.swap(none);
    return;
  }
  List &list = changed(object);
  // What a release frees does not reach this list.
  Array<int64_t> old;
  old.swap(list.words);
  if (list.type.hasHandles)
    for (size_t at = 0; at + list.type.width <= old.size();
         at += size_t(list.type.width))
      releaseWords(list.type, old.data() + at);
}
