#include "chi/Sweep/Slurm/Batch.h"
#include <gtest/gtest.h>

using namespace chi::sweep;

TEST(Batch, Chunks) {
  EXPECT_EQ(chunkOf(600, 0, 100), 1); // not known
  EXPECT_EQ(chunkOf(600, 3, 1000), 200);
  EXPECT_EQ(chunkOf(600, 3, 100), 100);
  EXPECT_EQ(chunkOf(600, 900, 100), 1);
}

TEST(Batch, TimeLimits) {
  EXPECT_EQ(signalLead("02:00:00"), 60);
  EXPECT_EQ(signalLead("1"), 12);
  EXPECT_EQ(signalLead("0:30"), 6);
  EXPECT_EQ(signalLead("1-12"), 60);
  EXPECT_EQ(signalLead("0-0:01:40"), 20);
  for (const char *text : {"", "soon", "1:2:3:4", "0", "x-1"})
    EXPECT_FALSE(signalLead(text)) << text;
}

TEST(Batch, Scripts) {
  SlurmRequest request;
  request.time = "00:10:00";
  request.gpus = "1";
  request.sbatch = {"--mem=4G"};
  EXPECT_EQ(scriptOf(request, "chi-ab-1", "/o/it's", "/bin/chic", 8),
            "#!/bin/sh\n"
            "#SBATCH --job-name=chi-ab-1\n"
            "#SBATCH --array=0-7\n"
            "#SBATCH --output=/o/it's/%a.log\n"
            "#SBATCH --open-mode=append\n"
            "#SBATCH --requeue\n"
            "#SBATCH --time=00:10:00\n"
            "#SBATCH --signal=B:USR1@60\n"
            "#SBATCH --gpus-per-task=1\n"
            "#SBATCH --ntasks=1\n"
            "#SBATCH --mem=4G\n"
            "exec '/bin/chic' sweep --worker '/o/it'\\''s'\n");
}

TEST(Batch, Names) {
  EXPECT_EQ(batchFolder("/o", 3), "/o/slurm/batch-0003");
  EXPECT_EQ(linesName(3, 12, 1), "slurm-0003-0012-001.jsonl");
  EXPECT_LT(linesName(3, 12, 9), linesName(3, 12, 10));
  EXPECT_TRUE(readTasks("/absent").empty());
}
