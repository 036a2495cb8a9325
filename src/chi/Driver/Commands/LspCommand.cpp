//===- LspCommand.cpp - chic lsp ------------------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Compile/Frontend.h"
#include "chi/Driver/FindPrograms.h"
#include "chi/LSP/Server/Server.h"
#include "chi/Launch/Files.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <poll.h>
#include <unistd.h>

using namespace chi;
using namespace chi::driver;

namespace {
/// The disk, and the standard input.
class DiskWorld final : public lsp::World {
public:
  DiskWorld(const DriverEnv &env, std::vector<std::string> includeDirs)
      : env(env), includeDirs(std::move(includeDirs)) {
    for (std::string &each : this->includeDirs)
      each = launch::absolutePath(each);
  }

  std::optional<std::string> read(const std::string &path) override {
    std::string why;
    return launch::readModule(path, why);
  }
  std::unique_ptr<sema::ModuleLoader>
  loader(SourceFiles &sources, ast::Context &context, DiagnosticEngine &diags,
         const lsp::OpenTexts &open) override {
    return std::make_unique<ModuleFiles>(sources, context, diags, includeDirs,
                                         standardFolder(), &open);
  }
  std::vector<std::string> filesIn(const std::string &folder,
                                   size_t most) override;
  std::string standardFolder() override { return env.stdlibFolder(); }
  std::string builtinWords() override {
    return read(env.builtinWordsFile()).value_or("");
  }
  bool isInputWaiting() override {
    constexpr int kMilliseconds = 25; // less than anybody notices
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return ::poll(&input, 1, kMilliseconds) > 0;
  }

private:
  const DriverEnv &env;
  std::vector<std::string> includeDirs;
};
} // namespace

/// Folders of version control and builds are not entered.
std::vector<std::string> DiskWorld::filesIn(const std::string &folder,
                                            size_t most) {
  std::vector<std::string> files;
  std::error_code failed;
  size_t entries = 0, mostEntries = 20 * most;
  using Walk = llvm::sys::fs::recursive_directory_iterator;
  for (Walk at(folder, failed, /*follow_symlinks=*/false), end;
       at != end && !failed && files.size() < most && entries < mostEntries;
       at.increment(failed), ++entries) {
    llvm::StringRef name = llvm::sys::path::filename(at->path());
    bool isFolder = at->type() == llvm::sys::fs::file_type::directory_file;
    if (isFolder && (name.starts_with(".") || name.starts_with("build") ||
                     name == "node_modules"))
      at.no_push();
    else if (!isFolder && name.ends_with(".chi"))
      files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void chi::driver::addLspCommand(CLI::App &app, DriverEnv &env) {
  auto includeDirs = std::make_shared<std::vector<std::string>>();
  CLI::App *verb = app.add_subcommand(
      "lsp", "Serve an editor by the language server protocol, on standard "
             "input and output");
  verb->add_option("-I", *includeDirs,
                   "Add a folder in which imported modules are searched")
      ->type_name("DIR")
      ->allow_extra_args(false);
  // Some editors say what is so anyway.
  verb->add_flag("--stdio")->group("");
  verb->callback([includeDirs, &env] {
    DiskWorld world(env, *includeDirs);
    std::setvbuf(stdin, nullptr, _IONBF, 0);
    exitWith(lsp::serve(world, stdin, env.out));
  });
}
