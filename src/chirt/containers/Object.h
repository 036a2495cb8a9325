//===- Object.h - Lists, dicts, sets and text files -------------*- C++ -*-===//
// Objects of host code, which count their references. An object owns a
// reference to each handle in its values. The type of a value names those of
// what is in it, so that no object is in itself, and counting frees all.
#ifndef CHIRT_CONTAINERS_OBJECT_H
#define CHIRT_CONTAINERS_OBJECT_H

#include "chirt/containers/Words.h"
#include <cstdio>

struct chirt_object {
  enum Kind : uint8_t { List, Dict, File, Record };
  Kind kind;
  int64_t references = 1;

protected:
  constexpr explicit chirt_object(Kind kind) : kind(kind) {}
};

namespace chirt {

struct List : chirt_object {
  constexpr List() : chirt_object(chirt_object::List) {}
  ValueType type;
  Array<int64_t> words; ///< of all elements, and of one that is incomplete

  /// How many elements it has.
  int64_t size() const { return int64_t(words.size()) / type.width; }
  /// The words of an element.
  int64_t *at(int64_t index) { return words.data() + index * type.width; }
  const int64_t *at(int64_t index) const {
    return words.data() + index * type.width;
  }
};

/// A dict, or a set: its values have no words. Entries stand in the order in
/// which they came; a table finds them by their hashes.
struct Dict : chirt_object {
  constexpr Dict() : chirt_object(chirt_object::Dict) {}
  bool isSet = false;
  ValueType keys, values;
  Array<int64_t> words;   ///< of each entry its key, then its value
  Array<uint64_t> hashes; ///< of each entry; 0: it was dropped
  Array<int64_t> table;   ///< entries plus 1, 0: free; open addressing
  int64_t living = 0;     ///< entries that were not dropped

  /// The words of one entry.
  int64_t stride() const { return keys.width + values.width; }
  /// How many entries there are, with those that were dropped.
  int64_t numEntries() const { return int64_t(hashes.size()); }
  int64_t *key(int64_t entry) { return words.data() + entry * stride(); }
  const int64_t *key(int64_t entry) const {
    return words.data() + entry * stride();
  }
  int64_t *value(int64_t entry) { return key(entry) + keys.width; }
  const int64_t *value(int64_t entry) const { return key(entry) + keys.width; }
};

/// An object of a class.
struct Record : chirt_object {
  constexpr Record() : chirt_object(chirt_object::Record) {}
  ValueType type;
  const char *names = ""; ///< of the class and its members
  Array<int64_t> words;
};

struct TextFile : chirt_object {
  TextFile() : chirt_object(chirt_object::File) {}
  FILE *stream = nullptr; ///< null: closed
  Text path;
};

/// A new object with one reference.
template <typename T> T *makeObject() {
  void *memory = malloc(sizeof(T));
  if (!memory)
    outOfMemory();
  return new (memory) T();
}

/// A new list of such elements.
List *makeList(const char *desc);
/// A new list of strs.
inline List *makeStrList() { return makeList("s"); }
/// Appends a str, which the list owns from now on.
inline void pushStr(List &list, const char *text) {
  list.words.push(chirt_word_of_str(text));
}
/// What an object is; one that has no value yet is empty.
const List &listOf(const chirt_object *object);
const Dict &dictOf(const chirt_object *object);
/// The same of one that is changed. One that has no value yet ends the program.
List &changed(chirt_object *list);
Dict &changedDict(chirt_object *dict);

/// Appends an object of a class: "Solver(n=4, u=<field>)".
void showRecord(Text &out, const Record &record);
/// Gives up what it owns.
void destroyRecord(Record *record);
/// Whether two are equal: one with a field equals none but itself.
bool equalRecords(const Record &a, const Record &b);

/// Appends an object as `print` shows it.
void showObject(Text &out, const chirt_object *object);

/// The part of a sequence that a slice means, as Python has it: `count` places
/// from `first` on, `step` apart.
struct SlicePlaces {
  int64_t first = 0, count = 0, step = 1;
};
SlicePlaces slicePlaces(int64_t size, int32_t flags, int64_t begin, int64_t end,
                        int64_t step);

/// The entry of a key, or -1.
int64_t findEntry(const Dict &dict, const int64_t *key);
/// The same; a new one with a value of zeros if there is none.
int64_t makeEntry(Dict &dict, const int64_t *key);
/// Removes an entry, whose number is not used again before others are made.
void dropEntry(Dict &dict, int64_t entry);

} // namespace chirt
#endif // CHIRT_CONTAINERS_OBJECT_H
