//===- StrParts.cpp - Elements, slices and searches of strs ---------------===//
#include "chirt/containers/Object.h"
#include "chirt/containers/Points.h"
#include "chirt/failure/Failure.h"
#include "chirt/text/CodePoints.h"
#include "chirt/text/Str.h"

namespace chirt {

/// Where `part` begins, in bytes; npos if nowhere.
static size_t findIn(std::string_view text, std::string_view part,
                     bool fromEnd) {
  return fromEnd ? text.rfind(part) : text.find(part);
}

static int64_t pointAt(std::string_view text, size_t offset) {
  return numPoints(slice(text, 0, offset));
}

} // namespace chirt

using namespace chirt;

int64_t chirt_str_length(const char *text) { return numPoints(viewOf(text)); }

const char *chirt_str_at(const chirt_site *site, const char *text,
                         int64_t index) {
  std::string_view all = viewOf(text);
  int64_t size = numPoints(all), place = index < 0 ? index + size : index;
  if (place < 0 || place >= size) {
    failAt(site, UserFault, "index %lld is out of range: the str has %lld %s",
           static_cast<long long>(index), static_cast<long long>(size),
           size == 1 ? "character" : "characters");
    leave();
  }
  std::string_view rest = slice(all, offsetOf(all, place));
  return makePointStr(slice(rest, 0, pointSize(rest)));
}

const char *chirt_str_slice(const chirt_site *site, const char *text,
                            int32_t flags, int64_t begin, int64_t end,
                            int64_t step) {
  if (step == 0) {
    failAt(site, UserFault, "the step of a slice is 0");
    leave();
  }
  std::string_view all = viewOf(text);
  SlicePlaces places = slicePlaces(numPoints(all), flags, begin, end, step);
  if (places.count == 0)
    return makeStr("");
  if (places.step == 1) {
    std::string_view from = slice(all, offsetOf(all, places.first));
    return makeStr(slice(from, 0, offsetOf(from, places.count)));
  }
  Array<size_t> offsets;
  for (size_t at = 0; at < all.size(); at += pointSize(slice(all, at)))
    offsets.push(at);
  Text made;
  for (int64_t k = 0; k < places.count; ++k) {
    std::string_view from =
        slice(all, offsets[size_t(places.first + k * places.step)]);
    made << slice(from, 0, pointSize(from));
  }
  return makeStr(made);
}

int32_t chirt_str_contains(const char *text, const char *part) {
  return findIn(viewOf(text), viewOf(part), false) != std::string_view::npos;
}

int64_t chirt_str_find(const char *text, const char *part, int32_t from_end) {
  size_t offset = findIn(viewOf(text), viewOf(part), from_end);
  return offset == std::string_view::npos ? -1 : pointAt(viewOf(text), offset);
}

int64_t chirt_str_index(const chirt_site *site, const char *text,
                        const char *part) {
  int64_t place = chirt_str_find(text, part, 0);
  if (place >= 0)
    return place;
  failAt(site, UserFault, "`%s` is not in the str", part ? part : "");
  leave();
}

int64_t chirt_str_count(const char *text, const char *part) {
  std::string_view rest = viewOf(text), wanted = viewOf(part);
  if (wanted.empty())
    return numPoints(rest) + 1;
  int64_t count = 0;
  for (size_t at = rest.find(wanted); at != rest.npos;
       at = rest.find(wanted, at + wanted.size()))
    ++count;
  return count;
}

int32_t chirt_str_starts(const char *text, const char *part) {
  return viewOf(text).starts_with(viewOf(part));
}

int32_t chirt_str_ends(const char *text, const char *part) {
  return viewOf(text).ends_with(viewOf(part));
}

chirt_object *chirt_str_points(const char *text) {
  List *list = makeStrList();
  for (std::string_view rest = viewOf(text); !rest.empty();) {
    size_t size = pointSize(rest);
    pushStr(*list, makePointStr(slice(rest, 0, size)));
    rest = slice(rest, size);
  }
  return list;
}

int32_t chirt_str_is(const char *text, int32_t kind) {
  bool hasLetter = false;
  std::string_view rest = viewOf(text);
  bool isEmpty = rest.empty();
  while (!rest.empty()) {
    uint32_t point = pointOf(rest);
    rest = slice(rest, pointSize(rest));
    bool isUpper = lowerPoint(point) != point;
    bool isLower = upperPoint(point) != point;
    hasLetter |= isUpper || isLower;
    bool fits = kind == CHIRT_DIGITS    ? isDigitPoint(point)
                : kind == CHIRT_LETTERS ? isLetterPoint(point)
                : kind == CHIRT_SPACE   ? isSpacePoint(point)
                : kind == CHIRT_UPPER   ? !isLower
                : kind == CHIRT_LOWER
                    ? !isUpper
                    : isDigitPoint(point) || isLetterPoint(point);
    if (!fits)
      return false;
  }
  bool needsLetter = kind == CHIRT_UPPER || kind == CHIRT_LOWER;
  return !isEmpty && (hasLetter || !needsLetter);
}

int64_t chirt_str_point(const chirt_site *site, const char *text) {
  std::string_view all = viewOf(text);
  if (!all.empty() && pointSize(all) == all.size())
    return pointOf(all);
  failAt(site, UserFault, "`ord` of a str of %lld characters",
         static_cast<long long>(numPoints(all)));
  leave();
}

const char *chirt_point_str(const chirt_site *site, int64_t point) {
  bool isSurrogate = point >= 0xd800 && point <= 0xdfff;
  if (point < 1 || point > 0x10ffff || isSurrogate) {
    failAt(site, UserFault, "`chr` of %lld, which is no character",
           static_cast<long long>(point));
    leave();
  }
  Text made;
  appendPoint(made, uint32_t(point));
  return makePointStr(made);
}
