//===- Dict.cpp - Dicts and sets ------------------------------------------===//
#include "chirt/containers/Object.h"
#include "chirt/failure/Failure.h"

namespace chirt {

/// The hash as it is kept: not 0.
static uint64_t hashOf(const Dict &dict, const int64_t *key) {
  return hashWords(dict.keys, key) | 1;
}

static size_t homeOf(const Dict &dict, uint64_t hash) {
  return size_t(hash >> 1) & (dict.table.size() - 1);
}

int64_t findEntry(const Dict &dict, const int64_t *key) {
  if (dict.table.empty())
    return -1;
  uint64_t hash = hashOf(dict, key);
  size_t at = homeOf(dict, hash);
  while (int64_t entry = dict.table[at]) {
    --entry;
    if (dict.hashes[entry] == hash &&
        equalWords(dict.keys, dict.key(entry), key))
      return entry;
    at = (at + 1) & (dict.table.size() - 1);
  }
  return -1;
}

static void enter(Dict &dict, int64_t entry) {
  size_t at = homeOf(dict, dict.hashes[entry]);
  while (dict.table[at])
    at = (at + 1) & (dict.table.size() - 1);
  dict.table[at] = entry + 1;
}

/// Makes room for one more entry: forgets those that were dropped, and makes a
/// table that is at most a quarter full.
static void rebuild(Dict &dict) {
  Array<int64_t> words;
  Array<uint64_t> hashes;
  for (int64_t entry = 0; entry < dict.numEntries(); ++entry)
    if (dict.hashes[entry]) {
      words.append(dict.key(entry), size_t(dict.stride()));
      hashes.push(dict.hashes[entry]);
    }
  dict.words.swap(words), dict.hashes.swap(hashes);
  size_t wanted = 8;
  while (wanted < size_t(dict.living + 1) * 4)
    wanted *= 2;
  Array<int64_t> table;
  table.resize(wanted);
  dict.table.swap(table);
  for (int64_t entry = 0; entry < dict.numEntries(); ++entry)
    enter(dict, entry);
}

int64_t makeEntry(Dict &dict, const int64_t *key) {
  int64_t known = findEntry(dict, key);
  if (known >= 0)
    return known;
  if ((dict.hashes.size() + 1) * 2 > dict.table.size())
    rebuild(dict);
  int64_t entry = dict.numEntries();
  dict.hashes.push(hashOf(dict, key));
  dict.words.append(key, size_t(dict.keys.width));
  retainWords(dict.keys, key);
  for (int64_t k = 0; k < dict.values.width; ++k)
    dict.words.push(0);
  ++dict.living;
  enter(dict, entry);
  return entry;
}

void dropEntry(Dict &dict, int64_t entry) {
  int64_t old[2 * kMaxWords];
  memcpy(old, dict.key(entry), size_t(dict.stride()) * sizeof(int64_t));
  dict.hashes[entry] = 0;
  --dict.living;
  releaseWords(dict.keys, old);
  releaseWords(dict.values, old + dict.keys.width);
}

static Dict *makeLike(const Dict &dict) {
  Dict *made = makeObject<Dict>();
  made->isSet = dict.isSet;
  made->keys = dict.keys, made->values = dict.values;
  return made;
}

static void addAll(Dict &to, const Dict &from) {
  for (int64_t k = 0; k < from.numEntries(); ++k) {
    if (!from.hashes[k])
      continue;
    int64_t entry = makeEntry(to, from.key(k));
    retainWords(from.values, from.value(k));
    releaseWords(to.values, to.value(entry));
    if (from.values.width)
      memcpy(to.value(entry), from.value(k),
             size_t(from.values.width) * sizeof(int64_t));
  }
}

} // namespace chirt

using namespace chirt;

chirt_object *chirt_dict_new(const char *keys, const char *values) {
  Dict *dict = makeObject<Dict>();
  dict->keys = valueTypeOf(keys);
  dict->values = valueTypeOf(values);
  dict->isSet = dict->values.width == 0;
  return dict;
}

int64_t chirt_dict_find(const chirt_object *object) {
  const Dict &dict = dictOf(object);
  return findEntry(dict, takeWords());
}

int32_t chirt_dict_has(const chirt_object *object) {
  return chirt_dict_find(object) >= 0;
}

int64_t chirt_dict_get(const chirt_site *site, const chirt_object *object) {
  const Dict &dict = dictOf(object);
  const int64_t *key = takeWords();
  int64_t entry = findEntry(dict, key);
  if (entry >= 0)
    return entry;
  {
    Text shown;
    showWords(shown, dict.keys, key);
    failAt(site, UserFault, "the %s has no %s %s", dict.isSet ? "set" : "dict",
           dict.isSet ? "element" : "key", shown.c_str());
  }
  leave();
}

int64_t chirt_dict_make(chirt_object *object) {
  Dict &dict = changedDict(object);
  return makeEntry(dict, takeWords());
}

int64_t chirt_dict_first(const chirt_site *site, const chirt_object *object) {
  const Dict &dict = dictOf(object);
  for (int64_t entry = 0; entry < dict.numEntries(); ++entry)
    if (dict.hashes[entry])
      return entry;
  failAt(site, UserFault, "`pop` of an empty %s", dict.isSet ? "set" : "dict");
  leave();
}

