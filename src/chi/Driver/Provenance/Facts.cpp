//===- Facts.cpp - What a program says of how it was made -----------------===//
#include "chi/Driver/Provenance/Facts.h"
#include "chi/Launch/Hash.h"
#include "chi/Launch/MachineText.h"
#include "chi/Support/Version.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace chi;
using namespace chi::driver;

std::string chi::driver::hashOfTexts(const SourceFiles &sources) {
  launch::KeyText key;
  for (uint32_t file = 0; file < sources.size(); ++file)
    key.add("text", sources.text(file));
  return key.hash().hex();
}

namespace {
/// Writes members; those of the usual value are left out.
class Members {
public:
  explicit Members(llvm::json::OStream &json) : json(json) {}

  void text(llvm::StringRef name, llvm::StringRef value,
            llvm::StringRef usual = "") {
    if (value != usual)
      json.attribute(name, llvm::json::fixUTF8(value));
  }
  void flag(llvm::StringRef name, bool value) {
    if (value)
      json.attribute(name, true);
  }
  void list(llvm::StringRef name, llvm::ArrayRef<std::string> values) {
    if (values.empty())
      return;
    json.attributeArray(name, [&] {
      for (const std::string &value : values)
        json.value(llvm::json::fixUTF8(value));
    });
  }

private:
  llvm::json::OStream &json;
};
} // namespace

/// "l1=32768,vector=256", as --machine takes it.
static std::string machineWords(const MachineDescription &machine) {
  std::string text = launch::codeText(machine);
  std::replace(text.begin(), text.end(), ' ', ',');
  if (!text.empty())
    text.pop_back();
  return text;
}

/// The options on which results may depend.
static void addOptions(llvm::json::OStream &json, const MakingFacts &facts) {
  const launch::CompileOptions &options = facts.options;
  Members members(json);
  json.attribute("float", options.floatMode);
  json.attribute("O", options.optLevel);
  json.attribute("target_cpu", options.targetCPU);
  members.text("math", options.math, "chi");
  members.text("default_int", options.defaultInt, "i32");
  members.text("default_float", options.defaultFloat, "f32");
  members.flag("strict_types", options.strictTypes);
  members.flag("unchecked", options.unchecked);
  members.flag("deterministic", options.deterministic);
  members.list("check", options.checks);
  members.list("without", options.without.names<std::vector<std::string>>());
  members.text("machine", machineWords(options.machine));
  members.text("specialize", facts.specialize, "needed");
  members.list("include", options.includeDirs);
  if (facts.verb != "build")
    return;
  members.list("arch", options.devices);
  members.text("gpu_arch", options.isFor("cuda") ? options.gpuArch : "");
  members.list("define", facts.defines);
}

std::string chi::driver::membersOf(const MakingFacts &facts) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::json::OStream json(out);
  std::string cpu = facts.options.targetCPU;
  json.object([&] {
    json.attribute("program", llvm::json::fixUTF8(facts.sources.name(0)));
    json.attribute("hash", hashOfTexts(facts.sources));
    json.attribute("verb", facts.verb);
    json.attribute("chic", version());
    json.attributeObject("options", [&] { addOptions(json, facts); });
    json.attribute(
        "target",
        llvm::sys::getDefaultTargetTriple() + " " +
            (cpu == "native" ? llvm::sys::getHostCPUName().str() : cpu));
  });
  text = text.substr(1, text.size() - 2);
  return facts.git.empty() ? text : text + ", " + facts.git;
}
