//===- List.cpp -----------------------------------------------------------===//
#include "chirt/containers/Object.h"
#include "chirt/failure/Failure.h"

namespace chirt {

/// The place that an index names; outside of the list it raises.
static int64_t placeOf(const chirt_site *site, const List &list,
                       int64_t index) {
  int64_t size = list.size();
  int64_t place = index < 0 ? index + size : index;
  if (uint64_t(place) < uint64_t(size)) [[likely]]
    return place;
  failAt(site, UserFault, "index %lld is out of range: the list has %lld %s",
         static_cast<long long>(index), static_cast<long long>(size),
         size == 1 ? "element" : "elements");
  leave();
}

static void append(List &to, const List &from, int64_t first, int64_t count) {
  to.words.reserve(to.words.size() + size_t(count * from.type.width));
  to.words.append(from.at(first), size_t(count * from.type.width));
  if (from.type.hasHandles)
    for (int64_t k = 0; k < count; ++k)
      retainWords(from.type, from.at(first + k));
}

static List *makeLike(const List &list) {
  List *made = makeObject<List>();
  made->type = list.type;
  return made;
}

static int64_t find(const List &list, const int64_t *value) {
  for (int64_t k = 0; k < list.size(); ++k)
    if (equalWords(list.type, list.at(k), value))
      return k;
  return -1;
}

/// The same; raises where there is none.
static int64_t findOrRaise(const chirt_site *site, const List &list) {
  const int64_t *value = takeWords();
  int64_t place = find(list, value);
  if (place >= 0)
    return place;
  {
    Text shown;
    showWords(shown, list.type, value);
    failAt(site, UserFault, "%s is not in the list", shown.c_str());
  }
  leave();
}

static void removeAt(List &list, int64_t place) {
  int64_t old[kMaxWords];
  size_t width = size_t(list.type.width);
  memcpy(old, list.at(place), width * sizeof(int64_t));
  size_t behind = list.words.size() - size_t(place + 1) * width;
  if (behind)
    memmove(list.at(place), list.at(place + 1), behind * sizeof(int64_t));
  list.words.resize(list.words.size() - width);
  releaseWords(list.type, old);
}

} // namespace chirt

using namespace chirt;

chirt_object *chirt_list_new(const char *desc) { return makeList(desc); }

void chirt_list_push(chirt_object *object, int64_t word) {
  List &list = changed(object);
  list.words.push(word);
  if (list.type.hasHandles && list.words.size() % list.type.width == 0)
    retainWords(list.type, list.at(list.size() - 1));
}

int64_t chirt_list_at(const chirt_site *site, const chirt_object *object,
                      int64_t index, int64_t word) {
  const List &list = listOf(object);
  return list.at(placeOf(site, list, index))[word];
}

void chirt_list_put(const chirt_site *site, chirt_object *object, int64_t index,
                    int64_t number, int64_t word) {
  List &list = changed(object);
  int64_t *place = list.at(placeOf(site, list, index)) + number;
  if (!list.type.hasHandles) {
    *place = word;
    return;
  }
  // What the others own stays as it is.
  int64_t now[kMaxWords] = {}, old[kMaxWords] = {};
  now[number] = word;
  old[number] = *place;
  retainWords(list.type, now);
  *place = word;
  releaseWords(list.type, old);
}

void chirt_list_insert(chirt_object *object, int64_t index) {
  List &list = changed(object);
  int64_t last = list.size() - 1;
  int64_t place = index < 0 ? index + last : index;
  place = place < 0 ? 0 : place > last ? last : place;
  int64_t value[kMaxWords];
  size_t bytes = size_t(list.type.width) * sizeof(int64_t);
  memcpy(value, list.at(last), bytes);
  memmove(list.at(place + 1), list.at(place), size_t(last - place) * bytes);
  memcpy(list.at(place), value, bytes);
}

void chirt_list_remove_at(const chirt_site *site, chirt_object *object,
                          int64_t index) {
  List &list = changed(object);
  removeAt(list, placeOf(site, list, index));
}

void chirt_list_extend(chirt_object *object, const chirt_object *other) {
  List &list = changed(object);
  // Its own elements move when it grows.
  list.words.reserve(list.words.size() + listOf(other).words.size());
  append(list, listOf(other), 0, listOf(other).size());
}

chirt_object *chirt_list_concat(const chirt_object *a, const chirt_object *b) {
  const List &left = listOf(a), &right = listOf(b);
  List *made = makeLike(left.type.desc[0] ? left : right);
  append(*made, left, 0, left.size());
  append(*made, right, 0, right.size());
  return made;
}

chirt_object *chirt_list_repeat(const chirt_site *site,
                                const chirt_object *object, int64_t count) {
  const List &list = listOf(object);
  count = count < 0 ? 0 : count;
  int64_t words = 0;
  if (__builtin_mul_overflow(count, int64_t(list.words.size()), &words) ||
      words > (int64_t(1) << 44)) {
    failAt(site, UserFault, "a list of %lld times %lld elements is too large",
           static_cast<long long>(count), static_cast<long long>(list.size()));
    leave();
  }
  List *made = makeLike(list);
  made->words.reserve(size_t(words));
  for (int64_t k = 0; k < count; ++k)
    append(*made, list, 0, list.size());
  return made;
}

chirt_object *chirt_list_slice(const chirt_site *site,
                               const chirt_object *object, int32_t flags,
                               int64_t begin, int64_t end, int64_t step) {
  const List &list = listOf(object);
  if (step == 0) {
    failAt(site, UserFault, "the step of a slice is 0");
    leave();
  }
  SlicePlaces places = slicePlaces(list.size(), flags, begin, end, step);
  List *made = makeLike(list);
  if (places.step == 1) {
    append(*made, list, places.first, places.count);
    return made;
  }
  for (int64_t k = 0; k < places.count; ++k)
    append(*made, list, places.first + k * places.step, 1);
  return made;
}

