//===- ObjectTest.cpp - Lists, dicts and the strs in them -----------------===//
#include "chirt/containers/Object.h"
#include "Support.h"
#include "chirt/containers/Points.h"
#include "chirt/text/Str.h"
#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

/// The text of a str that the call makes.
std::string taken(const char *made) {
  std::string text = made;
  chirt_str_release(made);
  return text;
}

std::string shown(const chirt_object *object) {
  return taken(chirt_object_text(object));
}

void pushText(chirt_object *list, const char *text) {
  chirt_list_push(list, chirt_word_of_str(text));
}

TEST(Object, OwnsItsStrs) {
  size_t before = chirt::numLivingStrs();
  chirt_object *list = chirt_list_new("s");
  for (int k = 0; k < 3; ++k) {
    const char *text = chirt::makeStr(std::to_string(k));
    pushText(list, text);
    chirt_str_release(text);
  }
  EXPECT_EQ(chirt::numLivingStrs(), before + 3);
  chirt_list_remove_at(nullptr, list, 0);
  const char *other = chirt::makeStr("other");
  chirt_list_put(nullptr, list, -1, 0, chirt_word_of_str(other));
  chirt_str_release(other);
  EXPECT_EQ(chirt::numLivingStrs(), before + 2);
  EXPECT_EQ(shown(list), "['1', 'other']");
  chirt_object *copy = chirt_object_copy(list);
  chirt_object_clear(list);
  EXPECT_EQ(shown(copy), "['1', 'other']");
  chirt_object_release(list);
  chirt_object_release(copy);
  EXPECT_EQ(chirt::numLivingStrs(), before);
}

TEST(Object, ListsHoldLists) {
  size_t before = chirt::numLivingStrs();
  chirt_object *rows = chirt_list_new("o");
  for (int k = 0; k < 100; ++k) {
    chirt_object *row = chirt_str_words("a bc def", -1);
    chirt_list_push(rows, chirt_word_of_object(row));
    chirt_object_release(row);
  }
  EXPECT_EQ(chirt_object_length(rows), 100);
  chirt_object_release(rows);
  EXPECT_EQ(chirt::numLivingStrs(), before);
}

TEST(Object, OfAClassOwnsItsMembers) {
  size_t before = chirt::numLivingStrs();
  chirt_object *record = chirt_record_new("(s[ii]o)", "Run name at log");
  chirt_object *log = chirt_list_new("i");
  chirt_record_put(record, 3, chirt_word_of_object(log));
  chirt_object_release(log);
  for (const char *name : {"first one", "second one"}) {
    const char *text = chirt::makeStr(name);
    chirt_record_put(record, 0, chirt_word_of_str(text));
    chirt_str_release(text);
  }
  EXPECT_EQ(chirt::numLivingStrs(), before + 1);
  chirt_record_put(record, 2, 7);
  chirt_list_push(log, 5);
  EXPECT_EQ(chirt_record_at(nullptr, record, 2), 7);
  EXPECT_EQ(shown(record), "Run(name='second one', at=[0, 7], log=[5])");
  chirt_object_retain(record);
  EXPECT_TRUE(chirt_object_equal(record, record));
  chirt_object_release(record);
  chirt_object_release(record);
  EXPECT_EQ(chirt::numLivingStrs(), before);
}

TEST(Object, DictsAreLikeMaps) {
  std::mt19937 random(7);
  std::map<int64_t, int64_t> model;
  chirt_object *dict = chirt_dict_new("i", "i");
  for (int k = 0; k < 20000; ++k) {
    int64_t key = int64_t(random() % 500), value = int64_t(random());
    chirt_word(key);
    if (random() % 3 == 0) {
      chirt_dict_discard(dict);
      model.erase(key);
    } else {
      chirt_dict_put(dict, chirt_dict_make(dict), 0, value);
      model[key] = value;
    }
  }
  ASSERT_EQ(chirt_object_length(dict), int64_t(model.size()));
  for (auto [key, value] : model) {
    chirt_word(key);
    int64_t entry = chirt_dict_find(dict);
    ASSERT_GE(entry, 0) << key;
    EXPECT_EQ(chirt_dict_value(dict, entry, 0), value) << key;
  }
  chirt_object_release(dict);
}

