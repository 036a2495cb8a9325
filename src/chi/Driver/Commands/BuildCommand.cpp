//===- BuildCommand.cpp - chic build --------------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Compile/Compilation.h"
#include "chi/Driver/Library/CppHeader.h"
#include "chi/Driver/Library/Wheel.h"
#include "chi/Driver/Library/WritePackage.h"
#include "chi/Driver/Provenance/Facts.h"
#include "chi/Launch/Files.h"
#include "chi/Launch/Git.h"
#include "chi/Launch/NativeMath.h"
#include "chi/Target/CPU/Link/Link.h"
#include "chirt/chirt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <optional>

using namespace chi;
using namespace chi::driver;
using pipeline::Stage;
using target::cpu::link::LinkKind;

namespace {
struct BuildOptions {
  std::string file, output;
  std::vector<std::string> arches = {"cpu"};
  bool isLibrary = false, isObject = false, isStatic = false;
  bool isPackage = false; ///< a library in a Python package
  bool isWheel = false;   ///< that package as one file
  std::string packageVersion = "0.1.0";
  bool hasProducts = true; ///< of a library: vector-Jacobian products
  bool time = false, noCache = false;
  std::vector<std::string> defines;
  launch::CompileOptions compile;
  launch::DiagnosticOptions diagnostics;
};

/// Compiles and links one program ahead of its run.
class Builder {
public:
  Builder(const BuildOptions &options, DriverEnv &env, std::string text)
      : options(options), env(env), cache(!options.noCache),
        frontend(env, options.compile, options.diagnostics, options.file,
                 std::move(text)),
        compilation(frontend, options.compile, env, cache) {
    if (!options.isLibrary && !options.isObject)
      git.emplace(launch::folderOfProgram(options.file));
  }

  int run();

private:
  bool compile(std::vector<std::string> &objects);
  int link(llvm::ArrayRef<std::string> objects);
  std::string runtimeFor(const launch::CompileOptions &compile) const;
  int write();
  int writePackage();
  int writeWheel(const std::vector<PackageFile> &files);
  void warnOfOmitted(llvm::StringRef path);
  int refuse(llvm::StringRef path, int error);
  int refuseScratch();
  bool overwritesInput();
  std::string output() const;
  std::string headerOutput(const char *extension) const;
  std::string stem() const;

  const BuildOptions &options;
  DriverEnv &env;
  launch::Cache cache;
  Frontend frontend;
  Compilation compilation;
  std::unique_ptr<sema::Program> program;
  /// Of an executable: answers while it is compiled.
  std::optional<launch::GitQuery> git;
  CHeader header;
  std::string code; ///< what was linked
  int status = ExitUser;
};
} // namespace

std::string Builder::stem() const {
  return options.file == "-" ? "program"
                             : llvm::sys::path::stem(options.file).str();
}

/// The argument of `-o`, otherwise from the file's name: `nbody`,
/// `libnbody.so`, `nbody.o`.
std::string Builder::output() const {
  if (!options.output.empty())
    return options.output;
  return options.isWheel     ? "dist"
         : options.isPackage ? header.library.stem
         : options.isLibrary ? "lib" + stem() + ".so"
         : options.isObject  ? stem() + ".o"
                             : stem();
}

bool Builder::compile(std::vector<std::string> &objects) {
  if (!frontend.parse())
    return false;
  sema::Options sema = semaOptions(options.compile);
  sema.specialize = sema::Specialize::None;
  sema.instantiateAll = options.isLibrary || options.isObject;
  sema.recordsOperators = options.isLibrary && options.hasProducts;
  std::vector<std::string> args;
  for (const std::string &define : options.defines)
    args.push_back("--" + define);
  if (!bindParams(options.file, args, frontend.params(), sema.paramValues,
                  env.err)) {
    status = ExitWorld;
    return false;
  }
  program = frontend.check(sema);
  if (program && overwritesInput()) {
    status = ExitWorld;
    return false;
  }
  if (program && (options.isLibrary || options.isObject)) {
    header = cHeader(*program, frontend.module(), stem());
    // Two objects in one program may have operators of one name.
    if (options.isObject)
      header.library.operators.clear(), header.library.groups.clear();
    compilation.exportForC(header.entries);
  }
  return program && compilation.generate(*program) &&
         compilation.lowerTo(Stage::Optimised) &&
         compilation.compileObjects(objects);
}

