//===- ExplainCommand.cpp - chic explain ----------------------------------===//
#include "chi/Diagnostics/Catalogue.h"
#include "chi/Driver/Commands/Commands.h"
#include "chi/Launch/Files.h"
#include <set>

using namespace chi;
using namespace chi::driver;

namespace {
struct ExplainOptions {
  std::string code;
  bool list = false;
};
} // namespace

static int listCodes(DriverEnv &env) {
  std::set<std::string> seen;
  for (const CatalogueEntry &entry : diagnosticCatalogue())
    if (*entry.code && seen.insert(entry.code).second)
      env.out << entry.code << "  " << entry.text << "\n";
  return ExitGood;
}

/// The code that is one letter away, or "".
static llvm::StringRef nearestCode(llvm::StringRef code) {
  std::string wanted = code.upper();
  for (const CatalogueEntry &entry : diagnosticCatalogue())
    if (*entry.code &&
        llvm::StringRef(entry.code).edit_distance(wanted, true, 2) < 2)
      return entry.code;
  return "";
}

static int runExplain(const ExplainOptions &options, DriverEnv &env) {
  if (options.list)
    return listCodes(env);
  auto entries = findDiagnostics(options.code);
  if (entries.empty()) {
    env.err << "chic: there is no diagnostic '" << options.code << "'";
    if (llvm::StringRef nearest = nearestCode(options.code); !nearest.empty())
      env.err << "; did you mean " << nearest << "?";
    else
      env.err << ";";
    env.err << " chic explain --list prints all codes\n";
    return ExitWorld;
  }
  std::string code = entries.front().code;
  if (auto page =
          launch::readFile(env.errorPagesFolder() + "/" + code + ".md")) {
    env.out << *page;
    return ExitGood;
  }
  for (const CatalogueEntry &entry : entries)
    env.out << severityName(entry.severity) << "[" << code
            << "]: " << entry.text << "\n";
  return ExitGood;
}

void chi::driver::addExplainCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App *explain =
      app.add_subcommand("explain", "Explain a diagnostic by its code");
  auto *code = explain->add_option("CODE", options->code, "E0203, W0101, …");
  auto *list = explain->add_flag("--list", options->list, "Print all codes");
  code->excludes(list);
  explain->callback([options, &env] {
    if (options->code.empty() && !options->list)
      throw CLI::RequiredError("CODE");
    exitWith(runExplain(*options, env));
  });
}
