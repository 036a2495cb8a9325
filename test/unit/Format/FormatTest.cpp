//===- FormatTest.cpp - Canonical source text -----------------------------===//
#include "chi/Format/Format.h"
#include "gtest/gtest.h"
#include <random>

using namespace chi;

static std::optional<std::string> tryFormat(std::string text) {
  SourceFiles sources;
  DiagnosticEngine diags;
  uint32_t file = sources.add("a.chi", std::move(text));
  return format::formatSource(sources, file, diags);
}

/// Formats, and checks that a second time changes nothing.
static std::string formatted(std::string text) {
  auto once = tryFormat(std::move(text));
  if (!once)
    return "<error>";
  EXPECT_EQ(tryFormat(*once), once);
  return *once;
}

TEST(Format, Spaces) {
  struct Case {
    const char *from, *to;
  };
  for (Case c : {
           Case{"x=1+ 2*y\n", "x = 1 + 2 * y\n"},
           Case{"x = - y ** - 2\n", "x = -y**-2\n"},
           Case{"f ( a ,b , k = 1 ) [ i ] . y\n", "f(a, b, k=1)[i].y\n"},
           Case{"x[ i-1,j + 1 ]=0\n", "x[i-1, j + 1] = 0\n"},
           Case{"w = [4/9, 1 /9, a/b]\n", "w = [4/9, 1 / 9, a / b]\n"},
           Case{"s:f64=0\n", "s: f64 = 0\n"},
           Case{"x = y if(a)else(b)\n", "x = y if (a) else (b)\n"},
           Case{"x = not(a)and~b\n", "x = not (a) and ~b\n"},
           Case{"return_ = {1:2 , 'a' : x[1:2, :]}\n",
                "return_ = {1: 2, 'a': x[1:2, :]}\n"},
           Case{"def f( a:i32=3,b = 4 )->f32 : return- a\n",
                "def f(a: i32 = 3, b=4) -> f32: return -a\n"},
           Case{"x = lambda a,b=1:a@b\n", "x = lambda a, b=1: a @ b\n"},
           Case{"x=(1 ,)\ny = ( )\n", "x = (1,)\ny = ()\n"},
           Case{"import   a . b  as c\n", "import a.b as c\n"},
           Case{"p = 'a'\"b\"\n", "p = 'a' \"b\"\n"},
           Case{"x = 1 .real\n", "x = 1 .real\n"},
           Case{"x  ;  y\n", "x; y\n"},
           Case{"f(*a, ** b)\n", "f(*a, **b)\n"},
           Case{"x = None [1]\n", "x = None[1]\n"},
       })
    EXPECT_EQ(formatted(c.from), c.to);
}

TEST(Format, Indentation) {
  EXPECT_EQ(formatted("if a:\n  b\n  if c:\n     d\nelse :\n   e\n"),
            "if a:\n    b\n    if c:\n        d\nelse:\n    e\n");
  // Lined up with a bracket, or moved with the statement.
  EXPECT_EQ(formatted("if a:\n  x  = foo(1,\n           2)\n"
                      "  y = [\n    1,\n  ]\n"),
            "if a:\n    x = foo(1,\n            2)\n"
            "    y = [\n      1,\n    ]\n");
}

TEST(Format, Comments) {
  EXPECT_EQ(formatted("#a\nif b: # c\n  d     # e\n  # f\n# g\nh\n"),
            "# a\nif b:  # c\n    d   # e\n    # f\n# g\nh\n");
  EXPECT_EQ(formatted("x = [1, # a\n  # b\n  2]\n"),
            "x = [1,  # a\n  # b\n  2]\n");
  EXPECT_EQ(formatted("if a:\n    b\n    # end of a\n\n# last\n"),
            "if a:\n    b\n    # end of a\n\n# last\n");
}

TEST(Format, BlankLines) {
  EXPECT_EQ(formatted("\n\nx\n\n\n\n\ny\nif a:\n\n    b\n\n\n    c\n\n\n"),
            "x\n\n\ny\nif a:\n    b\n\n    c\n");
  EXPECT_EQ(formatted("x\n# f\n@kernel\ndef f():\n    pass\ny\n"),
            "x\n\n# f\n@kernel\ndef f():\n    pass\n\ny\n");
}

TEST(Format, StringsStayAsTheyAre) {
  EXPECT_EQ(formatted("x = \"\"\"a  \n  b\"\"\" + f'{ a }' # c\n"),
            "x = \"\"\"a  \n  b\"\"\" + f'{ a }'  # c\n");
}

TEST(Format, LineEnds) {
  EXPECT_EQ(formatted("\xEF\xBB\xBFx=1\r\ny = a \\\r\n  + b\r\n"),
            "x = 1\ny = a \\\n  + b\n");
  EXPECT_EQ(formatted("x"), "x\n");
  EXPECT_EQ(formatted("if a:\n\\\n  b\n"), "if a:\n    b\n");
  EXPECT_EQ(formatted("x = '''a\rb\r\nc'''\n"), "x = '''a\rb\nc'''\n");
  EXPECT_EQ(formatted(""), "");
}

TEST(Format, RefusesSyntaxErrors) {
  EXPECT_EQ(tryFormat("x = (\n"), std::nullopt);
}

// Spaces that carry no meaning go; E0022, the formatter's own alarm, is never
// seen.
TEST(Format, ManySpacings) {
  const char *pieces[] = {"x",  "=", "f", "(", "a", ",", "k", "=", "-", "b",
                          "**", "2", ")", "[", "i", "-", "1", ":", "]", "if",
                          "not", "c", "else", "d", ".", "e", "/", "3"};
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (const char *piece : pieces) {
      bool needsSpace = !text.empty() && isalnum(text.back()) &&
                        isalnum(static_cast<unsigned char>(*piece));
      text.append((needsSpace ? 1 : 0) + (round ? random() % 3 : 0), ' ');
      text += piece;
    }
    SourceFiles sources;
    DiagnosticEngine diags;
    uint32_t file = sources.add("a.chi", text.substr(text.find('x')) + "\n");
    auto result = format::formatSource(sources, file, diags);
    for (const Diagnostic &d : diags.pending())
      EXPECT_NE(d.code, "E0022") << text;
    ASSERT_TRUE(result.has_value()) << text;
    EXPECT_EQ(formatted(*result), *result);
  }
}