TEST(Object, KeysKeepTheirOrder) {
  chirt_object *set = chirt_dict_new("i", "");
  for (int64_t key : {5, 3, 9, 3}) {
    chirt_word(key);
    chirt_dict_make(set);
  }
  chirt_word(3);
  chirt_dict_discard(set);
  chirt_word(3);
  chirt_dict_make(set);
  EXPECT_EQ(shown(set), "{5, 9, 3}");
  chirt_object_release(set);
}

TEST(Object, SortsStably) {
  std::mt19937 random(3);
  for (int size : {0, 1, 2, 15, 16, 17, 100, 1000}) {
    std::vector<std::pair<int64_t, int64_t>> model;
    chirt_object *list = chirt_list_new("(ii)");
    chirt_object *keys = chirt_list_new("i");
    for (int k = 0; k < size; ++k) {
      int64_t key = int64_t(random() % 10);
      model.push_back({key, k});
      chirt_list_push(keys, key);
      chirt_list_push(list, key);
      chirt_list_push(list, k);
    }
    std::stable_sort(model.begin(), model.end(),
                     [](auto a, auto b) { return a.first > b.first; });
    chirt_list_sort_by(list, keys, 1);
    for (int k = 0; k < size; ++k)
      ASSERT_EQ(chirt_list_at(nullptr, list, k, 1), model[size_t(k)].second)
          << size << " " << k;
    chirt_object_release(list);
    chirt_object_release(keys);
  }
}

TEST(Object, SlicesArePythons) {
  auto count = [](int64_t size, int32_t flags, int64_t begin, int64_t end,
                  int64_t step) {
    chirt::SlicePlaces places =
        chirt::slicePlaces(size, flags, begin, end, step);
    return std::pair(places.first, places.count);
  };
  int32_t both = CHIRT_SLICE_BEGIN | CHIRT_SLICE_END;
  EXPECT_EQ(count(5, both, 1, 3, 1), std::pair(int64_t(1), int64_t(2)));
  EXPECT_EQ(count(5, both, -2, 99, 1), std::pair(int64_t(3), int64_t(2)));
  EXPECT_EQ(count(5, both, 3, 1, 1).second, 0);
  EXPECT_EQ(count(5, 0, 0, 0, -1), std::pair(int64_t(4), int64_t(5)));
  EXPECT_EQ(count(5, 0, 0, 0, 2), std::pair(int64_t(0), int64_t(3)));
  EXPECT_EQ(count(5, both, 99, -99, -2), std::pair(int64_t(4), int64_t(3)));
  EXPECT_EQ(count(0, 0, 0, 0, -1).second, 0);
}

TEST(Object, TextsShowFloatsInTheirPrecision) {
  chirt_object *list = chirt_list_new("[ff]");
  float parts[] = {0.1f, -2.0f};
  for (float part : parts) {
    int32_t bits;
    memcpy(&bits, &part, sizeof(bits));
    chirt_list_push(list, bits);
  }
  EXPECT_EQ(shown(list), "[[0.1, -2.0]]");
  chirt_object_release(list);
}

TEST(Points, CasesAndEnds) {
  EXPECT_EQ(taken(chirt_str_case("straße é я ω", 1)), "STRAßE É Я Ω");
  EXPECT_EQ(taken(chirt_str_case("ÀÉ Я Ω", 0)), "àé я ω");
  EXPECT_EQ(taken(chirt_str_strip_space(" \t\xc2\xa0x \n", 3)), "x");
  EXPECT_EQ(taken(chirt_str_slice(nullptr, "aéb", 0, 0, 0, -1)), "béa");
  EXPECT_EQ(chirt_str_length("aéb\xff"), 4);
  EXPECT_EQ(taken(chirt_str_pad("abc", 6, "*", 2)), "*abc**");
  EXPECT_EQ(taken(chirt_str_replace("abc", "", "-", -1)), "-a-b-c-");
}

} // namespace
