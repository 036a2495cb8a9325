//===- CompilerMain.cpp - Entry of the compiler library -------------------===//
#include "chi/Driver/BigStack.h"
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Compile/MathLibrary.h"
#include "chi/Driver/Program.h"
#include "chi/Launch/Files.h"
#include "chi/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <new>
#include <unistd.h>

using namespace chi;
using namespace chi::driver;

namespace {
/// A verb of later versions.
struct LaterVerb {
  llvm::StringLiteral name, instead;
};
} // namespace

static constexpr LaterVerb kLaterVerbs[] = {
    {"literate", "there is no replacement"},
    {"repro", "chic writes a reproducer by itself when it crashes"},
};

/// Words for a verb that is none of `known`.
static int refuseVerb(llvm::StringRef verb,
                      llvm::ArrayRef<const CLI::App *> known, DriverEnv &env) {
  for (const LaterVerb &later : kLaterVerbs)
    if (verb == later.name) {
      env.err << "chic: the verb '" << verb
              << "' is not supported yet: " << later.instead << "\n";
      return ExitWorld;
    }
  env.err << "chic: there is no verb '" << verb << "'";
  if (verb.ends_with(".chi")) {
    env.err << "; did you mean 'chic run " << verb << "'?\n";
    return ExitWorld;
  }
  llvm::StringRef nearest;
  unsigned best = 3;
  for (const CLI::App *app : known)
    if (unsigned distance = verb.edit_distance(app->get_name(), true, best);
        distance < best && !app->get_group().empty()) {
      best = distance;
      nearest = app->get_name();
    }
  if (nearest.empty())
    env.err << "; chic --help lists the verbs\n";
  else
    env.err << "; did you mean '" << nearest << "'?\n";
  return ExitWorld;
}

/// The words of a command line, with those for the program marked: flags that
/// `verb` does not know, what follows one, and all from a `--` on.
static std::vector<std::string> markProgramWords(const CLI::App &verb, int argc,
                                                 const char *const *argv) {
  std::vector<std::string> words;
  auto isFlag = [](llvm::StringRef word) {
    return word.size() > 2 && word.starts_with("--");
  };
  bool isBehind = false;
  for (int at = 1; at < argc; ++at) {
    auto [flag, value] = llvm::StringRef(argv[at]).split('=');
    isBehind |= flag == "--" && at > 1;
    const CLI::Option *known = isFlag(flag) && !isBehind
                                   ? verb.get_option_no_throw(flag.str())
                                   : nullptr;
    bool isProgram = isBehind || (isFlag(flag) && !known);
    bool takesNext =
        !isBehind &&
        (isProgram || (known && known->get_items_expected_max() > 0));
    auto add = [&](const char *word) {
      words.push_back(
          isProgram ? (kProgramWord + llvm::Twine("==") + word).str() : word);
    };
    add(argv[at]);
    bool isWhole = llvm::StringRef(argv[at]).contains('=');
    if (takesNext && !isWhole && at + 1 < argc && !isFlag(argv[at + 1]))
      add(argv[++at]);
  }
  std::reverse(words.begin(), words.end()); // as CLI11 takes them
  return words;
}

/// Parses and runs a command line. CLI11 ends every verb by an exception that
/// carries its exit status; it goes no further than here.
static int runCommandLine(int argc, const char *const *argv, DriverEnv &env) {
  CLI::App app("Compiler of Chi, a language for parallel numerical programs",
               "chic");
  app.set_version_flag("--version", "chic " + version().str());
  app.require_subcommand(0, 1);
  app.footer("chic VERB --help describes the options of a verb.\nExit status: "
             "0 success; 1 error in the program; 2 error of files, arguments "
             "or devices; 70 bug in chic.");
#define CHI_COMMAND(Name) add##Name##Command(app, env);
#include "chi/Driver/Commands/Commands.def"
#undef CHI_COMMAND
  // A step of the build of chic, of no use to anybody else.
  app.add_subcommand("write-math-library")->group("")->callback([&env] {
    exitWith(writeMathLibrary(env));
  });
  const CLI::App &all = app;
  auto known = all.get_subcommands([](const CLI::App *) { return true; });
  llvm::StringRef verb = argc > 1 ? argv[1] : "";
  if (!verb.empty() && verb[0] != '-' &&
      llvm::none_of(
          known, [&](const CLI::App *app) { return verb == app->get_name(); }))
    return refuseVerb(verb, known, env);
  try {
    auto called = llvm::find_if(known, [&](const CLI::App *each) {
      return verb == each->get_name() &&
             each->get_option_no_throw(kProgramWord);
    });
    if (called != known.end())
      app.parse(markProgramWords(**called, argc, argv));
    else
      app.parse(argc, argv);
  } catch (const CLI::RuntimeError &end) {
    return end.get_exit_code();
  } catch (const CLI::CallForVersion &version) {
    env.out << version.what() << "\n";
    return ExitGood;
  } catch (const CLI::CallForHelp &) {
    const CLI::App *verb = &app;
    std::string before;
    while (!verb->get_subcommands().empty()) {
      before += (before.empty() ? "" : " ") + verb->get_name();
      verb = verb->get_subcommands().front();
    }
    env.out << verb->help(before);
    return ExitGood;
  } catch (const CLI::Success &reported) { // --without=help
    env.out << reported.what() << "\n";
    return ExitGood;
  } catch (const CLI::ParseError &error) {
    env.err << "chic: " << error.what() << "\n";
    return ExitWorld;
  }
  env.err << app.help();
  return ExitWorld;
}

/// Flushes the output. If that fails (a full disk), reports it on stderr and
/// returns a status for it. LLVM would end the process otherwise.
static int finishOutput(int status) {
  llvm::outs().flush();
  llvm::errs().clear_error();
  if (!llvm::outs().has_error())
    return status;
  llvm::errs() << "chic: cannot write to standard output: "
               << llvm::outs().error().message() << "\n";
  llvm::outs().clear_error();
  llvm::errs().clear_error();
  return ExitWorld;
}

/// Lack of memory is no fault of chic: a sentence, and the status of the world.
/// Written without any.
[[noreturn]] static void endWithoutMemory() {
  static constexpr char kText[] = "chic: out of memory\n";
  (void)!::write(2, kText, sizeof(kText) - 1);
  launch::removeUnfinished();
  ::_exit(ExitWorld);
}

static void watchMemory() {
  std::set_new_handler(endWithoutMemory);
  auto end = [](void *, const char *, bool) { endWithoutMemory(); };
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(end);
}

extern "C" __attribute__((visibility("default"))) int
chic_compiler_main(int argc, const char *const *argv,
                   const launch::ChicHost &host) {
  int status = ExitBug;
  watchMemory();
  DriverEnv env{llvm::outs(), llvm::errs(), host};
  onBigStack([&] { status = runCommandLine(argc, argv, env); });
  return finishOutput(status);
}

extern "C" __attribute__((visibility("default"))) void
chic_compile(const launch::RunOptions &options, const launch::ChicHost &host,
             launch::CompiledProgram &program) {
  watchMemory();
  DriverEnv env{llvm::outs(), llvm::errs(), host};
  onBigStack([&] { compileForRun(options, env, program); });
  if (finishOutput(ExitGood) != ExitGood)
    program.status = ExitWorld;
}
