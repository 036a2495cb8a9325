//===- LinkTest.cpp - Links in this process -------------------------------===//

#include "chi/Target/CPU/Link/Link.h"
#include "../CPUTargetTest.h"
#include "chi/Target/CPU/Link/StartFiles.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <dlfcn.h>

using namespace chi::target;

namespace {
class LinkTest : public cpu::CPUTargetTest {};

/// A folder that is removed at the end.
struct TemporaryFolder {
  TemporaryFolder() { llvm::sys::fs::createUniqueDirectory("chi-test", path); }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(path); }
  std::string name() const { return path.str().str(); }
  std::string file(const char *inside) const { return name() + "/" + inside; }
  llvm::SmallString<64> path;
};
} // namespace

TEST_F(LinkTest, LinksAndRuns) {
  auto object = emit(cpu::OutputKind::Object, {});
  TemporaryFolder folder;
  std::string library = folder.file("add.so");
  cpu::link::LinkOptions options;
  options.scratchFolder = folder.name();
  for (int again = 0; again < 2; ++again) { // lld runs twice in one process
    auto linked = cpu::link::linkObjects(
        {std::string(object.begin(), object.end())}, options);
    ASSERT_TRUE(bool(linked)) << llvm::toString(linked.takeError());
    std::error_code error;
    llvm::raw_fd_ostream(library, error) << *linked;
  }
  void *handle = dlopen(library.c_str(), RTLD_NOW);
  ASSERT_NE(handle, nullptr) << dlerror();
  auto addOne = reinterpret_cast<int (*)(int)>(dlsym(handle, "add_one"));
  EXPECT_EQ(addOne(41), 42);
  dlclose(handle);
}

TEST_F(LinkTest, ErrorsNameTheFile) {
  TemporaryFolder folder;
  auto errorOf = [&](cpu::link::LinkOptions options,
                     const std::string &object) {
    auto linked = cpu::link::linkObjects({object}, options);
    return linked ? "" : llvm::toString(linked.takeError());
  };
  cpu::link::LinkOptions options;
  options.scratchFolder = "/no/such/folder";
  EXPECT_EQ(
      errorOf(options, ""),
      "'/no/such/folder/0.o' cannot be written: No such file or directory");
  options.scratchFolder = folder.name();
  std::string text = errorOf(options, "no object");
  EXPECT_NE(text.find("0.o"), std::string::npos) << text;
  options.kind = cpu::link::LinkKind::SharedLibrary;
  options.runtime = "/no/such/chirt.o";
  auto good = emit(cpu::OutputKind::Object, {});
  text = errorOf(options, std::string(good.begin(), good.end()));
  EXPECT_NE(text.find("/no/such/chirt.o"), std::string::npos) << text;
}

TEST_F(LinkTest, MissingStartFilesAreNamed) {
  llvm::vfs::InMemoryFileSystem empty;
  auto files = cpu::link::findStartFiles(empty, /*isStatic=*/false);
  std::string text = llvm::toString(files.takeError());
  EXPECT_NE(text.find("Scrt1.o"), std::string::npos) << text;
  // What a static executable needs beyond them.
  for (const char *name : {"crt1.o", "crti.o", "crtn.o"})
    empty.addFile(std::string("/usr/lib/") + name, 0,
                  llvm::MemoryBuffer::getMemBuffer(""));
  text = llvm::toString(cpu::link::findStartFiles(empty, true).takeError());
  EXPECT_NE(text.find("libgcc_eh.a"), std::string::npos) << text;
}
