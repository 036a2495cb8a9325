//===- Record.cpp - Objects of classes ------------------------------------===//
#include "chirt/containers/Object.h"
#include "chirt/failure/Failure.h"

namespace chirt {

void showRecord(Text &out, const Record &record) {
  showWords(out, record.type, record.words.data(), record.names);
}

void destroyRecord(Record *record) {
  releaseWords(record->type, record->words.data());
  record->~Record();
}

bool equalRecords(const Record &a, const Record &b) {
  if (&a == &b)
    return true;
  return !strchr(a.type.desc, 'x') &&
         equalWords(a.type, a.words.data(), b.words.data());
}

/// The name of the member that has the word.
static std::string_view memberOf(const Record &record, int64_t number) {
  const char *names = record.names;
  int depth = 0;
  auto skip = [&] { names += strcspn(names, " "), names += *names == ' '; };
  for (const char *at = record.type.desc; *at; ++at) {
    bool opens = *at == '(' || *at == '[' || *at == '{';
    bool closes = *at == ')' || *at == ']' || *at == '}';
    if (depth == 1 && !closes)
      skip(); // to the name of this member
    depth += opens - closes;
    if (!opens && !closes && number-- == 0)
      break;
  }
  return {names, strcspn(names, " ")};
}

} // namespace chirt

using namespace chirt;

chirt_object *chirt_record_new(const char *desc, const char *names) {
  Record *record = makeObject<Record>();
  record->type = valueTypeOf(desc);
  record->names = names;
  record->words.resize(size_t(record->type.width));
  return record;
}

int64_t chirt_record_at(const chirt_site *site, const chirt_object *object,
                        int64_t number) {
  if (object) [[likely]] {
    auto &record = *static_cast<const Record *>(object);
    int64_t word = record.words[size_t(number)];
    if (word || !record.type.hasHandles) [[likely]]
      return word;
    char letter = letterOfWord(record.type.desc, number);
    if (letter != 'x' && letter != 'o')
      return word;
    std::string_view member = memberOf(record, number);
    failAt(site, UserFault, "`%.*s` of `%.*s` is used before it is assigned",
           int(member.size()), member.data(), int(strcspn(record.names, " ")),
           record.names);
  } else {
    failAt(site, UserFault, "an object is used before it is made");
  }
  leave();
}

void chirt_record_put(chirt_object *object, int64_t number, int64_t word) {
  auto &record = *static_cast<Record *>(object);
  int64_t &place = record.words[size_t(number)];
  int64_t old = place;
  if (!record.type.hasHandles) {
    place = word;
    return;
  }
  char letter = letterOfWord(record.type.desc, number);
  retainWord(letter, word);
  place = word;
  releaseWord(letter, old);
}
