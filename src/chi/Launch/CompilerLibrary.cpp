//===- CompilerLibrary.cpp ------------------------------------------------===//
#include "chi/Launch/CompilerLibrary.h"
#include "chi/Launch/Cache.h"
#include "chi/Launch/Files.h"
#include "chi/Launch/Git.h"
#include "chi/Launch/Hash.h"
#include "chi/Launch/MachineText.h"
#include "chirt/host.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sched.h>
#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#endif

using namespace chi;

std::string launch::compilerLibraryPath(const std::string &binaryFolder) {
  return binaryFolder + "/../lib/libchic-compiler.so";
}

std::string launch::offloadLibraryPath(const std::string &binaryFolder) {
  return binaryFolder + "/../lib/libchic-offload.so";
}

void *launch::compilerFunction(const ChicHost &host, const char *name) {
  // Lazy: one command calls few of the functions that the library uses.
  void *library = ::dlopen(compilerLibraryPath(host.binaryFolder).c_str(),
                           RTLD_LAZY | RTLD_LOCAL);
  void *function = library ? ::dlsym(library, name) : nullptr;
  if (!function)
    std::fprintf(stderr, "chic: cannot load the compiler: %s\n", ::dlerror());
  return function;
}

std::string launch::processorIdentity() {
  std::string words;
#if defined(__x86_64__)
  // The last four describe caches.
  for (auto [leaf, sub] : {std::pair(0u, 0u),
                           {1u, 0u},
                           {7u, 0u},
                           {7u, 1u},
                           {4u, 2u},
                           {4u, 3u},
                           {0x80000006u, 0u},
                           {0x8000001du, 3u}}) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid_count(leaf, sub, &a, &b, &c, &d);
    if (leaf == 1)
      b = 0; // holds the number of the current core
    for (unsigned word : {a, b, c, d})
      words += std::to_string(word) + ".";
  }
#else
  words = std::to_string(::getauxval(AT_HWCAP)) + "." +
          std::to_string(::getauxval(AT_HWCAP2));
#endif
  return words;
}

static bool isGPU(std::string_view arch) {
  return arch == "vulkan" || arch == "cuda";
}

void launch::applyArch(RunOptions &options) {
  const char *form = std::getenv("CHI_RECORD");
  if (options.arch == "cpu" && form && isGPU(form))
    options.arch = form;
  options.compile.devices.clear();
  if (isGPU(options.arch))
    options.compile.devices = {options.arch};
  options.compile.records = options.arch == "mirror" || isGPU(options.arch);
}

bool launch::askArchitecture(RunOptions &options) {
  if (!options.compile.isFor("cuda") || options.help)
    return true;
  const char *architecture = "";
  const char *problem =
      chirt_start_device("cuda", options.device, &architecture);
  options.compile.gpuArch = architecture;
  if (problem)
    std::fprintf(stderr, "chic: %s\n", problem);
  return !problem;
}

launch::Hash launch::programKey(const RunOptions &options,
                                const ChicHost &host) {
  const CompileOptions &compile = options.compile;
  KeyText key;
  key.add("file", options.file).add("text", options.text);
  // Imports are found relative to the file, and to the -I folders.
  bool isRelative = options.file.empty() || options.file[0] != '/';
  for (const std::string &dir : compile.includeDirs) {
    key.add("I", dir);
    isRelative |= dir.empty() || dir[0] != '/';
  }
  if (isRelative)
    key.add("folder", absolutePath(""));
  key.add("int", compile.defaultInt).add("float", compile.defaultFloat);
  key.add("strict", compile.strictTypes).add("mode", compile.floatMode);
  key.add("wide", compile.wideFloats).add("math", compile.math);
  if (!compile.libdevice.empty())
    key.add("libdevice", compile.libdevice)
        .add("its file", fileIdentity(compile.libdevice));
  key.add("unchecked", compile.unchecked);
  key.add("deterministic", compile.deterministic);
  for (const std::string &check : compile.checks)
    key.add("check", check);
  for (const auto &name : compile.without.names<std::vector<std::string>>())
    key.add("without", name);
  key.add("O", uint64_t(compile.optLevel)).add("cpu", compile.targetCPU);
  key.add("machine", codeText(compile.machine));
  key.add("records", compile.records).add("architecture", compile.gpuArch);
  for (const std::string &device : compile.devices)
    key.add("device", device);
  if (!compile.devices.empty())
    key.add("offload", fileIdentity(offloadLibraryPath(host.binaryFolder)));
  key.add("checkpoints", compile.checkpoints);
  key.add("g", compile.debugInfo).add("specialize", options.specialize);
  key.add("tests", options.runTests);
  key.add("compiler", host.buildIdentity).add("abi", CHIRT_ABI_VERSION);
  key.add("processor", processorIdentity());
  return key.hash();
}