/// The bundle that has the devices which the program has code for.
std::string Builder::runtimeFor(const launch::CompileOptions &compile) const {
  std::string name = env.host.binaryFolder + "/../lib/chi/chirt_bundle";
  for (const char *device : {"vulkan", "cuda"})
    if (compile.isFor(device))
      name += std::string("_") + device;
  return name + ".o";
}

int Builder::link(llvm::ArrayRef<std::string> objects) {
  target::cpu::link::LinkOptions link;
  link.kind = options.isLibrary  ? LinkKind::SharedLibrary
              : options.isObject ? LinkKind::Object
                                 : LinkKind::Executable;
  link.isStatic = options.isStatic;
  link.library = header.library;
  link.runtime = runtimeFor(options.compile);
  if (git) // what a library saves is for its caller to describe
    link.provenance = membersOf({frontend.sources, options.compile, "build",
                                 "needed", options.defines, git->member()});
  link.scratchFolder = launch::makeTemporaryFolder("");
  if (link.scratchFolder.empty())
    return refuseScratch();
  auto linked = target::cpu::link::linkObjects(objects, link);
  launch::removeFolder(link.scratchFolder);
  env.host.clock->mark("linked");
  if (linked) {
    code = std::move(*linked);
    return ExitGood;
  }
  env.err << "chic: " << llvm::toString(linked.takeError()) << "\n";
  return ExitWorld;
}

int Builder::refuseScratch() {
  env.err << "chic: no writable folder for temporary files (TMPDIR, /tmp, "
             "/dev/shm)\n";
  return ExitWorld;
}

/// Says why a file cannot be written.
int Builder::refuse(llvm::StringRef path, int error) {
  env.err << "chic: '" << path
          << "' cannot be written: " << std::strerror(error) << "\n";
  return ExitWorld;
}

/// Where the header of C (".h") or C++ (".hpp") goes; "" if there is none.
std::string Builder::headerOutput(const char *extension) const {
  bool isForCpp = extension == llvm::StringRef(".hpp");
  bool hasHeader = (options.isLibrary || (options.isObject && !isForCpp)) &&
                   !options.isPackage &&
                   launch::isOrdinary(output()); // none beside /dev/null
  if (!hasHeader)
    return "";
  llvm::SmallString<128> path(output());
  llvm::sys::path::replace_extension(path, extension);
  return path.str().str();
}

bool Builder::overwritesInput() {
  return llvm::any_of(
      llvm::ArrayRef{output(), headerOutput(".h"), headerOutput(".hpp")},
      [&](const std::string &path) {
        return !path.empty() && frontend.isInput(path, options.file);
      });
}

/// Writes the code and, of what others call, the headers beside it. All are
/// there in full before one gets its name.
int Builder::write() {
  launch::NewFile file(output(), code, /*isProgram=*/!options.isObject);
  std::string path = headerOutput(".h"), cppPath = headerOutput(".hpp");
  if (path.empty())
    return file.commit() ? ExitGood : refuse(output(), file.error());
  launch::NewFile headerFile(path, header.text);
  std::optional<launch::NewFile> cppFile;
  if (!cppPath.empty())
    cppFile.emplace(cppPath,
                    cppHeader(stem(), frontend.module().doc.str(), header));
  if (headerFile.error())
    return refuse(path, headerFile.error());
  if (cppFile && (cppFile->error() || (!file.error() && !cppFile->commit())))
    return refuse(cppPath, cppFile->error());
  if (!file.error() && !headerFile.commit())
    return refuse(path, headerFile.error());
  if (!file.commit())
    return refuse(output(), file.error());
  warnOfOmitted(path);
  return ExitGood;
}

