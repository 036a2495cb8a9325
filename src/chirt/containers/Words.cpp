//===- Words.cpp ----------------------------------------------------------===//
#include "chirt/containers/Words.h"

#include "chirt/containers/Object.h"
#include "chirt/text/Element.h"
#include "chirt/text/Format.h"
#include <pthread.h>

namespace chirt {

static bool isBracket(char letter) {
  return letter == '(' || letter == ')' || letter == '[' || letter == ']' ||
         letter == '{' || letter == '}';
}

static bool isFloat(char letter) {
  return letter == 'h' || letter == 'g' || letter == 'f' || letter == 'd';
}

static int32_t dtypeOfLetter(char letter) {
  return letter == 'h'   ? CHIRT_F16
         : letter == 'g' ? CHIRT_BF16
         : letter == 'f' ? CHIRT_F32
         : letter == 'd' ? CHIRT_F64
         : letter == 'u' ? CHIRT_U64
         : letter == 'b' ? CHIRT_BOOL
                         : CHIRT_I64;
}

static const char *textOf(int64_t word) {
  auto *text = reinterpret_cast<const char *>(word);
  return text ? text : "";
}

static chirt_object *objectOf(int64_t word) {
  return reinterpret_cast<chirt_object *>(word);
}

ValueType valueTypeOf(const char *desc) {
  ValueType type;
  type.desc = desc;
  for (const char *at = desc; *at; ++at) {
    type.width += !isBracket(*at);
    type.hasHandles |= *at == 's' || *at == 'x' || *at == 'o';
  }
  return type;
}

double floatOfWord(char letter, int64_t word) {
  double value = 0;
  castScalars(dtypeOfLetter(letter), &word, CHIRT_F64, &value, 1);
  return value;
}

/// Calls `visit` with the letter and the word of each handle.
template <typename Visit>
static void eachHandle(const ValueType &type, const int64_t *words,
                       Visit visit) {
  if (!type.hasHandles)
    return;
  for (const char *at = type.desc; *at; ++at) {
    if (isBracket(*at))
      continue;
    if (*at == 's' || *at == 'x' || *at == 'o')
      visit(*at, *words);
    ++words;
  }
}

void retainWord(char letter, int64_t word) {
  if (letter == 's')
    chirt_str_retain(reinterpret_cast<const char *>(word));
  else if (letter == 'x')
    chirt_field_retain(reinterpret_cast<chirt_field *>(word));
  else if (letter == 'o')
    chirt_object_retain(objectOf(word));
}

void releaseWord(char letter, int64_t word) {
  if (letter == 's')
    chirt_str_release(reinterpret_cast<const char *>(word));
  else if (letter == 'x')
    chirt_field_release(reinterpret_cast<chirt_field *>(word));
  else if (letter == 'o')
    chirt_object_release(objectOf(word));
}

char letterOfWord(const char *desc, int64_t number) {
  while (isBracket(*desc) || number-- > 0)
    ++desc;
  return *desc;
}

void retainWords(const ValueType &type, const int64_t *words) {
  eachHandle(type, words, retainWord);
}

void releaseWords(const ValueType &type, const int64_t *words) {
  eachHandle(type, words, releaseWord);
}

static int compareNumbers(auto a, auto b) { return (a > b) - (a < b); }

static int compareWord(char letter, int64_t a, int64_t b) {
  if (isFloat(letter))
    return compareNumbers(floatOfWord(letter, a), floatOfWord(letter, b));
  if (letter == 's')
    return strcmp(textOf(a), textOf(b));
  if (letter == 'o')
    return chirt_list_compare(objectOf(a), objectOf(b));
  return letter == 'u' ? compareNumbers(uint64_t(a), uint64_t(b))
                       : compareNumbers(a, b);
}

static bool equalWord(char letter, int64_t a, int64_t b) {
  if (isFloat(letter))
    return floatOfWord(letter, a) == floatOfWord(letter, b);
  if (letter == 's')
    return a == b || strcmp(textOf(a), textOf(b)) == 0;
  if (letter == 'o')
    return chirt_object_equal(objectOf(a), objectOf(b));
  return a == b;
}

bool equalWords(const ValueType &type, const int64_t *a, const int64_t *b) {
  for (const char *at = type.desc; *at; ++at)
    if (!isBracket(*at) && !equalWord(*at, *a++, *b++))
      return false;
  return true;
}

int compareWords(const ValueType &type, const int64_t *a, const int64_t *b) {
  for (const char *at = type.desc; *at; ++at)
    if (!isBracket(*at))
      if (int order = compareWord(*at, *a++, *b++))
        return order;
  return 0;
}

uint64_t hashWords(const ValueType &type, const int64_t *words) {
  uint64_t hash = 0x9e3779b97f4a7c15;
  auto mix = [&](uint64_t bits) {
    hash = (hash ^ bits) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  };
  for (const char *at = type.desc; *at; ++at) {
    if (isBracket(*at))
      continue;
    int64_t word = *words++;
    if (*at == 's') {
      for (const char *c = textOf(word); *c; ++c) // FNV-1a
        hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3;
      mix(0);
    } else if (isFloat(*at)) {
      double value = floatOfWord(*at, word) + 0.0; // of -0.0 as of 0.0
      memcpy(&word, &value, sizeof(word));
      mix(uint64_t(word));
    } else {
      mix(uint64_t(word));
    }
  }
  return hash;
}

void showText(Text &out, std::string_view text) {
  bool hasSingle = text.find('\'') != text.npos;
  char quote = hasSingle && text.find('"') == text.npos ? '"' : '\'';
  out << quote;
  for (char c : text) {
    if (c == quote || c == '\\')
      out << '\\' << c;
    else if (c == '\n')
      out << "\\n";
    else if (c == '\t')
      out << "\\t";
    else if (c == '\r')
      out << "\\r";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out.appendf("\\x%02x", static_cast<unsigned char>(c));
    else
      out << c;
  }
  out << quote;
}

static void showWord(Text &out, char letter, int64_t word) {
  if (letter == 's')
    return showText(out, textOf(word));
  if (letter == 'o')
    return showObject(out, objectOf(word));
  if (letter == 'x') {
    out << "<field>";
    return;
  }
  formatScalar(out, dtypeOfLetter(letter), &word, FormatSpec());
}

/// Appends the next of some names, and what follows it.
static void showName(Text &out, const char *&names, const char *after) {
  size_t length = strcspn(names, " ");
  out << std::string_view(names, length) << after;
  names += length + (names[length] == ' ');
}

void showWords(Text &out, const ValueType &type, const int64_t *words,
               const char *names) {
  bool isFirst = true;
  int depth = 0;
  if (names)
    showName(out, names, "");
  for (const char *at = type.desc; *at; ++at) {
    bool closes = *at == ')' || *at == ']';
    if (!closes && !isFirst)
      out << ", ";
    if (!closes && names && depth == 1)
      showName(out, names, "=");
    if (*at == '{') { // "{ff}": a complex number
      formatComplex(out, floatOfWord(at[1], words[0]),
                    floatOfWord(at[1], words[1]), dtypeOfLetter(at[1]),
                    FormatSpec());
      words += 2, at += 3;
    } else if (isBracket(*at)) {
      depth += closes ? -1 : 1;
      // A tuple of one member has a comma.
      bool isSingle = *at == ')' && at - 2 >= type.desc && at[-2] == '(';
      if (isSingle && !(names && depth == 0))
        out << ',';
      out << *at;
    } else {
      showWord(out, *at, *words++);
    }
    isFirst = *at == '(' || *at == '[';
  }
}

namespace {
struct Gathered {
  int64_t words[kMaxWords];
  int64_t count;
};
constinit thread_local Gathered gathered = {};
} // namespace

const int64_t *takeWords() {
  gathered.count = 0;
  return gathered.words;
}

namespace {
struct Descriptions {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Array<char *> all;
};
[[clang::no_destroy]] constinit Descriptions descriptions;
} // namespace

const char *keptDescription(std::string_view desc) {
  pthread_mutex_lock(&descriptions.lock);
  char *kept = nullptr;
  for (char *known : descriptions.all)
    if (desc == known)
      kept = known;
  if (!kept) {
    kept = static_cast<char *>(malloc(desc.size() + 1));
    if (!kept)
      outOfMemory();
    memcpy(kept, desc.data(), desc.size());
    kept[desc.size()] = '\0';
    descriptions.all.push(kept);
  }
  pthread_mutex_unlock(&descriptions.lock);
  return kept;
}

} // namespace chirt

using namespace chirt;

void chirt_word(int64_t word) {
  if (gathered.count < kMaxWords)
    gathered.words[gathered.count++] = word;
}

int64_t chirt_word_of_str(const char *text) {
  return reinterpret_cast<int64_t>(text);
}
const char *chirt_str_of_word(int64_t word) {
  return reinterpret_cast<const char *>(word);
}
int64_t chirt_word_of_field(chirt_field *field) {
  return reinterpret_cast<int64_t>(field);
}
chirt_field *chirt_field_of_word(int64_t word) {
  return reinterpret_cast<chirt_field *>(word);
}
int64_t chirt_word_of_object(chirt_object *object) {
  return reinterpret_cast<int64_t>(object);
}
chirt_object *chirt_object_of_word(int64_t word) {
  return reinterpret_cast<chirt_object *>(word);
}
