//===- DocCommand.cpp - chic doc ------------------------------------------===//
#include "chi/Doc/Doc.h"
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Compile/Frontend.h"
#include "chi/Driver/FindPrograms.h"
#include "chi/Launch/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>

using namespace chi;
using namespace chi::driver;

namespace {
struct DocOptions {
  std::vector<std::string> names;
  std::string output; ///< a folder, or "" for the standard output
  launch::CompileOptions compile;
  launch::DiagnosticOptions diagnostics;
};

/// A module to describe.
struct Wanted {
  std::string name, file;
};

/// Writes the pages of the modules of one command line.
class DocWriter {
public:
  DocWriter(const DocOptions &options, DriverEnv &env)
      : options(options), env(env) {}
  int run();

private:
  void addName(const std::string &name);
  void addFolder(const std::string &folder);
  void dropInner(size_t begin);
  std::optional<std::string> fileOf(const std::string &module) const;
  int describe(const Wanted &wanted);
  int write();
  int writePage(const std::string &name, const std::string &text);
  int fail(const std::string &sentence) {
    env.err << "chic: " << sentence << "\n";
    return ExitWorld;
  }

  const DocOptions &options;
  DriverEnv &env;
  int status = ExitGood;
  std::vector<Wanted> wanted;
  std::vector<doc::Page> pages;
  llvm::StringSet<> parts; ///< files whose names another module shows
};
} // namespace

static std::string stemOf(llvm::StringRef file) {
  return llvm::sys::path::stem(file).str();
}

/// Whether a file of a folder has a page: no tests, and no part of a name that
/// is its module's own.
static bool isModule(llvm::StringRef relative) {
  for (llvm::StringRef part : llvm::make_range(llvm::sys::path::begin(relative),
                                               llvm::sys::path::end(relative)))
    if (part.starts_with("_") || part.starts_with(".") || part == "internal")
      return false;
  return !relative.ends_with("_test.chi") && !relative.starts_with("test_");
}

/// The modules that a program imports, as far as its lines show.
static std::vector<std::string> importsOf(const std::string &file) {
  std::vector<std::string> found;
  auto text = launch::readFile(file);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text ? *text : "").split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (line.consume_front("import ") || line.consume_front("from "))
      found.push_back(
          line.ltrim(' ').take_until([](char c) { return c == ' '; }).str());
  return found;
}

/// Leaves out what serves a module alone: files in its folder (`fft.passes`)
/// that it or one of them imports.
void DocWriter::dropInner(size_t begin) {
  llvm::StringSet<> outer, inner;
  auto family = [](llvm::StringRef name) { return name.split('.').first; };
  for (size_t k = begin; k < wanted.size(); ++k)
    if (!llvm::StringRef(wanted[k].name).contains('.'))
      outer.insert(wanted[k].name);
  for (size_t k = begin; k < wanted.size(); ++k)
    for (const std::string &name : importsOf(wanted[k].file))
      if (name.find('.') != name.npos && outer.contains(family(name)) &&
          family(name) == family(wanted[k].name))
        inner.insert(name);
  llvm::erase_if(wanted,
                 [&](const Wanted &each) { return inner.contains(each.name); });
}

/// The modules of a folder by their dotted names, outer ones first: they may
/// show the names of those in their folders.
void DocWriter::addFolder(const std::string &folder) {
  size_t begin = wanted.size();
  for (const std::string &file : findPrograms({folder}, env, status)) {
    llvm::StringRef relative = file;
    relative.consume_front(folder);
    relative = relative.ltrim('/');
    if (!isModule(relative))
      continue;
    std::string name = relative.drop_back(4).str();
    std::replace(name.begin(), name.end(), '/', '.');
    wanted.push_back({name, file});
  }
  auto depth = [](const Wanted &each) {
    return std::count(each.name.begin(), each.name.end(), '.');
  };
  std::sort(wanted.begin() + begin, wanted.end(),
            [&](const Wanted &a, const Wanted &b) {
              return std::pair(depth(a), a.name) < std::pair(depth(b), b.name);
            });
  dropInner(begin);
}

