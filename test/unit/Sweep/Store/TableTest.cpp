#include "chi/Sweep/Store/TableFiles.h"
#include <gtest/gtest.h>

using namespace chi::sweep;

static std::vector<Row> rows() {
  std::vector<Row> rows(3);
  const char *params[] = {R"([["dt","1e-3"],["mode","a"]])",
                          R"([["dt","1e-4"],["mode","b, c"]])",
                          R"([["dt","0.5"],["mode","a"]])"};
  const char *reports[] = {R"({"loss":0.25,"steps":3})",
                           R"({"loss":"nan","seconds":7})", ""};
  for (int k = 0; k < 3; ++k) {
    rows[size_t(k)].number = k + 1;
    rows[size_t(k)].params = params[k];
    rows[size_t(k)].report = reports[k];
    rows[size_t(k)].state = k == 2 ? Row::Failed : Row::Done;
    rows[size_t(k)].seconds = 0.5;
  }
  rows[2].error = "error: \"no\"";
  return rows;
}

static std::string csvOf(const Table &table) {
  std::string text;
  llvm::raw_string_ostream out(text);
  writeCsv(table, out);
  return text;
}

TEST(Table, Csv) {
  Table table = makeTable(rows(), false);
  EXPECT_EQ(csvOf(table),
            "point,dt,mode,state,seconds,loss,steps,report.seconds,error\n"
            "1,1e-3,a,done,0.5,0.25,3,,\n"
            "2,1e-4,\"b, c\",done,0.5,nan,,7,\n"
            "3,0.5,a,failed,0.5,,,,\"error: \"\"no\"\"\"\n");
  EXPECT_EQ(table.numNaNs, 1u);
}

TEST(Table, Text) {
  std::string text;
  llvm::raw_string_ostream out(text);
  writeText(makeTable(rows(), false), out);
  EXPECT_EQ(
      text,
      "point    dt  mode  state   seconds  loss  steps  report.seconds  error\n"
      "    1  1e-3  a     done        0.5  0.25      3\n"
      "    2  1e-4  b, c  done        0.5   nan                      7\n"
      "    3   0.5  a     failed      0.5                               error: "
      "\"no\"\n");
}

TEST(Table, Json) {
  Table table = makeTable(rows(), true);
  std::string text;
  llvm::raw_string_ostream out(text);
  writeJson(table, out);
  EXPECT_NE(text.find("\"dt\": 0.001,"), std::string::npos);
  EXPECT_NE(text.find("\"loss\": \"nan\""), std::string::npos);
  EXPECT_NE(text.find("\"steps\": null"), std::string::npos);
  EXPECT_NE(text.find("\"seed\": 0,"), std::string::npos);
}

TEST(Table, Conditions) {
  auto kept = [](const char *condition) {
    Table table = makeTable(rows(), false);
    if (llvm::Error wrong = filter(table, condition))
      return llvm::toString(std::move(wrong));
    std::string text;
    for (auto &row : table.rows)
      text += row[0].text;
    return text;
  };
  EXPECT_EQ(kept("dt < 1e-2"), "12");
  EXPECT_EQ(kept("state = 'failed' or mode like 'b%'"), "23");
  EXPECT_EQ(kept("loss > 0"), "1"); // nan is not
  EXPECT_EQ(kept("loss is null and state = 'done'"), "2");
  EXPECT_EQ(kept("\"report.seconds\" = 7"), "2");
  EXPECT_EQ(kept("dx < 1"), "--where: no such column: dx");
  EXPECT_NE(kept("dt <").find("--where: near"), std::string::npos);
}

TEST(Table, Npz) {
  std::string bytes = npzOf(makeTable(rows(), false));
  EXPECT_EQ(bytes.substr(0, 4), "PK\x03\x04");
  for (const char *member : {"point.npy", "dt.npy", "mode.npy", "loss.npy",
                             "'<i8'", "'<f8'", "'<U4'", "'shape': (3,)"})
    EXPECT_NE(bytes.find(member), std::string::npos) << member;
}
