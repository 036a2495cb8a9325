//===- Main.cpp - main of a built executable ------------------------------===//
#include "chirt/failure/Failure.h"
#include "chirt/host.h"
#include "chirt/params/Value.h"
#include "chirt/program/Params.h"
#include "chirt/support/Device.h"
#include "chirt/text/Output.h"

/// The global that chi-checkpoints makes: null if the program was built without
/// that pass.
extern "C" [[gnu::weak, gnu::visibility("default")]] int32_t
    chiResumeIn __asm__("program.chi.resume_in");
/// What the linker put into an executable about its making; null in libraries,
/// whose files get no record: their callers decide what is in them.
extern "C" [[gnu::weak, gnu::visibility("default")]] const char
    chiProvenance[] __asm__("chi_provenance");

namespace chirt {

namespace {
/// The flags that every executable takes besides its params. A param of the
/// same name hides one.
const char *const ownFlags[] = {
    "arch",       "device",      "threads",    "seed",          "profile",
    "progress",   "help",        "time-limit", "version",       "params-json",
    "checkpoint", "every",       "resume",     "resume-anyway", "allow-change",
    "provenance", "tape-memory", nullptr};

struct CommandLine {
  chirt_options options = {};
  chirt_checkpoints checkpoints = {nullptr, 600, nullptr, 0, nullptr};
  chirt_provenance provenance = {chirt_usual_provenance(), nullptr, nullptr,
                                 nullptr, nullptr};
  Text arch, checkpoint, resume, mayChange;
  Array<const char *> params; ///< what is left for them
  Text error;
  bool wantsHelp = false, wantsVersion = false, wantsJson = false;
};

bool isParam(const chirt_program *program, std::string_view flag) {
  for (int k = 0; k < program->num_params; ++k)
    if (flagEquals(flag, program->params[k].name))
      return true;
  return false;
}

bool setThreads(CommandLine &line, std::string_view value) {
  ParamScalar number;
  if (!parseScalar(value, CHIRT_I32, number) || number.integer < 0 ||
      number.integer > CHIRT_MAX_THREADS) {
    line.error << "--threads: `" << value
               << "` is not a number of threads (i32 in [0, "
               << CHIRT_MAX_THREADS << "], 0: all cores)";
    return false;
  }
  line.options.threads = int32_t(number.integer);
  return true;
}

bool setSeed(CommandLine &line, std::string_view value) {
  ParamScalar number;
  if (!parseScalar(value, CHIRT_U64, number)) {
    line.error << "--seed: `" << value << "` is not a u64";
    return false;
  }
  line.options.seed = uint64_t(number.integer);
  return true;
}

bool setArch(CommandLine &line, std::string_view value) {
  line.arch.clear();
  line.arch << value;
  const char *name = line.arch.c_str();
  if (line.arch.view() == "auto")
    name = chirt_best_device();
  line.options.device = name;
  if (findDevice(name))
    return true;
  bool isKnown = value == "vulkan" || value == "cuda";
  line.error << "--arch: "
             << (isKnown ? "the program was built without code for `"
                         : "there is no device `")
             << value << '`';
  return false;
}

bool setDevice(CommandLine &line, std::string_view value) {
  ParamScalar number;
  if (!parseScalar(value, CHIRT_I32, number) || number.integer < 0) {
    line.error << "--device: `" << value << "` is not a device number";
    return false;
  }
  line.options.device_number = int32_t(number.integer);
  return true;
}

bool setProgress(CommandLine &line, std::string_view value) {
  Text word;
  word << value;
  int32_t mode = chirt_progress_named(word.c_str());
  if (mode < 0)
    line.error << "--progress: `" << value
               << "` is none of auto, off, bar and lines";
  else
    chirt_show_progress(mode);
  return mode >= 0;
}

/// Seconds of a duration; below zero after an error.
double readDuration(CommandLine &line, const char *flag,
                    std::string_view value) {
  Text text;
  text << value;
  double seconds = chirt_read_duration(text.c_str());
  if (seconds < 0)
    line.error << flag << ": `" << value
               << "` is no duration (90s, 1.5h, 10min, 500ms, 2d)";
  return seconds;
}

bool setTimeLimit(CommandLine &line, std::string_view value) {
  double seconds = readDuration(line, "--time-limit", value);
  if (seconds == 0)
    line.error << "--time-limit: the duration is zero";
  else if (seconds > 0)
    chirt_limit_time(seconds);
  return seconds > 0;
}

bool setTapeMemory(CommandLine &line, std::string_view value) {
  Text text;
  text << value;
  int64_t bytes = chirt_read_bytes(text.c_str());
  if (bytes > 0)
    chirt_limit_tapes(bytes);
  else
    line.error << "--tape-memory: `" << value
               << "` is no amount of memory (64MB, 1.5GB, 512KiB)";
  return bytes > 0;
}

/// The flags of checkpoints are there if the program was built with them.
bool setText(CommandLine &line, const char *flag, Text &to, const char *&option,
             std::string_view value) {
  if (!&chiResumeIn) {
    line.error << flag << ": the program was built without `--checkpoints`";
    return false;
  }
  to.clear();
  to << value;
  option = to.c_str();
  return true;
}

bool setCheckpoint(CommandLine &line, std::string_view value) {
  return setText(line, "--checkpoint", line.checkpoint, line.checkpoints.path,
                 value);
}

bool setResume(CommandLine &line, std::string_view value) {
  return setText(line, "--resume", line.resume, line.checkpoints.resume, value);
}

bool setAllowChange(CommandLine &line, std::string_view value) {
  return setText(line, "--allow-change", line.mayChange,
                 line.checkpoints.may_change, value);
}

bool setEvery(CommandLine &line, std::string_view value) {
  line.checkpoints.interval = readDuration(line, "--every", value);
  return line.checkpoints.interval >= 0;
}

bool setProvenance(CommandLine &line, std::string_view value) {
  Text word;
  word << value;
  line.provenance.mode = chirt_provenance_named(word.c_str());
  if (line.provenance.mode < 0)
    line.error << "--provenance: `" << value << "` is none of on, full and off";
  return line.provenance.mode >= 0;
}

/// A flag of an executable that takes a value.
struct ValueFlag {
  std::string_view name;
  bool (*set)(CommandLine &line, std::string_view value);
};
constexpr ValueFlag valueFlags[] = {
    {"threads", setThreads},
    {"seed", setSeed},
    {"arch", setArch},
    {"device", setDevice},
    {"progress", setProgress},
    {"time-limit", setTimeLimit},
    {"provenance", setProvenance},
    {"tape-memory", setTapeMemory},
    {"checkpoint", setCheckpoint},
    {"every", setEvery},
    {"resume", setResume},
    {"allow-change", setAllowChange},
};

/// Null: it takes none, or is not one of ours.
const ValueFlag *valueFlagOf(std::string_view name) {
  for (const ValueFlag &flag : valueFlags)
    if (flag.name == name)
      return &flag;
  return nullptr;
}

/// Takes one of our own flags at `at`. Sets `isOurs`; returns false with an
/// error for a bad value.
bool takeFlag(CommandLine &line, int argc, const char *const *argv, int &at,
              bool &isOurs) {
  std::string_view word = slice(argv[at], 2);
  size_t equals = word.find('=');
  std::string_view name = slice(word, 0, equals), value;
  isOurs = true;
  if (name == "help" && equals == word.npos)
    return line.wantsHelp = true;
  if (name == "version" && equals == word.npos)
    return line.wantsVersion = true;
  if (name == "params-json" && equals == word.npos)
    return line.wantsJson = true;
  if (name == "profile" && equals == word.npos)
    return line.options.profile = 1;
  if (name == "resume-anyway" && equals == word.npos)
    return line.checkpoints.any_program = 1;
  const ValueFlag *flag = valueFlagOf(name);
  isOurs = flag != nullptr;
  if (!isOurs)
    return true;
  if (equals != word.npos)
    value = slice(word, equals + 1);
  else if (at + 1 < argc)
    value = argv[++at];
  return flag->set(line, value);
}

bool readCommandLine(const chirt_program *program, int argc,
                     const char *const *argv, CommandLine &line) {
  for (int at = 1; at < argc; ++at) {
    if (strcmp(argv[at], "--") == 0) {
      for (; at < argc; ++at)
        line.params.push(argv[at]);
      break;
    }
    bool isFlag = strncmp(argv[at], "--", 2) == 0;
    std::string_view name = isFlag ? slice(argv[at], 2) : std::string_view();
    name = slice(name, 0, name.find('='));
    if (strcmp(argv[at], "-h") == 0) {
      line.wantsHelp = true;
      continue;
    }
    bool isOurs = false;
    if (isFlag && !isParam(program, name) &&
        !takeFlag(line, argc, argv, at, isOurs))
      return false;
    if (!isOurs)
      line.params.push(argv[at]);
  }
  return true;
}

void printUsage(const chirt_program *program, const char *self) {
  Text out;
  out << "usage: " << self << " [--PARAMETER VALUE ...] [-- ARGUMENT ...]\n\n";
  if (program->doc && *program->doc)
    out << program->doc << "\n\n";
  ParamTable params(program);
  appendParamHelp(out, params.data(), params.size());
  out << (program->num_params ? "\n" : "") << "options:\n";
  if (vulkanDevice() || cudaDevice())
    out << "  --arch NAME               cpu" << (cudaDevice() ? ", cuda" : "")
        << (vulkanDevice() ? ", vulkan" : "")
        << ", or auto: a GPU if there is one (default: cpu)\n"
           "  --device i32              number of the device (default: 0)\n";
  out << "  --threads i32             number of threads (default: all cores)\n"
         "  --seed u64                seed of random numbers (default: 0)\n"
         "  --profile                 print the time of each kernel at the "
         "end\n"
         "  --progress MODE           of progress(range): auto, off, bar or "
         "lines\n"
         "  --time-limit DURATION     end after that time (90s, 1.5h) with "
         "status 124\n"
         "  --provenance MODE         of saved files: on, off, or full, with "
         "time and host\n"
         "  --tape-memory BYTES       that a tape may take (64MB, 2GiB)\n"
         "  --params-json             print the parameters as JSON\n"
         "  --version                 print the version of chic that built it\n"
         "  --help                    print this help\n";
  if (&chiResumeIn)
    out << "  --checkpoint FILE         keep the state of the run in a file\n"
           "  --every DURATION          time between checkpoints, as 90s or 1h "
           "(default: 10min)\n"
           "  --resume FILE             go on from a checkpoint\n"
           "  --resume-anyway           also if the program's text has "
           "changed\n"
           "  --allow-change NAMES      parameters that may have other values "
           "than the checkpoint's\n";
  writeOut(out);
  flushOut();
}

void printVersion(const chirt_program *program) {
  Text out;
  out << program->file << ": built by chic " CHIRT_VERSION "\n";
  writeOut(out);
  flushOut();
}

void printParamsJson(const chirt_program *program) {
  Text out;
  appendParamsJson(out, program);
  writeOut(out);
  flushOut();
}

/// Params that no flag of the program has: found here, so that the nearest
/// spelling may be one of our own.
bool checkParams(const chirt_program *program, CommandLine &line) {
  ParamBinder binder(program, ownFlags);
  if (binder.read(int(line.params.size()), line.params.data()))
    return true;
  line.error << binder.message();
  return false;
}
} // namespace

} // namespace chirt

using namespace chirt;

int32_t chirt_main(const chirt_program *program, int32_t argc,
                   const char *const *argv) {
  CommandLine line;
  line.options.start_time = chirt_time_now();
  const char *self = argc > 0 ? argv[0] : "program";
  bool isFine = readCommandLine(program, argc, argv, line);
  if (isFine && line.wantsHelp) {
    printUsage(program, self);
    return 0;
  }
  if (isFine && (line.wantsVersion || line.wantsJson)) {
    line.wantsVersion ? printVersion(program) : printParamsJson(program);
    return 0;
  }
  if (!isFine || !checkParams(program, line)) {
    Text text;
    text << self << ": error: " << line.error << '\n';
    refuseToBegin(text);
    return 2;
  }
  chirt_plan_checkpoints(&line.checkpoints);
  line.provenance.program = &chiProvenance[0] ? chiProvenance : nullptr;
  line.provenance.arch = line.options.device;
  chirt_record_provenance(&line.provenance);
  return chirt_run(program, &line.options, int32_t(line.params.size()),
                   line.params.data());
}