/// Where an import of the module would find it.
std::optional<std::string> DocWriter::fileOf(const std::string &module) const {
  std::string relative = module + ".chi";
  std::replace(relative.begin(), relative.end() - 4, '.', '/');
  std::vector<std::string> folders{""};
  for (const std::string &folder : options.compile.includeDirs)
    folders.push_back(folder + "/");
  folders.push_back(env.stdlibFolder() + "/");
  for (const std::string &folder : folders)
    if (llvm::sys::fs::exists(folder + relative))
      return folder + relative;
  return std::nullopt;
}

void DocWriter::addName(const std::string &name) {
  if (llvm::sys::fs::is_directory(name))
    return addFolder(name);
  bool isFile = llvm::StringRef(name).ends_with(".chi") ||
                llvm::sys::fs::exists(name) || name == "-";
  if (isFile)
    return wanted.push_back({stemOf(name), name});
  if (auto file = fileOf(name))
    return wanted.push_back({name, *file});
  bool isBuiltin = name == "math" || name == "time";
  status = fail(isBuiltin ? "the module '" + name +
                                "' is built into chic; "
                                "docs/reference/builtins.md lists its functions"
                          : "there is no file and no module '" + name + "'");
}

int DocWriter::describe(const Wanted &module) {
  auto text = launch::readProgram(module.file);
  if (!text)
    return ExitWorld;
  Frontend frontend(env, options.compile, options.diagnostics, module.file,
                    std::move(*text));
  if (!frontend.parse())
    return frontend.finish();
  auto find = [&](llvm::StringRef path, uint32_t fromFile) {
    return frontend.modules.load(path, fromFile).module;
  };
  pages.push_back(
      doc::describe(frontend.sources, module.name, frontend.module(), find));
  for (uint32_t part : pages.back().parts)
    parts.insert(frontend.sources.name(part));
  return frontend.finish();
}

int DocWriter::writePage(const std::string &name, const std::string &text) {
  std::string path = options.output + "/" + name + ".md";
  if (launch::writeFileAtomically(path, text))
    return ExitGood;
  return fail("'" + path + "' cannot be written: " + std::strerror(errno));
}

int DocWriter::write() {
  if (options.output.empty()) {
    bool isFirst = true;
    for (const doc::Page &page : pages) {
      env.out << (isFirst ? "" : "\n") << page.text;
      isFirst = false;
    }
    return ExitGood;
  }
  if (std::error_code error = llvm::sys::fs::create_directories(options.output))
    return fail("'" + options.output + "' cannot be made: " + error.message());
  llvm::sort(pages, [](const doc::Page &a, const doc::Page &b) {
    return a.name < b.name;
  });
  int result = writePage("README", doc::index(pages));
  for (const doc::Page &page : pages)
    result = std::max(result, writePage(page.name, page.text));
  return result;
}

int DocWriter::run() {
  for (const std::string &name : options.names)
    addName(name);
  for (const Wanted &module : wanted)
    if (!parts.contains(module.file))
      status = std::max(status, describe(module));
  return status == ExitGood ? write() : status;
}

void chi::driver::addDocCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<DocOptions>();
  CLI::App *doc = app.add_subcommand(
      "doc", "Write the reference of modules from their docstrings");
  doc->add_option("MODULE", options->names,
                  "Modules by name (linalg) or file, or folders of modules")
      ->required();
  doc->add_option(
         "-o,--output", options->output,
         "Write a page for each module, and README.md, to this folder, "
         "not to standard output")
      ->type_name("DIR");
  doc->add_option("-I", options->compile.includeDirs,
                  "Search this folder for imported modules")
      ->type_name("DIR")
      ->allow_extra_args(false);
  launch::addDiagnosticOptions(*doc, options->diagnostics);
  doc->callback([options, &env] { exitWith(DocWriter(*options, env).run()); });
}
