//===- Sort.cpp - Stable sorting of lists ---------------------------------===//
// Merge sort from below: runs of 16 by insertion, then merges of two runs from
// one array to the other. It sorts places, and moves the elements at the end.
#include "chirt/containers/Object.h"

namespace chirt {

namespace {
constexpr size_t kRun = 16;

/// `before(a, b)`: whether place a precedes place b.
template <typename Before>
void sortRuns(Array<int64_t> &places, Before before) {
  for (size_t begin = 0; begin < places.size(); begin += kRun) {
    size_t end = begin + kRun < places.size() ? begin + kRun : places.size();
    for (size_t k = begin + 1; k < end; ++k) {
      int64_t place = places[k];
      size_t at = k;
      for (; at > begin && before(place, places[at - 1]); --at)
        places[at] = places[at - 1];
      places[at] = place;
    }
  }
}

template <typename Before>
void merge(const int64_t *from, size_t middle, size_t end, int64_t *to,
           Before before) {
  size_t left = 0, right = middle;
  while (left < middle && right < end)
    *to++ = before(from[right], from[left]) ? from[right++] : from[left++];
  while (left < middle)
    *to++ = from[left++];
  while (right < end)
    *to++ = from[right++];
}

/// The places of `count` elements in their order.
template <typename Before>
void sortPlaces(Array<int64_t> &places, size_t count, Before before) {
  for (size_t k = 0; k < count; ++k)
    places.push(int64_t(k));
  sortRuns(places, before);
  Array<int64_t> other;
  other.resize(count);
  for (size_t width = kRun; width < count; width *= 2) {
    for (size_t begin = 0; begin < count; begin += 2 * width) {
      size_t end = begin + 2 * width < count ? begin + 2 * width : count;
      size_t middle = begin + width < end ? width : end - begin;
      merge(places.data() + begin, middle, end - begin, other.data() + begin,
            before);
    }
    places.swap(other);
  }
}

void placesInOrder(Array<int64_t> &places, const List &keys, bool isReversed) {
  size_t count = size_t(keys.size());
  bool isPlain = keys.type.desc[0] == 'i' && keys.type.width == 1;
  if (isPlain) {
    const int64_t *words = keys.words.data();
    if (isReversed)
      return sortPlaces(places, count, [&](int64_t a, int64_t b) {
        return words[a] > words[b];
      });
    return sortPlaces(places, count, [&](int64_t a, int64_t b) {
      return words[a] < words[b];
    });
  }
  sortPlaces(places, count, [&](int64_t a, int64_t b) {
    int order = compareWords(keys.type, keys.at(a), keys.at(b));
    return isReversed ? order > 0 : order < 0;
  });
}

void sortBy(List &list, const List &keys, bool isReversed) {
  Array<int64_t> places, words;
  placesInOrder(places, keys, isReversed);
  words.reserve(list.words.size());
  for (int64_t place : places)
    words.append(list.at(place), size_t(list.type.width));
  list.words.swap(words);
}
} // namespace

} // namespace chirt

using namespace chirt;

void chirt_list_sort(chirt_object *object, int32_t is_reversed) {
  List &list = changed(object);
  sortBy(list, list, is_reversed);
}

void chirt_list_sort_by(chirt_object *list, const chirt_object *keys,
                        int32_t is_reversed) {
  sortBy(changed(list), listOf(keys), is_reversed);
}
