//===- Inspect.cpp - The program that a sweep runs ------------------------===//
#include "chi/Driver/Sweep/Inspect.h"
#include "chi/Driver/Compile/Frontend.h"
#include "chi/Driver/ParamsJson.h"
#include "chi/Launch/Files.h"
#include "chi/Launch/Hash.h"
#include "chi/Sweep/Workers/Command.h"
#include "chirt/host.h"
#include "llvm/ADT/STLExtras.h"
#include <CLI/CLI.hpp>

using namespace chi;
using namespace chi::driver;
using sweep::ParamFacts;

static int refuse(DriverEnv &env, const llvm::Twine &problem) {
  env.err << "chic sweep: " << problem << "\n";
  return ExitWorld;
}

/// The words of a run as `chic run` reads them. False after a report.
static bool readRun(const sweep::Request &request, const sweep::Point *point,
                    launch::RunOptions &run, DriverEnv &env) {
  std::vector<std::string> words = {request.program};
  llvm::append_range(words, request.fixed);
  if (point)
    for (const sweep::Point::Value &value : point->values)
      words.push_back("--" + value.name + "=" + value.text);
  std::reverse(words.begin(), words.end()); // as CLI11 takes them
  CLI::App app;
  launch::addRunOptions(app, run);
  try {
    app.parse(words);
  } catch (const CLI::Error &error) {
    refuse(env, error.what());
    return false;
  }
  run.programArgs = launch::programArguments(app);
  return true;
}

/// What identifies files and words that all points share.
static bool addInputs(launch::KeyText &key, const sweep::Request &request,
                      DriverEnv &env) {
  for (const std::string &word : request.fixed)
    key.add("word", word);
  for (const std::string &input : request.inputs) {
    auto content = launch::readFile(input);
    if (!content) {
      refuse(env, "'" + input + "' cannot be read");
      return false;
    }
    key.add("input", input.substr(input.rfind('/') + 1))
        .add("content", launch::hashBytes(*content).hex());
  }
  return true;
}

static int inspectExecutable(sweep::Request &request, llvm::StringRef content,
                             std::vector<ParamFacts> *params, DriverEnv &env) {
  auto json = paramsOfExecutable(request.program);
  if (!json)
    return refuse(env, llvm::toString(json.takeError()));
  auto read = sweep::readParams(*json);
  if (!read)
    return refuse(env, llvm::toString(read.takeError()));
  if (params)
    *params = std::move(*read);
  auto help = sweep::outputOf({request.program, "--help"});
  if (help)
    request.hasCheckpoints = llvm::StringRef(*help).contains("--checkpoint");
  else
    llvm::consumeError(help.takeError());
  launch::KeyText key;
  key.add("executable", launch::hashBytes(content).hex());
  if (!addInputs(key, request, env))
    return ExitWorld;
  request.hash = key.hash().hex();
  return ExitGood;
}

static bool runHasCheckpoints() {
  for (const char *const *flag = chirt_run_flags; *flag; ++flag)
    if (llvm::StringRef(*flag) == "checkpoint")
      return true;
  return false;
}

static ParamFacts factsOf(const sema::ParamSummary &summary) {
  ParamFacts param;
  param.name = summary.name;
  param.type = summary.type;
  if (!sweep::readType(param.type, param.scalar, param.count))
    param.scalar.clear();
  param.low = summary.low;
  param.high = summary.high;
  param.choices = summary.choices;
  param.doc = summary.doc;
  param.defaultText = summary.defaultText;
  return param;
}

/// The values that all points share, checked by their params.
static int checkFixed(const std::map<std::string, std::string> &values,
                      llvm::ArrayRef<ParamFacts> params, DriverEnv &env) {
  for (const auto &[name, text] : values)
    if (const ParamFacts *param = sweep::findParam(params, name))
      if (std::string problem = sweep::problemOf(*param, text);
          !problem.empty())
        return refuse(env, "parameter `" + param->name + "`: " + problem);
  return ExitGood;
}

