#include "chi/Sweep/Store/Line.h"
#include <gtest/gtest.h>

using namespace chi::sweep;

TEST(Line, RoundTrips) {
  Line line;
  line.kind = Line::End;
  line.point = 7;
  line.attempt = 2;
  line.time = 1700000000.25;
  line.seconds = 0.125;
  line.exit = 143;
  line.signal = 15;
  line.isStopped = true;
  line.report = R"({"loss":0.5})";
  line.error = "a \"quoted\"\nline";
  std::string text = textOf(line);
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  auto read = readLine(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, Line::End);
  EXPECT_EQ(read->point, 7);
  EXPECT_EQ(read->attempt, 2);
  EXPECT_EQ(read->time, line.time);
  EXPECT_EQ(read->seconds, 0.125);
  EXPECT_EQ(read->signal, 15);
  EXPECT_TRUE(read->isStopped);
  EXPECT_EQ(read->report, line.report);
  EXPECT_EQ(read->error, line.error);
  line = Line();
  line.point = 1;
  line.pid = 99;
  line.host = "node\xff"; // no UTF-8
  read = readLine(textOf(line));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, Line::Start);
  EXPECT_EQ(read->pid, 99);
  line = Line();
  line.kind = Line::Replaces;
  line.file = "slurm-1-0-0.jsonl";
  line.bytes = 300;
  read = readLine(textOf(line));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, Line::Replaces);
  EXPECT_EQ(read->bytes, 300);
}

TEST(Line, OtherTexts) {
  for (const char *text : {"", "{", "[]", "{}", "{\"begin\": 3}", "7"})
    EXPECT_FALSE(readLine(text)) << text;
}

TEST(Reports, AreJoined) {
  EXPECT_EQ(joinReports(""), "");
  EXPECT_EQ(joinReports("{\"report\": {\"loss\": 0.5, \"n\": 1}}\n"
                        "no JSON\n"
                        "{\"other\": {\"loss\": 3}}\n"
                        "{\"report\": {\"loss\": \"nan\"}}\n"
                        "{\"report\": {\"los"),
            "{\"loss\":\"nan\",\"n\":1}");
}
