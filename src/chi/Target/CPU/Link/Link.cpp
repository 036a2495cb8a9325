//===- Link.cpp - The linker, in this process -----------------------------===//

#include "chi/Target/CPU/Link/Link.h"
#include "chi/Target/CPU/CPUTarget.h"
#include "chi/Target/CPU/Link/StartFiles.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/Binary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace chi::target;
using cpu::link::LinkKind;
using cpu::link::LinkOptions;
using Words = std::vector<std::string>;

namespace {
/// A file name whose content comes to memory. lld writes to ordinary files
/// through a mapping, where a full disk is a SIGBUS, or by a stream that ends
/// the process; into a pipe it writes as long as there is memory.
class Sink {
public:
  Sink() {
    if (::pipe2(ends, O_CLOEXEC) != 0)
      return;
    auto read = [](void *sink) -> void * {
      static_cast<Sink *>(sink)->readAll();
      return nullptr;
    };
    isRead = ::pthread_create(&reader, nullptr, read, this) == 0;
  }
  ~Sink() { (void)take(); }
  Sink(const Sink &) = delete;

  bool isOpen() const { return isRead; }
  std::string path() const {
    return "/proc/self/fd/" + std::to_string(ends[1]);
  }

  /// All that was written; nothing can be written any more.
  std::string take() {
    for (int k : {1, 0}) {
      if (k == 0 && std::exchange(isRead, false))
        ::pthread_join(reader, nullptr);
      if (ends[k] >= 0)
        ::close(std::exchange(ends[k], -1));
    }
    return std::move(bytes);
  }

private:
  void readAll() {
    std::vector<char> part(1 << 16);
    for (;;) {
      ssize_t got = ::read(ends[0], part.data(), part.size());
      if (got > 0)
        bytes.append(part.data(), got);
      else if (got == 0 || errno != EINTR)
        return;
    }
  }

  int ends[2] = {-1, -1};
  std::string bytes;
  pthread_t reader = {};
  bool isRead = false;
};
} // namespace

/// lld keeps its state in globals: one link at a time, and none after one
/// that reports a broken state.
static llvm::Error runLinker(const Words &arguments) {
  static std::mutex mutex;
  static bool isBroken = false;
  std::lock_guard lock(mutex);
  if (isBroken)
    return llvm::createStringError("the linker cannot run again after a crash");
  llvm::SmallVector<const char *> raw{"ld.lld"};
  for (const std::string &argument : arguments)
    raw.push_back(argument.c_str());
  std::string out, err;
  llvm::raw_string_ostream outStream(out), errStream(err);
  lld::Result result =
      lld::lldMain(raw, outStream, errStream, {{lld::Gnu, &lld::elf::link}});
  isBroken = !result.canRunAgain;
  if (result.retCode == 0)
    return llvm::Error::success();
  return llvm::createStringError("linking failed: " +
                                 llvm::StringRef(err).trim().str());
}

static llvm::Error writeInput(const std::string &path, llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (!error) {
    out << bytes;
    out.close();
    error = out.error();
    out.clear_error();
  }
  return error ? llvm::createStringError(
                     "'" + path + "' cannot be written: " + error.message())
               : llvm::Error::success();
}

/// The object by which others enter the program: `main` of an executable, the
/// functions for C of a library.
static llvm::Expected<std::string> makeEntry(const LinkOptions &options) {
  llvm::SmallVector<char> bytes;
  cpu::CodeOptions code;
  code.cpu = "generic";
  llvm::Error error =
      options.kind == LinkKind::Executable
          ? cpu::emitMainObject(code, bytes)
          : cpu::emitLibraryObject(options.library, code, bytes);
  if (error)
    return std::move(error);
  return std::string(bytes.begin(), bytes.end());
}

/// An object (its bytes) with all of its names local but those that are for C:
/// two objects of Chi programs go into one program.
static llvm::Expected<std::string> hideNames(llvm::StringRef object,
                                             const cpu::Library &library) {
  auto binary =
      llvm::object::createBinary(llvm::MemoryBufferRef(object, "joined.o"));
  if (!binary)
    return binary.takeError();
  llvm::objcopy::ConfigManager config;
  auto ignoreWarning = [](llvm::Error error) {
    llvm::consumeError(std::move(error));
    return llvm::Error::success();
  };
  const std::vector<std::string> names = library.exports(); // not copied there
  for (const std::string &name : names) {
    auto pattern = llvm::objcopy::NameOrPattern::create(
        name, llvm::objcopy::MatchStyle::Literal, ignoreWarning);
    if (llvm::Error error =
            config.Common.SymbolsToKeepGlobal.addMatcher(std::move(pattern)))
      return std::move(error);
  }
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (llvm::Error error =
          llvm::objcopy::executeObjcopyOnBinary(config, **binary, stream))
    return std::move(error);
  return bytes;
}

