//===- SourceFilesTest.cpp - Lines and columns ----------------------------===//
#include "chi/Source/SourceFiles.h"
#include "gtest/gtest.h"

using namespace chi;

static std::pair<unsigned, unsigned> place(const SourceFiles &sources,
                                           uint32_t offset) {
  LineColumn at = sources.lineColumn(0, offset);
  return {at.line, at.column};
}
using Place = std::pair<unsigned, unsigned>;

TEST(SourceFiles, LinesAndColumns) {
  SourceFiles sources;
  sources.add("a.chi", "ab\n\ncd");
  EXPECT_EQ(place(sources, 0), Place(1, 1));
  EXPECT_EQ(place(sources, 2), Place(1, 3)); // the line end itself
  EXPECT_EQ(place(sources, 3), Place(2, 1));
  EXPECT_EQ(place(sources, 5), Place(3, 2));
  EXPECT_EQ(place(sources, 6), Place(3, 3)); // the end of the text
  EXPECT_EQ(place(sources, 99), Place(3, 3));
  EXPECT_EQ(sources.line(0, 1), "ab");
  EXPECT_EQ(sources.line(0, 2), "");
  EXPECT_EQ(sources.line(0, 3), "cd");
  EXPECT_EQ(sources.line(0, 4), "");
  EXPECT_EQ(sources.lineStart(0, 3), 4u);
}

TEST(SourceFiles, ColumnsCountCodePoints) {
  SourceFiles sources;
  sources.add("a.chi", "\xC3\xA9\xE6\xBC\xA2x\n");
  EXPECT_EQ(place(sources, 2), Place(1, 2));
  EXPECT_EQ(place(sources, 5), Place(1, 3));
}

TEST(SourceFiles, ByteOrderMarkAndCrlf) {
  SourceFiles sources;
  sources.add("a.chi", "\xEF\xBB\xBFx\r\ny");
  EXPECT_EQ(place(sources, 3), Place(1, 1));
  EXPECT_EQ(place(sources, 6), Place(2, 1));
  EXPECT_TRUE(sources.line(0, 1).ends_with("x"));
}

TEST(SourceFiles, ColumnsOfLongLines) {
  SourceFiles sources;
  std::string text = "\xEF\xBB\xBFx\n"; // a line before the long one
  for (int k = 0; k < 5000; ++k)
    text += "a\xC3\xA9";
  sources.add("a.chi", text + "\nb");
  for (uint32_t k : {0u, 339u, 340u, 341u, 1000u, 4999u})
    EXPECT_EQ(place(sources, 5 + 3 * k), Place(2, 2 * k + 1)) << k;
  EXPECT_EQ(place(sources, 5 + 15000), Place(2, 10001));
  EXPECT_EQ(place(sources, 5 + 15001), Place(3, 1));
  sources.add("b.chi", std::string(2048, 'x'));
  EXPECT_EQ(sources.lineColumn(1, 2048).column, 2049u);
}

TEST(SourceFiles, EmptyText) {
  SourceFiles sources;
  sources.add("a.chi", "");
  EXPECT_EQ(place(sources, 0), Place(1, 1));
  EXPECT_EQ(sources.line(0, 1), "");
}

TEST(SourceFiles, RangesJoin) {
  SourceRange a{0, 2, 4}, b{0, 7, 9};
  EXPECT_EQ(a.to(b), (SourceRange{0, 2, 9}));
  EXPECT_FALSE(SourceRange().isValid());
}