launch::ChicHost launch::makeHost(PhaseClock &clock) {
  ChicHost host;
  host.binaryFolder = binaryFolder();
  host.buildIdentity = fileIdentity(compilerLibraryPath(host.binaryFolder));
  host.clock = &clock;
  host.runLibrary = runLibrary;
  return host;
}

void launch::printWarnings(const WarningTexts &warnings,
                           const DiagnosticOptions &options) {
  const std::string &text = options.format == "json" ? warnings.json
                            : wantsColor(options)    ? warnings.colored
                                                     : warnings.text;
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// A name of an open file for the loader, which takes one that it knows for
/// the library that it loaded under it: each call gives another. `number`
/// counts them; its bits are slashes and dots, which change no path.
static std::string loaderName(const launch::Descriptor &file, unsigned number) {
  std::string path = "/proc/self/fd/";
  for (; number; number /= 2)
    path += number % 2 ? "./" : "/";
  return path + std::to_string(file.get());
}

const chirt_program *launch::loadProgram(const Descriptor &file,
                                         const char **provenance) {
  static std::atomic<unsigned> count = 0;
  void *library =
      ::dlopen(loaderName(file, ++count).c_str(), RTLD_NOW | RTLD_LOCAL);
  auto *program =
      library
          ? static_cast<const chirt_program *>(::dlsym(library, "chi_program"))
          : nullptr;
  if (!program) {
    std::fprintf(stderr, "chic: cannot load the compiled program: %s\n",
                 ::dlerror());
    return nullptr;
  }
  if (program->abi_version != CHIRT_ABI_VERSION) {
    std::fprintf(
        stderr,
        "chic: the compiled program belongs to another version of chic\n");
    return nullptr;
  }
  if (provenance)
    *provenance = static_cast<const char *>(::dlsym(library, "chi_provenance"));
  return program;
}

int launch::runLibrary(const Descriptor &file, const RunOptions &options) {
  const char *provenance = nullptr;
  const chirt_program *program = loadProgram(file, &provenance);
  return program ? runTable(program, options, provenance) : 70;
}

//===--- What drivers of devices make of code -----------------------------===//

static launch::Hash codeKey(const char *target, const void *image,
                            int64_t bytes) {
  std::string_view code(static_cast<const char *>(image), size_t(bytes));
  return launch::KeyText().add("target", target).add("code", code).hash();
}

static void *findCode(void *context, const char *target, const void *image,
                      int64_t imageBytes, int64_t *bytes) {
  auto found = static_cast<launch::Cache *>(context)->findObject(
      codeKey(target, image, imageBytes));
  void *code = found ? std::malloc(found->size()) : nullptr;
  if (!code)
    return nullptr;
  *bytes = int64_t(found->size());
  return std::memcpy(code, found->data(), found->size());
}

static void keepCode(void *context, const char *target, const void *image,
                     int64_t imageBytes, const void *made, int64_t madeBytes) {
  static_cast<launch::Cache *>(context)->storeObject(
      codeKey(target, image, imageBytes),
      {static_cast<const char *>(made), size_t(madeBytes)});
}

//===--- What launches measured -------------------------------------------===//

namespace {
/// Where the choices of one program on this machine are kept.
struct ChoiceFile {
  launch::Cache &cache;
  launch::Hash key;
};
} // namespace

static char *findChoices(void *context) {
  auto *file = static_cast<ChoiceFile *>(context);
  auto found = file->cache.findObject(file->key);
  return found ? ::strdup(found->c_str()) : nullptr;
}

static void keepChoices(void *context, const char *text) {
  auto *file = static_cast<ChoiceFile *>(context);
  file->cache.storeObject(file->key, text);
}

/// The entries name the code of tasks, so that neither the program's text nor
/// its parameters are part of the key.
static launch::Hash choicesKey(const launch::RunOptions &options) {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof(set), &set);
  return launch::KeyText()
      .add("choices of", launch::absolutePath(options.file))
      .add("processor", launch::processorIdentity())
      .add("cpu", options.compile.targetCPU)
      .add("O", uint64_t(options.compile.optLevel))
      .add("machine", launch::codeText(options.compile.machine))
      .add("described cores", uint64_t(options.compile.machine.cores))
      .add("cores", uint64_t(CPU_COUNT(&set)))
      .add("threads", uint64_t(options.threads))
      .hash();
}

