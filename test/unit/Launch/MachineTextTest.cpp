//===- MachineTextTest.cpp - Descriptions of machines ---------------------===//
#include "chi/Launch/MachineText.h"
#include "gtest/gtest.h"

using namespace chi;
using namespace chi::launch;

static std::string problem(const char *text) {
  MachineDescription machine;
  return readMachine(text, machine).value_or("");
}

TEST(MachineText, AllOfIt) {
  MachineDescription machine;
  EXPECT_EQ(readMachine("l1=16KiB,l2=1MiB,l3=1GiB,line=128,vector=256,cores=3",
                        machine),
            std::nullopt);
  EXPECT_EQ(machine.l1, 16 << 10);
  EXPECT_EQ(machine.l2, 1 << 20);
  EXPECT_EQ(machine.l3, 1 << 30);
  EXPECT_EQ(machine.line, 128);
  EXPECT_EQ(machine.vector, 256);
  EXPECT_EQ(machine.cores, 3);
}

TEST(MachineText, CoresAreNoPartOfTheText) {
  MachineDescription machine;
  EXPECT_EQ(codeText(machine), "");
  ASSERT_FALSE(readMachine("cores=2,l3=8MiB,vector=128", machine));
  EXPECT_EQ(codeText(machine), "l3=8388608 vector=128 ");
}

TEST(MachineText, MalformedOnesSayWhy) {
  for (auto [text, words] : {
           std::pair("", "`` is not NAME=VALUE; a description is a list of"),
           {"l3", "`l3` is not NAME=VALUE"},
           {"l4=8MiB", "there is no `l4`; a description is a list of"},
           {"l3=8MB",
            "`l3=8MB`: `8MB` is not a size such as 4096, 32KiB or 8MiB"},
           {"l3=0", "`0` is not a size"},
           {"l3=-1", "`-1` is not a size"},
           {"l3=", "`` is not a size"},
           {"l3=9999GiB", "`9999GiB` is not a size"},
           {"l3=99999999999999999999", "is not a size"},
           {"l3=8MiB,", "`` is not NAME=VALUE"},
           {"l3=8MiB,l3=9MiB", "`l3` is given twice"},
           {"l2=2MiB,l3=1MiB", "`l3` is smaller than `l2`"},
           {"l1=1MiB,l3=1KiB", "`l3` is smaller than `l1`"},
           {"line=48", "a cache line has 16 to 4096 bytes, a power of two"},
           {"vector=64", "vector registers have 128, 256 or 512 bits"},
           {"vector=1KiB", "`1KiB` is not a positive number"},
           {"cores=0", "`0` is not a positive number"},
           {"cores=5000", "there are at most 4096 cores"},
       })
    EXPECT_NE(problem(text).find(words), std::string::npos)
        << text << ": " << problem(text);
}

TEST(MachineText, AMalformedOneChangesNothing) {
  MachineDescription machine;
  EXPECT_TRUE(readMachine("l3=8MiB,line=3", machine));
  EXPECT_EQ(machine.l3, 0);
}
