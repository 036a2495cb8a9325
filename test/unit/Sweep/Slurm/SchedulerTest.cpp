#include "chi/Sweep/Slurm/Scheduler.h"
#include <gtest/gtest.h>

using namespace chi::sweep;

TEST(Scheduler, States) {
  ArrayStates states = readStates("chi-1|0|17|RUNNING|None\n"
                                  "chi-1|1|18|PENDING|BeginTime\n"
                                  "chi-2|0|19|NODE_FAIL|NodeDown\n"
                                  "chi-3|N/A|20|RUNNING|None\n"
                                  "slurm_load_jobs error\n\n");
  ASSERT_EQ(states.size(), 3u);
  EXPECT_TRUE(states.at({"chi-1", 0}).isAlive());
  EXPECT_EQ(states.at({"chi-1", 0}).job, "17");
  EXPECT_EQ(states.at({"chi-1", 1}).reason, "BeginTime");
  EXPECT_FALSE(states.at({"chi-2", 0}).isAlive());
}