void Builder::warnOfOmitted(llvm::StringRef path) {
  const std::vector<std::string> &omitted =
      options.isPackage ? header.noOperators : header.leftOut;
  if (!omitted.empty())
    env.err << "chic: warning: " << path << " omits "
            << llvm::join(omitted, ", ") << "\n";
}

int Builder::writePackage() {
  const std::string &name = header.library.stem;
  std::vector<PackageFile> files = pythonPackage(
      name, frontend.module().doc.str(), header.operators, header.library);
  files.push_back({"lib" + name + ".so", std::move(code)});
  if (options.isWheel)
    return writeWheel(files);
  if (!chi::driver::writePackage(output(), files, env.err))
    return ExitWorld;
  warnOfOmitted(output());
  return ExitGood;
}

/// Writes the package as a file of the folder `output()`.
int Builder::writeWheel(const std::vector<PackageFile> &files) {
  WheelOptions wheel;
  wheel.name = header.library.stem;
  wheel.version = options.packageVersion;
  wheel.summary =
      llvm::StringRef(frontend.module().doc).trim().split('\n').first;
  wheel.scratchFolder = launch::makeTemporaryFolder("");
  if (wheel.scratchFolder.empty())
    return refuseScratch();
  auto name = wheelName(wheel, files.back().text);
  auto bytes = name ? makeWheel(wheel, *name, files) : name.takeError();
  launch::removeFolder(wheel.scratchFolder);
  if (!bytes) {
    env.err << "chic: " << llvm::toString(bytes.takeError()) << "\n";
    return ExitWorld;
  }
  std::string path = output() + "/" + *name;
  if (std::error_code error = llvm::sys::fs::create_directories(
          output(), /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
    return refuse(path, error.value());
  launch::NewFile file(path, *bytes);
  if (!file.commit())
    return refuse(path, file.error());
  warnOfOmitted(path);
  env.err << "chic: " << path << "\n";
  return ExitGood;
}

int Builder::run() {
  std::vector<std::string> objects;
  if (int problem = options.isPackage ? 0 : launch::writeProblem(output()))
    return refuse(output(), problem);
  bool isGood = compile(objects);
  int reported = frontend.finish();
  if (!isGood)
    return compilation.failureStatus(reported == ExitGood ? status : reported);
  if (int failed = link(objects))
    return failed;
  return options.isPackage ? writePackage() : write();
}

/// Whether the output can have code for the requested devices, which are added
/// to the options. False after a report.
static bool takeArches(BuildOptions &options, DriverEnv &env) {
  std::vector<std::string> &devices = options.compile.devices;
  for (const char *device : {"vulkan", "cuda"}) // in one order: one cache's key
    if (llvm::is_contained(options.arches, device))
      devices.push_back(device);
  if (devices.empty())
    return true;
  options.compile.records = true;
  if (options.isLibrary || options.isObject)
    env.err << "chic: --"
            << (options.isWheel     ? "wheel"
                : options.isPackage ? "python"
                : options.isLibrary ? "lib"
                                    : "object")
            << " supports only the cpu, not " << devices.front()
            << ", because the caller's fields are in host memory\n";
  else if (options.isStatic)
    env.err << "chic: --static and --arch=" << devices.front()
            << " are mutually exclusive: the driver is a shared library\n";
  else
    return true;
  return false;
}

/// Whether a report is that of a kernel that cannot be differentiated.
static bool isAboutDerivatives(llvm::StringRef report) {
  return llvm::any_of(
      llvm::ArrayRef<llvm::StringRef>{"[E1016]", "[E1017]", "[E1020]"},
      [&](llvm::StringRef code) { return report.contains(code); });
}

/// Builds a library. Its products are there by themselves, so a kernel that has
/// no derivative is no error: the library has none then.
static int buildLibrary(BuildOptions &options, DriverEnv &env,
                        const std::string &text) {
  std::string report;
  llvm::raw_string_ostream err(report);
  DriverEnv held{env.out, err, env.host};
  int status = Builder(options, held, text).run();
  if (status == ExitGood || !isAboutDerivatives(report)) {
    env.err << report;
    return status;
  }
  options.hasProducts = false;
  status = Builder(options, env, text).run();
  if (status == ExitGood)
    env.err << "chic: warning: the library has no vector-Jacobian products, "
               "because a kernel has no derivative:\n"
            << report;
  return status;
}

/// The flags that select what is built.
static void addKindOptions(CLI::App &build, BuildOptions &options) {
  auto *lib = build.add_flag("--lib", options.isLibrary,
                             "Build a shared library with headers for C and "
                             "C++");
  auto *package = build.add_flag(
      "--python", options.isPackage,
      "Build a Python package: a folder with the library, functions on arrays "
      "and tensors, and operators of PyTorch");
  package->excludes(lib);
  auto *wheel = build.add_flag(
      "--wheel", options.isWheel,
      "Build that package as a wheel, which pip installs, in the folder dist");
  wheel->excludes(lib)->excludes(package);
  build
      .add_option("--package-version", options.packageVersion,
                  "Version of the wheel")
      ->type_name("VERSION")
      ->capture_default_str()
      ->needs(wheel);
  auto *object = build.add_flag("--object", options.isObject,
                                "Build an object file and a C header");
  object->excludes(lib)->excludes(package)->excludes(wheel);
  build
      .add_flag("--checkpoints", options.compile.checkpoints,
                "Let the executable keep its state in a file and go on from "
                "it: its flags --checkpoint, --every, --resume")
      ->excludes(lib)
      ->excludes(package)
      ->excludes(wheel)
      ->excludes(object);
  build
      .add_flag("--static", options.isStatic,
                "Build a statically linked executable")
      ->excludes(lib)
      ->excludes(package)
      ->excludes(wheel)
      ->excludes(object);
}

void chi::driver::addBuildCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<BuildOptions>();
  CLI::App *build = app.add_subcommand(
      "build", "Compile to an executable, a library or an object file");
  build->add_option("FILE", options->file, "The program; - is standard input")
      ->required();
  build->add_option("-o,--output", options->output, "Output file")
      ->type_name("OUT");
  addKindOptions(*build, *options);
  build->add_option("-D", options->defines, "Fix a parameter: -D n=4096")
      ->type_name("PARAM=V")
      ->allow_extra_args(false);
  build
      ->add_option("--arch", options->arches,
                   "Targets, separated by commas: cpu, vulkan, cuda. cpu is "
                   "always included; the --arch of the executable selects one")
      ->type_name("ARCH")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"cpu", "vulkan", "cuda"}));
  options->compile.gpuArch = "sm_70";
  build
      ->add_option("--gpu-arch", options->compile.gpuArch,
                   "Oldest CUDA device to support: sm_70, sm_80, …")
      ->type_name("ARCH")
      ->capture_default_str();
  launch::addTargetOptions(*build, options->compile);
  build
      ->add_option(
          "--jobs", options->compile.jobs,
          "Number of kernels to compile in parallel; 0: one for each core")
      ->type_name("N")
      ->check(CLI::Range(0, CHIRT_MAX_THREADS));
  build->add_flag("--no-cache", options->noCache, "Disable the cache");
  build->add_flag(
      "--time", options->time,
      "Print the time of each phase and the kernels that were compiled");
  launch::addCompileOptions(*build, options->compile);
  launch::addLaterOptions(*build);
  launch::addDiagnosticOptions(*build, options->diagnostics);
  build->callback([options, &env] {
    options->isPackage |= options->isWheel;
    options->isLibrary |= options->isPackage;
    if (options->time)
      env.host.clock->enable();
    auto text = launch::readProgram(options->file);
    if (!text || !takeArches(*options, env) ||
        !launch::takeNativeMath(options->compile, options->arches.front()) ||
        !checkTarget(options->compile, env))
      exitWith(ExitWorld);
    if (options->isLibrary)
      exitWith(buildLibrary(*options, env, *text));
    exitWith(Builder(*options, env, std::move(*text)).run());
  });
}