/// An object (its bytes) with the constant `chi_provenance`. It is no part of
/// the host code's object, which is taken from the cache also if a kernel's
/// text has changed.
static llvm::Expected<std::string> addProvenance(llvm::StringRef object,
                                                 const std::string &text) {
  auto binary =
      llvm::object::createBinary(llvm::MemoryBufferRef(object, "unit.o"));
  if (!binary)
    return binary.takeError();
  constexpr const char *section = ".rodata.chi_provenance";
  llvm::StringRef bytes(text.c_str(), text.size() + 1);
  llvm::objcopy::ConfigManager config;
  config.Common.AddSection.emplace_back(
      section, llvm::MemoryBuffer::getMemBufferCopy(bytes));
  auto flags = llvm::objcopy::SectionFlag(llvm::objcopy::SecAlloc |
                                          llvm::objcopy::SecReadonly |
                                          llvm::objcopy::SecData);
  config.Common.SetSectionFlags[section] = {section, flags};
  llvm::objcopy::NewSymbolInfo symbol;
  symbol.SymbolName = "chi_provenance";
  symbol.SectionName = section;
  symbol.Flags = {llvm::objcopy::SymbolFlag::Global,
                  llvm::objcopy::SymbolFlag::Object};
  config.Common.SymbolsToAdd.push_back(symbol);
  std::string result;
  llvm::raw_string_ostream stream(result);
  if (llvm::Error error =
          llvm::objcopy::executeObjcopyOnBinary(config, **binary, stream))
    return std::move(error);
  return result;
}

/// Adds what no object of the program has: the entry, the provenance.
static llvm::Error completeObjects(std::vector<std::string> &objects,
                                   const LinkOptions &options) {
  if (options.kind != LinkKind::Program) {
    auto entry = makeEntry(options);
    if (!entry)
      return entry.takeError();
    objects.push_back(std::move(*entry));
  }
  if (options.provenance.empty())
    return llvm::Error::success();
  auto changed = addProvenance(objects.back(), options.provenance);
  if (!changed)
    return changed.takeError();
  objects.back() = std::move(*changed);
  return llvm::Error::success();
}

/// The C and the mathematics library, by the names that every machine has.
static void addSystemLibraries(Words &arguments) {
  for (const char *name : {"libm.so.6", "libc.so.6"})
    for (const char *folder :
         {"/lib/x86_64-linux-gnu/", "/lib/aarch64-linux-gnu/", "/lib64/",
          "/usr/lib64/", "/lib/", "/usr/lib/"})
      if (std::string path = std::string(folder) + name;
          llvm::sys::fs::exists(path)) {
        arguments.push_back(path);
        break;
      }
}

/// Small inputs: threads of the linker would cost more than they save.
static Words sharedArguments(const LinkOptions &options, const Words &files) {
  Words arguments{"-shared",         "--threads=1", "--hash-style=gnu",
                  "--build-id=none", "-z",          "now"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  if (options.kind == LinkKind::SharedLibrary) {
    arguments.push_back(options.runtime);
    arguments.push_back("--version-script=" + options.scratchFolder +
                        "/exports");
    addSystemLibraries(arguments);
  }
  return arguments;
}

static llvm::Expected<Words> executableArguments(const LinkOptions &options,
                                                 const Words &files) {
  auto start = cpu::link::findStartFiles(*llvm::vfs::getRealFileSystem(),
                                         options.isStatic);
  if (!start)
    return start.takeError();
  Words arguments{"--threads=1", "--hash-style=gnu", "--gc-sections",
                  "--eh-frame-hdr"};
  if (options.isStatic)
    arguments.push_back("-static");
  else
    arguments.insert(arguments.end(),
                     {"-pie", "-dynamic-linker", start->loader});
  arguments.push_back(start->start);
  arguments.push_back(start->prologue);
  for (const std::string &folder : start->folders)
    arguments.push_back("-L" + folder);
  arguments.push_back("--start-group");
  arguments.insert(arguments.end(), files.begin(), files.end());
  arguments.insert(arguments.end(), {options.runtime, "-lm", "-lc"});
  // The C library's archive needs parts of the compiler's.
  arguments.insert(arguments.end(), start->supportLibraries.begin(),
                   start->supportLibraries.end());
  arguments.push_back("--end-group");
  arguments.push_back(start->epilogue);
  return arguments;
}

static llvm::Expected<Words> argumentsOf(const LinkOptions &options,
                                         Words files) {
  switch (options.kind) {
  case LinkKind::Program:
  case LinkKind::SharedLibrary:
    return sharedArguments(options, files);
  case LinkKind::Executable:
    return executableArguments(options, files);
  case LinkKind::Object:
    files.insert(files.begin(), {"-r", "--threads=1"});
    return files;
  }
  llvm_unreachable("a kind of link");
}

llvm::Expected<std::string>
cpu::link::linkObjects(llvm::ArrayRef<std::string> objects,
                       const LinkOptions &options) {
  Words all(objects.begin(), objects.end()), files;
  if (llvm::Error error = completeObjects(all, options))
    return std::move(error);
  for (const std::string &object : all) {
    files.push_back(options.scratchFolder + "/" + std::to_string(files.size()) +
                    ".o");
    if (llvm::Error error = writeInput(files.back(), object))
      return std::move(error);
  }
  std::string exports = options.scratchFolder + "/exports";
  if (options.kind == LinkKind::SharedLibrary)
    if (llvm::Error error = writeInput(
            exports,
            "{ global: " + llvm::join(options.library.exports(), "; ") +
                "; local: *; };\n"))
      return std::move(error);
  auto arguments = argumentsOf(options, std::move(files));
  if (!arguments)
    return arguments.takeError();
  Sink output;
  if (!output.isOpen())
    return llvm::createStringError(
        "linking failed: cannot create a pipe or a thread");
  arguments->insert(arguments->end(), {"-o", output.path()});
  if (llvm::Error error = runLinker(*arguments))
    return std::move(error);
  std::string linked = output.take();
  if (options.kind != LinkKind::Object)
    return linked;
  return hideNames(linked, options.library);
}
