//===- Words.h - Values in lists and dicts ----------------------*- C++ -*-===//
// A value is one word of 8 bytes for each of its scalars and handles, and a
// description says what they are (api.def, Objects): "(s[ff])".
#ifndef CHIRT_CONTAINERS_WORDS_H
#define CHIRT_CONTAINERS_WORDS_H

#include "chirt/chirt.h"
#include "chirt/text/Text.h"

namespace chirt {

/// The most words of one value.
constexpr int64_t kMaxWords = 32;

/// What the values of an object are.
struct ValueType {
  const char *desc = "";
  int64_t width = 0; ///< words
  bool hasHandles = false;
};

/// Reads a description, which lives as long as the program.
ValueType valueTypeOf(const char *desc);

/// Adds a reference to each handle of a value.
void retainWords(const ValueType &type, const int64_t *words);
/// Gives up one of each.
void releaseWords(const ValueType &type, const int64_t *words);
/// Whether two values are equal: strs by their texts, objects by their
/// elements; NaN equals nothing.
bool equalWords(const ValueType &type, const int64_t *a, const int64_t *b);
/// The order of two values by the first words that differ: < 0, 0 or > 0.
int compareWords(const ValueType &type, const int64_t *a, const int64_t *b);
/// Equal values have one hash. Objects have none.
uint64_t hashWords(const ValueType &type, const int64_t *words);
/// Appends a text in quotes, as Python's repr.
void showText(Text &out, std::string_view text);
/// Appends a value as `print` shows it in a list: strs in quotes. `names`: of a
/// class and its members, if it is an object of one.
void showWords(Text &out, const ValueType &type, const int64_t *words,
               const char *names = nullptr);
/// The letter of a word in a description.
char letterOfWord(const char *desc, int64_t number);
/// Adds a reference to the handle of such a letter, or gives one up.
void retainWord(char letter, int64_t word);
void releaseWord(char letter, int64_t word);
/// The value of a float's word; `letter` is h, g, f or d.
double floatOfWord(char letter, int64_t word);

/// The words that chirt_word gathered on this thread; none are left.
const int64_t *takeWords();
/// A copy of a description that lives as long as the process, one for all that
/// are equal.
const char *keptDescription(std::string_view desc);

} // namespace chirt
#endif // CHIRT_CONTAINERS_WORDS_H