/// Puts copies of elements where `count` others are.
static void replace(List &list, int64_t first, int64_t count,
                    const List &from) {
  List made;
  made.type = list.type;
  append(made, list, 0, first);
  append(made, from, 0, from.size());
  append(made, list, first + count, list.size() - first - count);
  list.words.swap(made.words);
  if (list.type.hasHandles) // what it had, which `made` has now
    for (int64_t k = 0; k < made.size(); ++k)
      releaseWords(made.type, made.at(k));
}

void chirt_list_put_slice(const chirt_site *site, chirt_object *object,
                          int32_t flags, int64_t begin, int64_t end,
                          int64_t step, const chirt_object *other) {
  List &list = changed(object);
  const List &from = listOf(other);
  SlicePlaces places =
      slicePlaces(list.size(), flags, begin, end, step ? step : 1);
  if (step == 1)
    return replace(list, places.first, places.count, from);
  if (step == 0)
    failAt(site, UserFault, "the step of a slice is 0");
  else if (places.count != from.size())
    failAt(site, UserFault,
           "a slice with a step has %lld elements, and is assigned %lld",
           static_cast<long long>(places.count),
           static_cast<long long>(from.size()));
  if (step == 0 || places.count != from.size())
    leave();
  chirt_object *copy = chirt_object_copy(other); // it may be the same list
  for (int64_t k = 0; k < places.count; ++k)
    for (int64_t word = 0; word < list.type.width; ++word)
      chirt_list_put(site, object, places.first + k * places.step, word,
                     listOf(copy).at(k)[word]);
  chirt_object_release(copy);
}

void chirt_list_unpack(const chirt_site *site, const chirt_object *object,
                       int64_t count) {
  int64_t size = listOf(object).size();
  if (size == count)
    return;
  failAt(site, UserFault, "%lld names, but the list has %lld %s",
         static_cast<long long>(count), static_cast<long long>(size),
         size == 1 ? "element" : "elements");
  leave();
}

chirt_object *chirt_list_range(const chirt_site *site, int64_t begin,
                               int64_t end, int64_t step) {
  if (step == 0) {
    failAt(site, UserFault, "the step of `range` is 0");
    leave();
  }
  List *made = makeList("i");
  for (int64_t k = begin; step > 0 ? k < end : k > end;) {
    made->words.push(k);
    if (__builtin_add_overflow(k, step, &k))
      break;
  }
  return made;
}

void chirt_list_reverse(chirt_object *object) {
  List &list = changed(object);
  int64_t value[kMaxWords];
  size_t bytes = size_t(list.type.width) * sizeof(int64_t);
  for (int64_t low = 0, high = list.size() - 1; low < high; ++low, --high) {
    memcpy(value, list.at(low), bytes);
    memcpy(list.at(low), list.at(high), bytes);
    memcpy(list.at(high), value, bytes);
  }
}

int32_t chirt_list_compare(const chirt_object *a, const chirt_object *b) {
  const List &left = listOf(a), &right = listOf(b);
  for (int64_t k = 0; k < left.size() && k < right.size(); ++k)
    if (int order = compareWords(left.type, left.at(k), right.at(k)))
      return order;
  return (left.size() > right.size()) - (left.size() < right.size());
}

int64_t chirt_list_find(const chirt_object *list) {
  return find(listOf(list), takeWords());
}

int64_t chirt_list_index(const chirt_site *site, const chirt_object *list) {
  return findOrRaise(site, listOf(list));
}

int64_t chirt_list_count(const chirt_object *object) {
  const List &list = listOf(object);
  const int64_t *value = takeWords();
  int64_t count = 0;
  for (int64_t k = 0; k < list.size(); ++k)
    count += equalWords(list.type, list.at(k), value);
  return count;
}

void chirt_list_remove(const chirt_site *site, chirt_object *object) {
  List &list = changed(object);
  removeAt(list, findOrRaise(site, list));
}

int64_t chirt_list_sum(const chirt_site *site, const chirt_object *object) {
  const List &list = listOf(object);
  bool isUnsigned = list.type.desc[0] == 'u';
  int64_t sum = 0;
  for (int64_t word : list.words) {
    auto low = uint64_t(sum);
    bool isTooLarge = isUnsigned
                          ? __builtin_add_overflow(low, uint64_t(word), &low)
                          : __builtin_add_overflow(sum, word, &sum);
    if (isUnsigned)
      sum = int64_t(low);
    if (!isTooLarge)
      continue;
    failAt(site, UserFault,
           "the sum of the list is larger than an integer of "
           "64 bits");
    leave();
  }
  return sum;
}

double chirt_list_sum_float(const chirt_object *object) {
  const List &list = listOf(object);
  double sum = 0;
  for (int64_t word : list.words)
    sum += floatOfWord(list.type.desc[0], word);
  return sum;
}

int64_t chirt_list_extreme(const chirt_site *site, const chirt_object *object,
                           int32_t is_max) {
  const List &list = listOf(object);
  if (list.size() == 0) {
    failAt(site, UserFault, "`%s` of an empty list", is_max ? "max" : "min");
    leave();
  }
  int64_t best = 0;
  for (int64_t k = 1; k < list.size(); ++k) {
    int order = compareWords(list.type, list.at(k), list.at(best));
    if (is_max ? order > 0 : order < 0)
      best = k;
  }
  return best;
}

int32_t chirt_list_all(const chirt_object *object, int32_t value) {
  for (int64_t word : listOf(object).words)
    if ((word != 0) != (value != 0))
      return false;
  return true;
}