/// What the flags say of checkpoints, for the next run.
static void planCheckpoints(const launch::RunOptions &options) {
  auto text = [](const std::string &value) {
    return value.empty() ? nullptr : value.c_str();
  };
  chirt_checkpoints plan = {};
  plan.path = text(options.checkpoint);
  plan.interval = options.checkpointInterval;
  plan.resume = text(options.resume);
  plan.any_program = options.resumesAnyway;
  plan.may_change = text(options.mayChange);
  chirt_plan_checkpoints(&plan);
}

/// The commit, once a file is saved.
static char *moreProvenance(void *context) {
  auto *options = static_cast<const launch::RunOptions *>(context);
  launch::GitQuery git(launch::folderOfProgram(options->file));
  return ::strdup(git.member().c_str());
}

/// What files say of how they were made; `program` is the compiler's part.
static chirt_provenance provenanceOf(const launch::RunOptions &options,
                                     const char *program) {
  chirt_provenance result = {};
  result.mode = options.provenance.empty()
                    ? chirt_usual_provenance()
                    : chirt_provenance_named(options.provenance.c_str());
  result.program = options.runTests ? nullptr : program; // not made by a run
  result.arch = options.arch.c_str();
  result.context = const_cast<launch::RunOptions *>(&options);
  result.more = moreProvenance;
  return result;
}

int launch::runTable(const chirt_program *program, const RunOptions &options,
                     const char *provenance) {
  chirt_options run = {};
  run.threads = options.threads;
  run.seed = options.seed;
  run.profile = options.profile;
  Cache cache(!options.noCache);
  const chirt_code_cache codes = {&cache, findCode, keepCode};
  bool isDevice = options.arch == "mirror" || isGPU(options.arch);
  bool hasCodes = options.arch == "cuda" && cache.isEnabled();
  chirt_keep_code(hasCodes ? &codes : nullptr);
  run.device = isDevice ? options.arch.c_str() : nullptr;
  run.device_number = options.device;
  run.run_tests = options.runTests;
  run.test_filter =
      options.testFilter.empty() ? nullptr : options.testFilter.c_str();
  run.time = options.time;
  run.test_suffix = options.testSuffix.c_str();
  run.on_test = options.onTest;
  run.test_context = options.testContext;
  std::vector<const char *> args;
  for (const std::string &arg : options.programArgs)
    args.push_back(arg.c_str());
  const MachineDescription &machine = options.compile.machine;
  chirt_describe_machine({int32_t(machine.cores), machine.l3});
  planCheckpoints(options);
  ChoiceFile file = {cache, choicesKey(options)};
  chirt_choice_store choices = {&file, findChoices, keepChoices,
                                options.measuresAgain};
  chirt_keep_choices(cache.isEnabled() ? &choices : nullptr);
  chirt_show_progress(chirt_progress_named(options.progress.c_str()));
  chirt_limit_time(options.timeLimit);
  chirt_limit_tapes(options.tapeMemory);
  chirt_provenance record = provenanceOf(options, provenance);
  chirt_record_provenance(&record);
  int status = chirt_run(program, &run, int32_t(args.size()), args.data());
  chirt_record_provenance(nullptr);
  chirt_keep_choices(nullptr);
  chirt_keep_code(nullptr);
  return status;
}
