#include "chi/Sweep/Store/Database.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

using namespace chi::sweep;

namespace {
struct Databases : testing::Test {
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("sweep", folder));
    path = (folder + "/sweep.db").str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }
  std::unique_ptr<Database> open(Database::Access access) {
    auto opened = Database::open(path, access);
    EXPECT_TRUE(bool(opened)) << llvm::toString(opened.takeError());
    return std::move(*opened);
  }
  llvm::SmallString<128> folder;
  std::string path;
};
} // namespace

TEST_F(Databases, RowsRoundTrip) {
  Row row;
  row.number = 1;
  row.key = "k1";
  row.params = R"([["dt","0.1"]])";
  row.program = "hash";
  row.seed = 12345;
  row.state = Row::Failed;
  row.attempts = 3;
  row.losses = 1;
  row.hasCheckpoint = true;
  row.host = "here";
  row.started = 1.5;
  row.seconds = 2.5;
  row.exit = 1;
  row.signal = 9;
  row.report = R"({"loss":1})";
  row.error = "error: no";
  auto database = open(Database::Write);
  ASSERT_FALSE(bool(database->write({&row}, {{"a.jsonl", 30}})));
  ASSERT_FALSE(bool(database->setProperty("request", "{}")));
  row.attempts = 4;
  ASSERT_FALSE(bool(database->write({&row}, {{"a.jsonl", 60}})));
  auto reader = open(Database::Read); // while the other one has it open
  auto rows = reader->rows();
  ASSERT_TRUE(bool(rows));
  ASSERT_EQ(rows->size(), 1u);
  const Row &read = rows->front();
  EXPECT_EQ(read.key, "k1");
  EXPECT_EQ(read.params, row.params);
  EXPECT_EQ(read.seed, 12345u);
  EXPECT_EQ(read.state, Row::Failed);
  EXPECT_EQ(read.attempts, 4);
  EXPECT_EQ(read.losses, 1);
  EXPECT_TRUE(read.hasCheckpoint);
  EXPECT_EQ(read.started, 1.5);
  EXPECT_EQ(read.seconds, 2.5);
  EXPECT_EQ(read.signal, 9);
  EXPECT_EQ(read.report, row.report);
  EXPECT_EQ(read.error, row.error);
  auto offsets = reader->offsets();
  ASSERT_TRUE(bool(offsets));
  ASSERT_EQ(offsets->size(), 1u);
  EXPECT_EQ(offsets->front().second, 60);
  EXPECT_EQ(llvm::cantFail(reader->property("request")), "{}");
  EXPECT_EQ(llvm::cantFail(reader->property("absent")), "");
}

TEST_F(Databases, OtherFilesAreRefused) {
  auto absent = Database::open(path, Database::Read);
  EXPECT_FALSE(bool(absent));
  EXPECT_NE(llvm::toString(absent.takeError()).find("unable to open"),
            std::string::npos);
  std::error_code failed;
  llvm::raw_fd_ostream(path, failed) << "this is a text and no database, and "
                                        "longer than a header of SQLite has";
  for (auto access : {Database::Read, Database::Write}) {
    auto opened = Database::open(path, access);
    EXPECT_FALSE(bool(opened));
    EXPECT_NE(llvm::toString(opened.takeError()).find("not a database"),
              std::string::npos);
  }
}

TEST_F(Databases, MissingRowsAreRefused) {
  auto database = open(Database::Write);
  Row row;
  row.number = 1;
  row.key = "k";
  ASSERT_FALSE(bool(database->write({&row}, {})));
  ASSERT_FALSE(bool(database->finishLog()));
  row.number = 3;
  row.key = "other";
  ASSERT_FALSE(bool(database->write({&row}, {})));
  auto rows = database->rows(); // point 2 is missing
  EXPECT_FALSE(bool(rows));
  EXPECT_NE(llvm::toString(rows.takeError()).find("point 2 is missing"),
            std::string::npos);
}