chirt_object *chirt_dict_last_key(const chirt_site *site,
                                  const chirt_object *object) {
  const Dict &dict = dictOf(object);
  for (int64_t entry = dict.numEntries() - 1; entry >= 0; --entry)
    if (dict.hashes[entry]) {
      List *list = makeList(dict.keys.desc);
      list->words.append(dict.key(entry), size_t(dict.keys.width));
      retainWords(dict.keys, dict.key(entry));
      return list;
    }
  failAt(site, UserFault, "`popitem` of an empty dict");
  leave();
}

int64_t chirt_dict_key(const chirt_object *dict, int64_t entry, int64_t word) {
  return dictOf(dict).key(entry)[word];
}

int64_t chirt_dict_value(const chirt_object *dict, int64_t entry,
                         int64_t word) {
  return dictOf(dict).value(entry)[word];
}

void chirt_dict_put(chirt_object *object, int64_t entry, int64_t number,
                    int64_t word) {
  Dict &dict = changedDict(object);
  int64_t *place = dict.value(entry) + number;
  if (!dict.values.hasHandles) {
    *place = word;
    return;
  }
  // What the others own stays as it is.
  int64_t now[kMaxWords] = {}, old[kMaxWords] = {};
  now[number] = word;
  old[number] = *place;
  retainWords(dict.values, now);
  *place = word;
  releaseWords(dict.values, old);
}

void chirt_dict_drop(chirt_object *object, int64_t entry) {
  dropEntry(changedDict(object), entry);
}

void chirt_dict_discard(chirt_object *object) {
  int64_t entry = chirt_dict_find(object);
  if (entry >= 0)
    dropEntry(changedDict(object), entry);
}

chirt_object *chirt_dict_keys(const chirt_object *object) {
  const Dict &dict = dictOf(object);
  List *list = makeList(dict.keys.desc);
  for (int64_t entry = 0; entry < dict.numEntries(); ++entry)
    if (dict.hashes[entry]) {
      list->words.append(dict.key(entry), size_t(dict.keys.width));
      retainWords(dict.keys, dict.key(entry));
    }
  return list;
}

chirt_object *chirt_dict_values(const chirt_object *object) {
  const Dict &dict = dictOf(object);
  List *list = makeList(dict.values.desc);
  for (int64_t entry = 0; entry < dict.numEntries(); ++entry)
    if (dict.hashes[entry]) {
      list->words.append(dict.value(entry), size_t(dict.values.width));
      retainWords(dict.values, dict.value(entry));
    }
  return list;
}

chirt_object *chirt_dict_items(const chirt_object *object) {
  const Dict &dict = dictOf(object);
  Text desc;
  desc << '(' << dict.keys.desc << dict.values.desc << ')';
  List *list = makeList(keptDescription(desc));
  for (int64_t entry = 0; entry < dict.numEntries(); ++entry)
    if (dict.hashes[entry]) {
      list->words.append(dict.key(entry), size_t(dict.stride()));
      retainWords(dict.keys, dict.key(entry));
      retainWords(dict.values, dict.value(entry));
    }
  return list;
}

void chirt_dict_update(chirt_object *dict, const chirt_object *other) {
  if (dict != other)
    addAll(changedDict(dict), dictOf(other));
}

chirt_object *chirt_set_of(const chirt_object *object) {
  const List &list = listOf(object);
  Dict *set = makeObject<Dict>();
  set->keys = list.type;
  set->isSet = true;
  for (int64_t k = 0; k < list.size(); ++k)
    makeEntry(*set, list.at(k));
  return set;
}

chirt_object *chirt_set_combine(const chirt_object *a, const chirt_object *b,
                                int32_t operation) {
  const Dict &left = dictOf(a), &right = dictOf(b);
  Dict *made = makeLike(left);
  for (int64_t entry = 0; entry < left.numEntries(); ++entry) {
    if (!left.hashes[entry])
      continue;
    bool isShared =
        operation != CHIRT_SET_UNION && findEntry(right, left.key(entry)) >= 0;
    if (operation == CHIRT_SET_UNION ||
        isShared == (operation == CHIRT_SET_COMMON))
      makeEntry(*made, left.key(entry));
  }
  bool takesRight =
      operation == CHIRT_SET_UNION || operation == CHIRT_SET_EITHER;
  for (int64_t entry = 0; takesRight && entry < right.numEntries(); ++entry)
    if (right.hashes[entry] && findEntry(left, right.key(entry)) < 0)
      makeEntry(*made, right.key(entry));
  return made;
}

int32_t chirt_set_within(const chirt_object *a, const chirt_object *b) {
  const Dict &left = dictOf(a), &right = dictOf(b);
  for (int64_t entry = 0; entry < left.numEntries(); ++entry)
    if (left.hashes[entry] && findEntry(right, left.key(entry)) < 0)
      return false;
  return true;
}

int32_t chirt_set_disjoint(const chirt_object *a, const chirt_object *b) {
  const Dict &left = dictOf(a), &right = dictOf(b);
  for (int64_t entry = 0; entry < left.numEntries(); ++entry)
    if (left.hashes[entry] && findEntry(right, left.key(entry)) >= 0)
      return false;
  return true;
}
