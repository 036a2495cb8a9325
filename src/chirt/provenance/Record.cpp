//===- Record.cpp - What files say of how they were made ------------------===//
#include "chirt/provenance/Record.h"

#include "chirt/host.h"
#include "chirt/support/Device.h"
#include "chirt/support/Settings.h"
#include "chirt/text/CodePoints.h"
#include "chirt/text/Json.h"

#include <climits>
#include <ctime>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace chirt {

namespace {
/// What the record of this run is made of.
struct RunFacts {
  const chirt_provenance *given = nullptr; ///< null: files get no record
  const chirt_program *program = nullptr;
  int32_t threads = 0, deviceNumber = 0;
  int32_t numArguments = 0;
  const char *const *arguments = nullptr;
  Text others; ///< of noteOtherState, as JSON texts
  Text common; ///< members that all files share, once there was a file
};
[[clang::no_destroy]] constinit RunFacts run;
/// Of the next run.
constinit const chirt_provenance *nextProvenance = nullptr;

/// Appends the name of a member.
Text &addMember(Text &out, std::string_view name) {
  out << ", ";
  appendJsonText(out, name);
  return out << ": ";
}

void addText(Text &out, std::string_view name, std::string_view text) {
  appendJsonText(addMember(out, name), text);
}

/// The processor's name, as it says it itself; "" if it does not.
void appendProcessor(Text &out) {
#if defined(__x86_64__)
  unsigned words[13] = {};
  for (unsigned k = 0; k < 3; ++k)
    if (!__get_cpuid(0x80000002 + k, &words[4 * k], &words[4 * k + 1],
                     &words[4 * k + 2], &words[4 * k + 3]))
      return;
  std::string_view name(reinterpret_cast<const char *>(words));
  while (name.starts_with(' '))
    name.remove_prefix(1);
  while (name.ends_with(' '))
    name.remove_suffix(1);
  out << name;
#else
  (void)out;
#endif
}

void addDevice(Text &out) {
  Text name;
  const chirt_device *device = settings().device;
  chirt_device_facts facts = {};
  if (!device->describe)
    appendProcessor(name);
  else if (device->describe(run.deviceNumber, &facts) > run.deviceNumber)
    name << (facts.name ? facts.name : "");
  addText(out, "device", name);
  if (run.deviceNumber)
    addMember(out, "device_number") << run.deviceNumber;
}

void appendScalarOf(Text &out, const chirt_param &param, int32_t component) {
  const void *storage = param.storage[component];
  if (param.dtype != CHIRT_STR)
    return appendJsonValue(out, param.dtype, 0, 1, 1, storage);
  const char *text = *static_cast<const char *const *>(storage);
  appendJsonText(out, text ? text : "");
}

void addParams(Text &out) {
  addMember(out, "params") << '{';
  for (int32_t k = 0; k < run.program->num_params; ++k) {
    const chirt_param &param = run.program->params[k];
    out << (k ? ", " : "");
    appendJsonText(out, param.name);
    out << ": " << (param.components > 1 ? "[" : "");
    for (int32_t c = 0; c < param.components; ++c) {
      out << (c ? ", " : "");
      appendScalarOf(out, param, c);
    }
    out << (param.components > 1 ? "]" : "");
  }
  out << '}';
}

/// None if there are none: then the record is that of a program without.
void addArguments(Text &out) {
  if (run.numArguments == 0)
    return;
  addMember(out, "arguments") << '[';
  for (int32_t k = 0; k < run.numArguments; ++k) {
    out << (k ? ", " : "");
    appendJsonText(out, run.arguments[k]);
  }
  out << ']';
}

/// The members that all files of the run share.
void makeCommon() {
  Text out;
  out << "{\"format\": \"chi provenance 1\", " << run.given->program;
  addText(out, "arch", run.given->arch ? run.given->arch : "cpu");
  addDevice(out);
  addMember(out, "threads") << run.threads;
  addMember(out, "seed") << static_cast<unsigned long long>(chirt_seed);
  addParams(out);
  addArguments(out);
  if (!run.others.empty())
    addMember(out, "resumed_with_other") << '[' << run.others << ']';
  char *more = run.given->more ? run.given->more(run.given->context) : nullptr;
  if (more && *more)
    out << ", " << more;
  free(more);
  appendAscii(run.common, out);
}
} // namespace

void beginProvenance(const chirt_program *program, const chirt_options *options,
                     int32_t count, const char *const *words) {
  const chirt_provenance *given = std::exchange(nextProvenance, nullptr);
  bool isWanted = given && given->program && !settings().isTrial() &&
                  given->mode != CHIRT_PROVENANCE_OFF;
  run.given = isWanted ? given : nullptr;
  run.program = program;
  run.threads = options->threads;
  run.deviceNumber = options->device_number;
  run.numArguments = count;
  run.arguments = words;
  run.others.clear();
  run.common.clear();
}

void noteOtherState(std::string_view what) {
  run.others << (run.others.empty() ? "" : ", ");
  appendJsonText(run.others, what);
}

void endProvenance() { run.given = nullptr; }

bool recordsProvenance() { return run.given != nullptr; }

void appendRecord(Text &out, const char *path, FileSample sample) {
  if (run.common.empty())
    makeCommon();
  Text own;
  addText(own, "file", path);
  if (sample.bytes >= 0) {
    addMember(own, "bytes") << static_cast<long long>(sample.bytes);
    addMember(own, "sample")
        .appendf("\"%016llx\"", static_cast<unsigned long long>(sample.hash));
  }
  if (run.given->mode == CHIRT_PROVENANCE_FULL)
    appendMaking(addMember(own, "made"));
  out << run.common;
  appendAscii(out, own);
  out << '}';
}

void appendMaking(Text &out) {
  Text text;
  char word[PATH_MAX];
  time_t now = time(nullptr);
  struct tm parts;
  gmtime_r(&now, &parts);
  strftime(word, sizeof(word), "%Y-%m-%dT%H:%M:%SZ", &parts);
  text << "{\"time\": \"" << word << '"';
  if (gethostname(word, sizeof(word)) == 0)
    addText(text, "host", word);
  if (getcwd(word, sizeof(word)))
    addText(text, "folder", word);
  text << '}';
  appendAscii(out, text);
}

void appendAscii(Text &out, std::string_view json) {
  while (!json.empty()) {
    uint32_t point = 0;
    size_t size = decodeUtf8(json, point);
    if (size == 1)
      out << json[0];
    else if (size == 0)
      out << "\\ufffd";
    else if (point < 0x10000)
      out.appendf("\\u%04x", point);
    else
      out.appendf("\\u%04x\\u%04x", 0xd800 + ((point - 0x10000) >> 10),
                  0xdc00 + ((point - 0x10000) & 0x3ff));
    json.remove_prefix(size == 0 ? 1 : size);
  }
}

} // namespace chirt

using namespace chirt;

void chirt_record_provenance(const chirt_provenance *provenance) {
  nextProvenance = provenance;
}

int32_t chirt_provenance_named(const char *word) {
  for (auto [mode, name] : {std::pair(CHIRT_PROVENANCE_OFF, "off"),
                            {CHIRT_PROVENANCE_ON, "on"},
                            {CHIRT_PROVENANCE_FULL, "full"}})
    if (strcmp(word, name) == 0)
      return mode;
  return -1;
}

int32_t chirt_usual_provenance(void) {
  const char *word = getenv("CHI_PROVENANCE");
  int32_t mode = word ? chirt_provenance_named(word) : -1;
  return mode < 0 ? int32_t(CHIRT_PROVENANCE_ON) : mode;
}
