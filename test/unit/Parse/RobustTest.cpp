//===- RobustTest.cpp - Texts that are no programs ------------------------===//
#include "Support.h"
#include "gtest/gtest.h"
#include <random>

using namespace chi;

static std::string repeat(llvm::StringRef text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i)
    all += text;
  return all;
}

TEST(Robust, DeepTextsAreRefused) {
  for (const char *open : {"(", "[", "{", "f(", "x[", "-", "not ", "~",
                           "await ", "1 + ", "2 ** ", "a if b else "}) {
    Parsed parsed("x = " + repeat(open, 20000) + "1\n");
    EXPECT_EQ(parsed.module, nullptr) << open;
    EXPECT_EQ(parsed.codes(), "E0011") << open;
  }
  for (const char *tail : {".a", "()", "[1]"}) {
    Parsed parsed("x = a" + repeat(tail, 20000) + "\n");
    EXPECT_EQ(parsed.codes(), "E0011") << tail;
  }
}

TEST(Robust, FlatTextsAreRead) {
  for (const char *item : {"a and ", "a or ", "a < ", "lambda: "}) {
    Parsed parsed("x = " + repeat(item, 20000) + "1\n");
    EXPECT_TRUE(parsed.module) << item << parsed.codes();
  }
  EXPECT_TRUE(Parsed("f(" + repeat("x, ", 20000) + ")\n").module);
  EXPECT_TRUE(Parsed("x = " + repeat("'a' ", 20000) + "\n").module);
  EXPECT_TRUE(Parsed(repeat("x = 1\n", 20000)).module);
}

TEST(Robust, NoTextIsAProgram) {
  EXPECT_TRUE(Parsed("").module);
  EXPECT_TRUE(Parsed("\n \n# c\n").module);
  EXPECT_EQ(Parsed(std::string("x\0y", 3)).codes(), "E0008");
  EXPECT_EQ(Parsed("\xFF\xFE").codes(), "E0008");
}

/// Changes some bytes or pieces of `text`.
static std::string mutate(std::string text, std::mt19937 &random) {
  static const char *pieces[] = {
      "(", ")", "[", "]", "{", "}", "'", "\"", "\"\"\"", "f\"{", "\\", "\n",
      "\t", "    ", ":", "=", "else:", "def ", "if ", "not ", "**", "in ",
      "lambda ", "match x:\n", "case ", ",", "\r", "#", "1e", "0x", "\xC3",
      "\xE2\x88\x92", "test \"", "param ", "const ", ";", "@", "!", "yield "};
  auto below = [&](size_t n) { return n ? random() % n : 0; };
  for (size_t i = below(4) + 1; i > 0; --i) {
    size_t at = below(text.size());
    switch (below(4)) {
    case 0:
      text.erase(at, below(20));
      break;
    case 1:
      text.insert(at, pieces[below(std::size(pieces))]);
      break;
    case 2:
      text.insert(at, text.substr(below(text.size()), below(60)));
      break;
    default:
      if (!text.empty())
        text[at] = static_cast<char>(32 + below(95));
    }
  }
  return text;
}

// A tree exactly if there are no errors, whatever the text.
TEST(Robust, Mutations) {
  const std::string seeds[] = {
      "\"\"\"Doc.\"\"\"\nimport math\nparam n: i32 = 8 in [1, 9], \"d\"\n"
      "x = field(vec2, shape=(n, n))\n\n@kernel\ndef f(a: i32 = 1) -> f32:\n"
      "    s = 0.0\n    for i, j in ndrange(n, n):\n"
      "        if i > j and not a:\n            s += x[i, j].norm(1e-3)\n"
      "        elif i == j:\n            continue\n        else:\n"
      "            s -= -x[i, j].y ** 2\n    return s / n\n\n"
      "for k in range(3):\n    print(f\"{k}: {f(k):.3f}\")\n",
      "class P[T]:\n    x: T = 1\n    def m(self):\n        return self.x\n"
      "test \"a\":\n    assert P(1).x == 1, f'{1=}'\n"
      "with A() as b:\n    y = [i for i in x if i]\ntry:\n    z = {1: 2}\n"
      "except E:\n    pass\nmatch x:\n    case 1: pass\n"};
  std::mt19937 random(1);
  for (int i = 0; i < 4000; ++i) {
    std::string text = mutate(seeds[i % 2], random);
    Parsed parsed(text);
    ASSERT_EQ(parsed.module == nullptr, parsed.diags.hasErrors()) << text;
    for (const Diagnostic &d : parsed.diags.pending()) {
      ASSERT_LE(d.range.begin, d.range.end) << text;
      ASSERT_LE(d.range.end, text.size()) << text;
      ASSERT_FALSE(llvm::StringRef(d.message).contains("is not expected here"))
          << text << d.message;
    }
  }
}
