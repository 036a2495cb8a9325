//===- StrMaking.cpp - Strs made of strs ----------------------------------===//
#include "chirt/containers/Object.h"
#include "chirt/containers/Points.h"
#include "chirt/failure/Failure.h"
#include "chirt/text/CodePoints.h"
#include "chirt/text/Str.h"

namespace chirt {

/// Cuts the code points for which `isCut` holds off the ends that `sides`
/// names.
template <typename IsCut>
static std::string_view cutEnds(std::string_view text, int32_t sides,
                                IsCut isCut) {
  while (sides & 1 && !text.empty()) {
    size_t size = pointSize(text);
    if (!isCut(slice(text, 0, size)))
      break;
    text = slice(text, size);
  }
  while (sides & 2 && !text.empty()) {
    size_t at = text.size() - 1;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80)
      --at;
    if (!isCut(slice(text, at)))
      break;
    text = slice(text, 0, at);
  }
  return text;
}

template <typename Change>
static const char *mapPoints(const char *text, Change change) {
  Text made;
  for (std::string_view rest = viewOf(text); !rest.empty();) {
    size_t size = pointSize(rest);
    uint32_t point = pointOf(rest), changed = change(point);
    if (changed == point)
      made << slice(rest, 0, size);
    else
      appendPoint(made, changed);
    rest = slice(rest, size);
  }
  return makeStr(made);
}

} // namespace chirt

using namespace chirt;

const char *chirt_str_case(const char *text, int32_t is_upper) {
  return mapPoints(text, is_upper ? upperPoint : lowerPoint);
}

const char *chirt_str_title(const char *text, int32_t each_word) {
  bool begins = true;
  return mapPoints(text, [&](uint32_t point) {
    uint32_t made = begins ? upperPoint(point) : lowerPoint(point);
    begins = each_word && !isLetterPoint(point);
    return made;
  });
}

const char *chirt_str_strip(const char *text, const char *set, int32_t sides) {
  std::string_view wanted = viewOf(set);
  return makeStr(cutEnds(viewOf(text), sides, [&](std::string_view point) {
    return wanted.find(point) != wanted.npos;
  }));
}

const char *chirt_str_strip_space(const char *text, int32_t sides) {
  return makeStr(cutEnds(viewOf(text), sides, [](std::string_view point) {
    return isSpacePoint(pointOf(point));
  }));
}

const char *chirt_str_cut(const char *text, const char *part, int32_t at_end) {
  std::string_view all = viewOf(text), cut = viewOf(part);
  if (at_end && all.ends_with(cut))
    all = slice(all, 0, all.size() - cut.size());
  else if (!at_end && all.starts_with(cut))
    all = slice(all, cut.size());
  return makeStr(all);
}

const char *chirt_str_replace(const char *text, const char *part,
                              const char *other, int64_t most) {
  std::string_view rest = viewOf(text), wanted = viewOf(part),
                   given = viewOf(other);
  Text made;
  for (; most != 0; --most) {
    if (wanted.empty()) { // between all code points
      made << given;
      if (rest.empty())
        break;
      size_t size = pointSize(rest);
      made << slice(rest, 0, size);
      rest = slice(rest, size);
      continue;
    }
    size_t at = rest.find(wanted);
    if (at == rest.npos)
      break;
    made << slice(rest, 0, at) << given;
    rest = slice(rest, at + wanted.size());
  }
  made << rest;
  return makeStr(made);
}

chirt_object *chirt_str_split(const chirt_site *site, const char *text,
                              const char *separator, int64_t most) {
  std::string_view rest = viewOf(text), between = viewOf(separator);
  if (between.empty()) {
    failAt(site, UserFault, "the separator of `split` is empty");
    leave();
  }
  List *list = makeStrList();
  for (; most != 0; --most) {
    size_t at = rest.find(between);
    if (at == rest.npos)
      break;
    pushStr(*list, makeStr(slice(rest, 0, at)));
    rest = slice(rest, at + between.size());
  }
  pushStr(*list, makeStr(rest));
  return list;
}

chirt_object *chirt_str_words(const char *text, int64_t most) {
  List *list = makeStrList();
  auto isSpace = [](std::string_view point) {
    return isSpacePoint(pointOf(point));
  };
  std::string_view rest = cutEnds(viewOf(text), 1, isSpace);
  for (; !rest.empty() && most != 0; --most) {
    size_t end = 0;
    while (end < rest.size() && !isSpace(slice(rest, end)))
      end += pointSize(slice(rest, end));
    pushStr(*list, makeStr(slice(rest, 0, end)));
    rest = cutEnds(slice(rest, end), 1, isSpace);
  }
  if (!rest.empty())
    pushStr(*list, makeStr(cutEnds(rest, 2, isSpace)));
  return list;
}

chirt_object *chirt_str_lines(const char *text) {
  List *list = makeStrList();
  for (std::string_view rest = viewOf(text); !rest.empty();) {
    size_t end = rest.find_first_of("\r\n");
    pushStr(*list, makeStr(slice(rest, 0, end)));
    if (end == rest.npos)
      break;
    bool isPair = rest[end] == '\r' && slice(rest, end + 1).starts_with('\n');
    rest = slice(rest, end + (isPair ? 2 : 1));
  }
  return list;
}

const char *chirt_str_join(const char *separator, const chirt_object *object) {
  const List &list = listOf(object);
  Text made;
  for (int64_t k = 0; k < list.size(); ++k)
    made << (k ? viewOf(separator) : "")
         << viewOf(chirt_str_of_word(*list.at(k)));
  return makeStr(made);
}

const char *chirt_str_concat(const char *a, const char *b) {
  Text made;
  made << viewOf(a) << viewOf(b);
  return makeStr(made);
}

const char *chirt_str_repeat(const chirt_site *site, const char *text,
                             int64_t count) {
  std::string_view one = viewOf(text);
  int64_t size = 0;
  count = count < 0 ? 0 : count;
  if (__builtin_mul_overflow(count, int64_t(one.size()), &size) ||
      size > (int64_t(1) << 40)) {
    failAt(site, UserFault, "a str of %lld times %lld bytes is too large",
           static_cast<long long>(count), static_cast<long long>(one.size()));
    leave();
  }
  Text made;
  for (int64_t k = 0; k < count; ++k)
    made << one;
  return makeStr(made);
}

const char *chirt_str_pad(const char *text, int64_t width, const char *fill,
                          int32_t side) {
  std::string_view all = viewOf(text), filler = viewOf(fill);
  int64_t missing = width - numPoints(all);
  if (missing <= 0)
    return makeStr(all);
  int64_t before = side == 1 ? missing : 0;
  if (side == 2) // as Python: the odd one goes where the width is odd
    before = missing / 2 + (missing & width & 1);
  Text made;
  if (side == 3) {
    bool hasSign = all.starts_with('-') || all.starts_with('+');
    made << slice(all, 0, hasSign);
    all = slice(all, hasSign);
    before = missing;
  }
  for (int64_t k = 0; k < before; ++k)
    made << filler;
  made << all;
  for (int64_t k = before; k < missing; ++k)
    made << filler;
  return makeStr(made);
}
