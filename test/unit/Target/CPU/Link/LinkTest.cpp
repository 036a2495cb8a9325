//===- LinkTest.cpp - Links in this process -------------------------------===//

#include "chi/Target/CPU/Link/Link.h"
#include "../CPUTargetTest.h"
#include "chi/Target/CPU/Link/StartFiles.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <dlfcn.h>
#include <set>

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
  options.provenance = "\"program\": \"a.chi\"";
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
  auto *provenance = static_cast<const char *>(dlsym(handle, "chi_provenance"));
  ASSERT_NE(provenance, nullptr);
  EXPECT_STREQ(provenance, "\"program\": \"a.chi\"");
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

// A file system with all that an executable needs: each is found where it is,
// and the loader is the one of the architecture.
TEST_F(LinkTest, StartFilesAreWhereTheyAre) {
  llvm::vfs::InMemoryFileSystem system;
  for (const char *name :
       {"/usr/lib64/Scrt1.o", "/usr/lib64/crti.o", "/usr/lib64/crtn.o",
        "/usr/lib64/libc.so", "/usr/lib64/libm.so",
        "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"})
    system.addFile(name, 0, llvm::MemoryBuffer::getMemBuffer(""));
  auto files = cpu::link::findStartFiles(system, /*isStatic=*/false);
  ASSERT_TRUE(bool(files)) << llvm::toString(files.takeError());
  EXPECT_EQ(files->start, "/usr/lib64/Scrt1.o");
  EXPECT_EQ(files->prologue, "/usr/lib64/crti.o");
  EXPECT_EQ(files->epilogue, "/usr/lib64/crtn.o");
  EXPECT_NE(llvm::find(files->folders, "/usr/lib64"), files->folders.end());
  EXPECT_NE(files->loader.find("ld-linux"), std::string::npos);
}

// An object that is to be linked further: its names are local, those of the
// library are not, and what it needs is left open.
TEST_F(LinkTest, ObjectsShowOnlyTheLibrary) {
  auto object = emit(cpu::OutputKind::Object, {});
  TemporaryFolder folder;
  cpu::link::LinkOptions options;
  options.kind = cpu::link::LinkKind::Object;
  options.scratchFolder = folder.name();
  options.library.stem = "blur";
  options.library.prefix = "chi_blur_";
  auto linked = cpu::link::linkObjects(
      {std::string(object.begin(), object.end())}, options);
  ASSERT_TRUE(bool(linked)) << llvm::toString(linked.takeError());
  auto file = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(*linked, "joined.o"));
  ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
  std::set<std::string> seen, missing;
  bool hasLocal = false;
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    std::string name = llvm::cantFail(symbol.getName()).str();
    uint32_t flags = llvm::cantFail(symbol.getFlags());
    hasLocal |=
        name == "add_one" && !(flags & llvm::object::SymbolRef::SF_Global);
    if (flags & llvm::object::SymbolRef::SF_Undefined)
      missing.insert(name);
    else if (flags & llvm::object::SymbolRef::SF_Global)
      seen.insert(name);
  }
  std::vector<std::string> exports = options.library.exports();
  std::set<std::string> expected(exports.begin(), exports.end());
  expected.erase("chirt_pool_1"); // of the run time, which is not in it
  EXPECT_EQ(seen, expected);
  EXPECT_TRUE(hasLocal) << "the program's own name";
  EXPECT_EQ(missing.count("chirt_main"), 1u);
}

// Two objects that define one name do not fit: the message names it.
TEST_F(LinkTest, NamesThatAreThereTwice) {
  auto bytes = emit(cpu::OutputKind::Object, {});
  std::string object(bytes.begin(), bytes.end());
  TemporaryFolder folder;
  cpu::link::LinkOptions options;
  options.scratchFolder = folder.name();
  auto linked = cpu::link::linkObjects({object, object}, options);
  ASSERT_FALSE(bool(linked));
  std::string text = llvm::toString(linked.takeError());
  EXPECT_EQ(text.find("linking failed: "), 0u) << text;
  EXPECT_NE(text.find("duplicate symbol: add_one"), std::string::npos) << text;
  // The linker works again after that.
  auto again = cpu::link::linkObjects({object}, options);
  EXPECT_TRUE(bool(again)) << llvm::toString(again.takeError());
}