int chi::driver::inspectProgram(sweep::Request &request,
                                std::vector<ParamFacts> *params,
                                DriverEnv &env) {
  auto text = launch::readProgram(request.program);
  if (!text)
    return ExitWorld;
  request.isExecutable = isExecutable(*text);
  if (request.isExecutable)
    return inspectExecutable(request, *text, params, env);
  request.hasCheckpoints = runHasCheckpoints();
  launch::RunOptions run;
  if (!readRun(request, nullptr, run, env))
    return ExitWorld;
  Frontend frontend(env, run.compile, run.diagnostics, request.program,
                    std::move(*text));
  if (!frontend.parse())
    return frontend.finish();
  auto summaries = frontend.params();
  if (!frontend.modules.unreadable().empty())
    return frontend.finish();
  std::map<std::string, std::string> values;
  if (!bindParams(request.program, run.programArgs, summaries, values, env.err,
                  chirt_run_flags))
    return ExitWorld;
  std::vector<ParamFacts> facts;
  for (const sema::ParamSummary &summary : summaries)
    facts.push_back(factsOf(summary));
  int status = checkFixed(values, facts, env);
  if (params)
    *params = std::move(facts);
  return status;
}

/// Whether code with checkpoints can be made of the program. It cannot where a
/// tape records a loop, for example; the reason is said once.
static bool takesCheckpoints(const sweep::Request &request,
                             const sweep::Point &point, DriverEnv &env) {
  std::vector<std::string> words = {env.host.binaryFolder + "/chic", "run",
                                    request.program};
  llvm::append_range(words, request.fixed);
  for (const sweep::Point::Value &value : point.values)
    words.push_back("--" + value.name + "=" + value.text);
  words.push_back("--checkpoint=state.ckpt");
  words.push_back("--compile-only"); // the point finds the code in the cache
  auto output = sweep::outputOf(
      llvm::to_vector_of<llvm::StringRef>(llvm::ArrayRef(words)));
  if (output)
    return true;
  std::string problem = llvm::toString(output.takeError());
  llvm::StringRef text = problem;
  if (text.contains("error[E0416]"))
    return false; // no loop, so nothing to go on with
  if (!text.contains("error[E0415]"))
    return true; // the points report it
  text.consume_front("'" + words.front() + "': ");
  env.err << "sweep: points run without checkpoints: " << text.split('\n').first
          << "\n";
  return false;
}

int chi::driver::checkProgram(sweep::Request &request,
                              const sweep::Point &point, DriverEnv &env) {
  if (request.isExecutable)
    return ExitGood;
  auto text = launch::readProgram(request.program);
  launch::RunOptions run;
  if (!text || !readRun(request, &point, run, env))
    return ExitWorld;
  launch::KeyText key;
  key.add("text", *text);
  Frontend frontend(env, run.compile, run.diagnostics, request.program,
                    std::move(*text));
  std::map<std::string, std::string> values;
  if (!frontend.parse())
    return frontend.finish();
  if (!bindParams(request.program, run.programArgs, frontend.params(), values,
                  env.err, chirt_run_flags))
    return ExitWorld;
  sema::Options sema = semaOptions(run.compile);
  sema.specialize = specializeOf(run.specialize);
  if (sema.specialize != sema::Specialize::None)
    sema.paramValues = std::move(values);
  auto program = frontend.check(sema);
  if (!program)
    return frontend.finish();
  request.specialized.clear();
  for (const auto &param : program->params)
    if (param->isFixed)
      request.specialized.push_back(param->name);
  for (const auto &module : frontend.modules.lookups())
    if (!module.isAbsent)
      key.add("module", module.path).add("content", module.content.hex());
  if (!addInputs(key, request, env))
    return ExitWorld;
  request.hash = key.hash().hex();
  // Flags of the compiler that vary lead to other code, too.
  for (const std::string &flag : sweptFlags(request))
    if (flag != "seed" && flag != "threads" && flag != "device")
      request.specialized.push_back(flag);
  request.hasCheckpoints &= takesCheckpoints(request, point, env);
  return ExitGood;
}

std::vector<std::string>
chi::driver::sweptFlags(const sweep::Request &request) {
  if (request.isExecutable)
    return {"seed", "threads", "arch", "device"};
  return {"seed", "threads",       "arch", "device",      "float",
          "math", "default-float", "O",    "default-int", "specialize"};
}
