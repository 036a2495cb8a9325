//===- Record.cpp - The record of a file, as people read it ---------------===//
#include "chi/Driver/Provenance/Record.h"
#include "chirt/host.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <memory>

using namespace chi::driver;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {
struct Free {
  void operator()(char *text) const { std::free(text); }
};
using OwnedText = std::unique_ptr<char, Free>;
using Words = std::vector<std::string>;
} // namespace

//===--- Reading ----------------------------------------------------------===//

/// Adds what an attribute of the file says, if the record does not.
static void addMaking(Object &record, const std::string &path) {
  OwnedText text(chirt_read_making(path.c_str()));
  if (!text || record.getObject("made"))
    return;
  auto made = llvm::json::parse(text.get());
  if (made && made->getAsObject())
    record["made"] = std::move(*made);
  else
    llvm::consumeError(made ? llvm::Error::success() : made.takeError());
}

llvm::Expected<FileRecord> FileRecord::read(const std::string &path,
                                            bool &isMissing) {
  char *raw = nullptr;
  int32_t status = chirt_read_record(path.c_str(), &raw);
  OwnedText text(raw);
  isMissing = status == 1;
  if (status != 0)
    return llvm::createStringError(text.get());
  auto value = llvm::json::parse(text.get());
  Object *object = value ? value->getAsObject() : nullptr;
  if (!value)
    llvm::consumeError(value.takeError());
  FileRecord result;
  if (object)
    result.record = std::move(*object);
  isMissing = true; // if it fails from here on
  if (!object || result.text("format") != "chi provenance 1" ||
      result.text("program").empty() || result.text("file").empty())
    return llvm::createStringError(
        "the record in `" + path +
        "` is malformed, or of a later version of chic");
  addMaking(result.record, path);
  return result;
}

llvm::StringRef FileRecord::text(llvm::StringRef name) const {
  return record.getString(name).value_or("");
}

llvm::StringRef FileRecord::made(llvm::StringRef name) const {
  const Object *object = record.getObject("made");
  return object ? object->getString(name).value_or("") : "";
}

/// The texts of a list.
static Words textsOf(const Object &object, llvm::StringRef name) {
  Words texts;
  if (const Array *list = object.getArray(name))
    for (const Value &value : *list)
      texts.push_back(value.getAsString().value_or("").str());
  return texts;
}

std::string FileRecord::otherState() const {
  return llvm::join(textsOf(record, "resumed_with_other"), ", ");
}

std::vector<std::string> FileRecord::params() const {
  Words names;
  if (const Object *params = record.getObject("params"))
    for (const auto &member : *params)
      names.push_back(member.first.str());
  return names;
}

std::vector<std::string> FileRecord::includeDirs() const {
  const Object *options = record.getObject("options");
  return options ? textsOf(*options, "include") : Words();
}

//===--- Commands ---------------------------------------------------------===//

/// The shortest text that reads back as the number.
static std::string numberText(double number) {
  char text[40];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof(text), "%.*g", digits, number);
    if (std::strtod(text, nullptr) == number)
      break;
  }
  return text;
}

/// A value as a flag takes it: "0.5", "1,2,3".
static std::string valueText(const Value &value) {
  if (auto text = value.getAsString())
    return text->str();
  if (auto flag = value.getAsBoolean())
    return *flag ? "true" : "false";
  if (auto number = value.getAsInteger())
    return std::to_string(*number);
  if (auto number = value.getAsUINT64())
    return std::to_string(*number);
  if (auto number = value.getAsNumber())
    return numberText(*number);
  std::string text;
  if (const Array *list = value.getAsArray())
    for (const Value &each : *list)
      text += (text.empty() ? "" : ",") + valueText(each);
  return text;
}

/// The members of an object by their names: that of a table of hashes is none.
static std::vector<std::pair<std::string, const Value *>>
sorted(const Object *object) {
  std::vector<std::pair<std::string, const Value *>> members;
  if (object)
    for (const auto &[name, value] : *object)
      members.emplace_back(name.str(), &value);
  llvm::sort(members, llvm::less_first());
  return members;
}

/// `--name=value`, or `--name` and `--no-name` of a bool.
static std::string paramWord(llvm::StringRef name, const Value &value) {
  if (auto flag = value.getAsBoolean())
    return (*flag ? "--" : "--no-") + name.str();
  return "--" + name.str() + "=" + valueText(value);
}

/// The flag of an option of the record, and its usual value, which is left out.
struct OptionWord {
  llvm::StringLiteral name, flag, usual;
};
static constexpr OptionWord kOptionWords[] = {
    {"float", "--float=", "fast"},
    {"math", "--math=", "chi"},
    {"O", "-O", "3"},
    {"target_cpu", "--target-cpu=", "native"},
    {"machine", "--machine=", ""},
    {"default_int", "--default-int=", "i32"},
    {"default_float", "--default-float=", "f32"},
    {"strict_types", "--strict-types", "false"},
    {"unchecked", "--unchecked", "false"},
    {"deterministic", "--deterministic", "false"},
    {"check", "--check=", ""},
    {"without", "--without=", ""},
    {"specialize", "--specialize=", "needed"},
    {"arch", "--arch=", ""},
    {"gpu_arch", "--gpu-arch=", ""},
};

