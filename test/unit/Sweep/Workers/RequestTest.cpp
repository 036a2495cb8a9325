#include "chi/Sweep/Workers/Request.h"
#include "chi/Sweep/Workers/Progress.h"
#include <gtest/gtest.h>

using namespace chi::sweep;
using Texts = std::vector<std::string>;

static Request request() {
  Request request;
  request.program = "/p/sim.chi";
  request.fixed = {"--steps=5", "--float", "strict"};
  request.hash = "h";
  request.inputs = {"/data/in.npy"};
  request.specialized = {"n"};
  request.seed = ~uint64_t(0);
  request.gpus = {"0", "2"};
  request.slurm.isUsed = true;
  request.slurm.time = "00:10:00";
  request.slurm.chunkTime = 12.5;
  return request;
}

TEST(Request, RoundTrips) {
  auto read = readRequest(textOf(request()));
  ASSERT_TRUE(bool(read));
  EXPECT_EQ(textOf(*read), textOf(request()));
  EXPECT_EQ(read->seed, ~uint64_t(0));
  EXPECT_EQ(read->slurm.chunkTime, 12.5);
  EXPECT_EQ(read->gpus, (Texts{"0", "2"}));
  auto wrong = readRequest("[]");
  EXPECT_FALSE(bool(wrong));
  llvm::consumeError(wrong.takeError());
}

TEST(Request, Commands) {
  Point point{{{"dt", "0.1"}, {"n", "64"}}};
  Row row = rowOf(point, request());
  row.number = 12;
  row.attempts = 3;
  std::string seed = "--seed=" + std::to_string(row.seed);
  Task task = taskOf(row, request(), "/out", "/bin/chic", 4, "2");
  EXPECT_EQ(task.command, (Texts{"/bin/chic", "run", "/p/sim.chi", "--steps=5",
                                 "--float", "strict", "--threads=4",
                                 "--device=2", seed, "--dt=0.1", "--n=64"}));
  EXPECT_EQ(task.folder, "/out/points/00012");
  EXPECT_EQ(task.attempt, 3);
  EXPECT_FALSE(task.continues);
  EXPECT_EQ(compiledInto(row, request()), "n=64\n");
  auto read = readTask(textOf(task));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->command, task.command);
  EXPECT_EQ(read->inputs, task.inputs);
  EXPECT_EQ(pointOf(row).text(), "dt=0.1, n=64");
  for (const char *text : {"", "{}", "{\"point\": 1}", "[]"})
    EXPECT_FALSE(readTask(text)) << text;
}

TEST(Request, Checkpoints) {
  Request one = request();
  one.hasCheckpoints = true;
  one.every = "5s";
  Row row = rowOf({{{"threads", "2"}}}, one);
  row.number = 1;
  row.hasCheckpoint = true;
  Task task = taskOf(row, one, "/out", "/bin/chic", 4, "");
  std::string words;
  for (const std::string &word : task.command)
    words += word + " ";
  EXPECT_NE(words.find("--checkpoint=state.ckpt --every=5s "
                       "--resume=state.ckpt"),
            std::string::npos)
      << words;
  EXPECT_TRUE(task.continues);
  EXPECT_EQ(words.find("--threads=4"), std::string::npos); // it is swept
}

TEST(Request, Seeds) {
  Request one = request();
  one.seed = 3;
  Row derived = rowOf({{{"a", "1"}}}, one);
  EXPECT_EQ(derived.seed, seedOf({{{"a", "1"}}}, 3));
  EXPECT_EQ(rowOf({{{"seed", "8"}}}, one).seed, 8u);
  one.hasSameSeed = true;
  EXPECT_EQ(rowOf({{{"a", "1"}}}, one).seed, 3u);
}

TEST(Progress, Texts) {
  EXPECT_EQ(durationText(0.2), "1 s");
  EXPECT_EQ(durationText(200), "3 min 20 s");
  EXPECT_EQ(durationText(7500), "2 h 5 min");
  std::string text;
  llvm::raw_string_ostream out(text);
  Ledger::Counts counts;
  counts.states[Row::Done] = 3;
  counts.states[Row::Failed] = 1;
  Progress progress(out, false, {});
  progress.show(counts); // not due
  EXPECT_EQ(text, "");
  progress.finish(counts);
  EXPECT_EQ(text, "sweep: 3 done, 0 running, 1 failed of 4, 1 s\n");
}
