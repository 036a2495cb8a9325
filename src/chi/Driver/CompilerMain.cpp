//===- CompilerMain.cpp - Entry of the compiler library -------------------===//
#include "chi/Driver/BigStack.h"
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/MathLibrary.h"
#include "chi/Driver/Program.h"
#include "chi/Support/Version.h"

using namespace chi;
using namespace chi::driver;

/// Parses and runs a command line. CLI11 ends every verb by an exception that
/// carries its exit status; it goes no further than here.
static int runCommandLine(int argc, const char *const *argv, DriverEnv &env) {
  CLI::App app("The compiler of Chi, a language for parallel numerical "
               "programs",
               "chic");
  app.set_version_flag("--version", "chic " + version().str());
  app.require_subcommand(0, 1);
  app.footer("chic VERB --help tells more of a verb.\n"
             "Exit status: 0 good; 1 the program is wrong; 2 the world is "
             "wrong; 70 a fault of chic.");
#define CHI_COMMAND(Name) add##Name##Command(app, env);
#include "chi/Driver/Commands/Commands.def"
#undef CHI_COMMAND
  // A step of the build of chic, of no use to anybody else.
  app.add_subcommand("write-math-library")
      ->group("")
      ->callback([&env] { exitWith(writeMathLibrary(env)); });
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError &end) {
    return end.get_exit_code();
  } catch (const CLI::CallForVersion &version) {
    env.out << version.what() << "\n";
    return ExitGood;
  } catch (const CLI::CallForHelp &) {
    const CLI::App *verb = &app;
    for (const CLI::App *sub : app.get_subcommands())
      verb = sub;
    env.out << verb->help(verb == &app ? "" : "chic");
    return ExitGood;
  } catch (const CLI::ParseError &error) {
    env.err << "chic: " << error.what() << "\n";
    return ExitWorld;
  }
  if (argc > 1)
    env.err << "chic: there is no verb '" << argv[1] << "'; chic --help\n";
  else
    env.err << app.help();
  return ExitWorld;
}

extern "C" __attribute__((visibility("default"))) int
chic_compiler_main(int argc, const char *const *argv,
                   const launch::ChicHost &host) {
  int status = ExitBug;
  DriverEnv env{llvm::outs(), llvm::errs(), host};
  onBigStack([&] { status = runCommandLine(argc, argv, env); });
  env.out.flush();
  return status;
}

extern "C" __attribute__((visibility("default"))) void
chic_compile(const launch::RunOptions &options, const launch::ChicHost &host,
             launch::CompiledProgram &program) {
  DriverEnv env{llvm::outs(), llvm::errs(), host};
  onBigStack([&] { compileForRun(options, env, program); });
  env.out.flush();
}