void FileRecord::addOptions(Words &words) const {
  const Object *options = record.getObject("options");
  if (!options)
    return;
  for (const OptionWord &word : kOptionWords) {
    const Value *value = options->get(word.name);
    std::string text = value ? valueText(*value) : "";
    if (value && text != word.usual)
      words.push_back(word.flag.str() +
                      (word.flag.ends_with("=") || word.name == "O"
                           ? text
                           : std::string()));
  }
  for (const std::string &folder : includeDirs())
    words.insert(words.end(), {"-I", folder});
  for (const std::string &define : textsOf(*options, "define"))
    words.insert(words.end(), {"-D", define});
}

/// What both `chic run` and an executable take.
void FileRecord::addRunWords(Words &words) const {
  auto add = [&](llvm::StringRef flag, const char *name, const char *usual) {
    const Value *value = record.get(name);
    if (std::string text = value ? valueText(*value) : usual; text != usual)
      words.push_back("--" + flag.str() + "=" + text);
  };
  add("arch", "arch", "cpu");
  add("device", "device_number", "0");
  add("threads", "threads", "0");
  add("seed", "seed", "0");
  for (const auto &[name, value] : sorted(record.getObject("params")))
    words.push_back(paramWord(name, *value));
  Words arguments = textsOf(record, "arguments");
  if (arguments.empty())
    return;
  words.push_back("--");
  if (llvm::StringRef(arguments.front()).starts_with("--")) // is no param
    words.push_back("--");
  words.insert(words.end(), arguments.begin(), arguments.end());
}

std::vector<Words> FileRecord::commands(llvm::StringRef program,
                                        llvm::StringRef executable) const {
  if (!isOfExecutable()) {
    Words run = {"chic", "run", program.str()};
    addOptions(run);
    addRunWords(run);
    return {run};
  }
  Words build = {"chic", "build", program.str(), "-o", executable.str()};
  addOptions(build);
  Words run = {executable.str()};
  addRunWords(run);
  return {build, run};
}

std::string chi::driver::shellWord(llvm::StringRef word) {
  bool isPlain = !word.empty() && llvm::all_of(word, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("-_=./,:+%@").contains(c);
  });
  if (isPlain)
    return word.str();
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The commands, a line each.
std::vector<std::string> FileRecord::shellLines() const {
  std::string name = llvm::sys::path::stem(text("program")).str();
  Words lines;
  for (const Words &words : commands(text("program"), "./" + name)) {
    lines.emplace_back();
    for (const std::string &word : words)
      lines.back() += (lines.back().empty() ? "" : " ") + shellWord(word);
  }
  return lines;
}

//===--- Printing ---------------------------------------------------------===//

/// "n = 512, dt = 0.001"
void FileRecord::printParams(llvm::raw_ostream &out) const {
  auto params = sorted(record.getObject("params"));
  const char *separator = "";
  for (const auto &[name, value] : params) {
    out << separator << name << " = " << valueText(*value);
    separator = ", ";
  }
  out << (params.empty() ? "none\n" : "\n");
}

void FileRecord::printCommit(llvm::raw_ostream &out) const {
  const Object *git = record.getObject("git");
  if (!git)
    return;
  out << "commit    " << git->getString("commit").value_or("?")
      << (git->getBoolean("clean").value_or(false)
              ? "\n"
              : ", with changes that were not committed\n");
}

void FileRecord::print(llvm::raw_ostream &to) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  printLines(out);
  for (char &c : text)
    if ((c >= 0 && c < 0x20 && c != '\n') || c == 0x7f)
      c = '?';
  to << text;
}

void FileRecord::printLines(llvm::raw_ostream &out) const {
  auto line = [&](llvm::StringRef name, llvm::StringRef value) {
    if (!value.empty())
      out << llvm::left_justify(name, 10) << value << "\n";
  };
  line("file", text("file"));
  line("program", (text("program") + ", hash " + text("hash")).str());
  line("compiler",
       ("chic " + text("chic") + ", " + text("verb") + " for " + text("target"))
           .str());
  out << "params    ";
  printParams(out);
  line("seed", record.get("seed") ? valueText(*record.get("seed")) : "0");
  line("device",
       (text("arch") + (text("device").empty() ? "" : ", ") + text("device"))
           .str());
  printCommit(out);
  line("time", made("time"));
  line("host", made("host"));
  line("folder", made("folder"));
  if (std::string other = otherState(); !other.empty())
    line("state", "went on from a checkpoint of a run with another " + other);
  out << "\n";
  for (const std::string &command : shellLines())
    out << command << "\n";
}

void FileRecord::printJson(llvm::raw_ostream &out) const {
  Object all = record;
  Array lines;
  for (std::string &command : shellLines())
    lines.push_back(llvm::json::fixUTF8(command));
  all["commands"] = std::move(lines);
  out << llvm::formatv("{0:2}\n", Value(std::move(all)));
}
