//===- EachPass.cpp - Each pass on each part of many files ----------------===//
#include "EachPass.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using llvm::StringRef;

namespace {
/// What the parent sees of a child, also of one that crashed.
struct Progress {
  size_t part, pass; ///< of the run that is going on
  size_t runs;       ///< that have begun
  size_t bad;        ///< that did not end well
  bool isParsing;
};

/// The runs on one file, in a child.
class FileRuns {
public:
  FileRuns(const DialectRegistry &registry, llvm::ArrayRef<StringRef> passes,
           StringRef file, StringRef text, Progress &progress)
      : context(registry, MLIRContext::Threading::DISABLED), passes(passes),
        file(file), progress(progress) {
    context.allowUnregisteredDialects();
    text.split(parts, "// -----");
  }

  /// Goes on with the run that `progress` names.
  void go();

private:
  void runPasses(ModuleOp module);
  void runPass(ModuleOp module, StringRef name);

  MLIRContext context;
  llvm::ArrayRef<StringRef> passes;
  StringRef file;
  llvm::SmallVector<StringRef> parts;
  Progress &progress;
};
} // namespace

/// Seconds of computing after which a run is one that does not end.
static constexpr time_t kLimit = 20;

static void limitTime() {
  itimerval limit = {};
  limit.it_value.tv_sec = kLimit;
  setitimer(ITIMER_VIRTUAL, &limit, nullptr);
}

void FileRuns::runPass(ModuleOp module, StringRef name) {
  size_t errors = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success();
  });
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(&context);
  if (failed(parsePassPipeline(name, manager, llvm::errs()))) {
    ++progress.bad;
    return;
  }
  limitTime();
  bool isFailed = failed(manager.run(*copy));
  if (isFailed && !errors) {
    ++progress.bad;
    llvm::outs() << file << ", part " << progress.part + 1 << ": --" << name
                 << " fails without a diagnostic\n";
  }
}

void FileRuns::runPasses(ModuleOp module) {
  for (; progress.pass < passes.size(); ++progress.pass) {
    ++progress.runs;
    runPass(module, passes[progress.pass]);
  }
}

void FileRuns::go() {
  for (; progress.part < parts.size(); ++progress.part, progress.pass = 0) {
    limitTime();
    OwningOpRef<ModuleOp> module;
    {
      ScopedDiagnosticHandler silent(&context,
                                     [](Diagnostic &) { return success(); });
      progress.isParsing = true;
      module = parseSourceString<ModuleOp>(parts[progress.part], &context);
      progress.isParsing = false;
    }
    if (module)
      runPasses(*module);
  }
}

/// Memory that parent and children share.
static Progress *sharedProgress() {
  void *memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) Progress();
}

/// The runs on one file, in as many children as it takes.
static void runFile(const DialectRegistry &registry,
                    llvm::ArrayRef<StringRef> passes, StringRef file,
                    StringRef text, Progress &progress) {
  progress.part = progress.pass = 0;
  while (true) {
    llvm::outs().flush();
    pid_t child = fork();
    if (child == 0) {
      FileRuns(registry, passes, file, text, progress).go();
      llvm::outs().flush();
      _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) {
      ++progress.bad;
      llvm::outs() << "no process for " << file << "\n";
      return;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      return;
    ++progress.bad;
    llvm::outs() << file << ", part " << progress.part + 1 << ": "
                 << (progress.isParsing ? "parser" : passes[progress.pass])
                 << ": "
                 << (WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit")
                 << "\n";
    if (progress.isParsing)
      ++progress.part, progress.pass = 0;
    else
      ++progress.pass;
  }
}

int chi::opt::runEachPass(const DialectRegistry &registry,
                          llvm::ArrayRef<StringRef> passes,
                          llvm::ArrayRef<StringRef> files) {
  Progress *progress = sharedProgress();
  if (!progress || passes.empty())
    return 2;
  for (StringRef file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) {
      llvm::outs() << file << " cannot be read\n";
      return 2;
    }
    runFile(registry, passes, file, (*buffer)->getBuffer(), *progress);
  }
  llvm::outs() << files.size() << " files, " << passes.size() << " passes, "
               << progress->runs << " runs, " << progress->bad
               << " did not end well\n";
  return progress->bad != 0;
}
