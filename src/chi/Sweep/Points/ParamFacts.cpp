//===- ParamFacts.cpp - The params that a sweep varies --------------------===//
#include "chi/Sweep/Points/ParamFacts.h"
#include "chi/Params/Params.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Points/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace chi;
using namespace chi::sweep;

static constexpr llvm::StringLiteral kScalars[] = {
    "bool", "i8",  "i16", "i32",  "i64", "u8",  "u16",
    "u32",  "u64", "f16", "bf16", "f32", "f64", "str"};

bool ParamFacts::isInteger() const {
  return scalar.size() > 1 && (scalar[0] == 'i' || scalar[0] == 'u');
}

bool sweep::readType(llvm::StringRef type, std::string &scalar,
                     int64_t &count) {
  type = type.trim();
  count = 1;
  if (type.consume_front("vec(") && type.consume_back(")")) {
    auto [number, element] = type.split(',');
    if (number.trim().getAsInteger(10, count) || count < 1)
      return false;
    type = element.trim();
  }
  scalar = type.str();
  return llvm::is_contained(kScalars, type);
}

/// A default, a bound or a choice as text, however it was typed.
static std::string textOf(const llvm::json::Value &value) {
  if (auto text = value.getAsString())
    return text->str();
  if (auto integer = value.getAsInteger())
    return std::to_string(*integer);
  if (auto number = value.getAsNumber())
    return exactText(*number);
  if (auto truth = value.getAsBoolean())
    return *truth ? "True" : "False";
  auto *array = value.getAsArray();
  std::string text;
  for (size_t k = 0; array && k < array->size(); ++k)
    text += (k ? ", " : "") + textOf((*array)[k]);
  return array ? "[" + text + "]" : "";
}

static ParamFacts readParam(const llvm::json::Object &object) {
  ParamFacts param;
  auto text = [&](const char *key) {
    return object.getString(key).value_or("").str();
  };
  param.name = text("name");
  param.type = text("type");
  param.doc = text("doc");
  if (auto *given = object.get("default"))
    param.defaultText = textOf(*given);
  if (!readType(param.type, param.scalar, param.count))
    param.scalar.clear();
  if (auto *range = object.getArray("range"); range && range->size() == 2) {
    param.low = textOf((*range)[0]);
    param.high = textOf((*range)[1]);
  }
  if (auto *choices = object.getArray("choices"))
    for (const llvm::json::Value &choice : *choices)
      param.choices.push_back(textOf(choice));
  return param;
}

llvm::Expected<std::vector<ParamFacts>>
sweep::readParams(llvm::StringRef json) {
  auto value = llvm::json::parse(json);
  if (!value)
    return value.takeError();
  auto *array = value->getAsArray();
  if (!array)
    return failure("it is no array");
  std::vector<ParamFacts> params;
  for (const llvm::json::Value &each : *array) {
    auto *object = each.getAsObject();
    if (!object || !object->getString("name"))
      return failure("an element is no object with a `name`");
    params.push_back(readParam(*object));
  }
  return params;
}

const ParamFacts *sweep::findParam(llvm::ArrayRef<ParamFacts> params,
                                   llvm::StringRef name) {
  auto plain = [](char c) { return c == '-' ? '_' : c; };
  for (const ParamFacts &param : params)
    if (llvm::equal(param.name, name,
                    [&](char a, char b) { return plain(a) == plain(b); }))
      return &param;
  return nullptr;
}

/// Whether each component lies in the range, as far as it is known.
static bool isInRange(const ParamFacts &param,
                      llvm::ArrayRef<params::Scalar> scalars) {
  auto low = readNumber(param.low), high = readNumber(param.high);
  if (!low || !high)
    return true;
  return llvm::all_of(scalars, [&](const params::Scalar &scalar) {
    return params::isWithin(param.scalar, scalar.real, *low, *high);
  });
}

static bool isChoice(const ParamFacts &param, llvm::StringRef value,
                     llvm::ArrayRef<params::Scalar> scalars) {
  if (param.choices.empty() || param.count != 1)
    return true;
  return llvm::any_of(param.choices, [&](const std::string &choice) {
    if (param.scalar == "str")
      return choice == value;
    std::string problem;
    auto other = params::readValue(choice, param.scalar, 1, problem);
    // A choice that is an expression is left to the program.
    return !other ||
           params::isSame(param.scalar, scalars.front(), other->front());
  });
}

std::string sweep::problemOf(const ParamFacts &param, llvm::StringRef value) {
  if (param.scalar.empty())
    return "";
  std::string problem;
  std::vector<params::Scalar> scalars;
  if (param.scalar != "str") {
    auto read = params::readValue(value, param.scalar, param.count, problem);
    if (read)
      scalars = std::move(*read);
  }
  if (problem.empty() && !isInRange(param, scalars))
    problem = "is outside its range";
  if (problem.empty() && !isChoice(param, value, scalars))
    problem = "is not one of its choices";
  if (problem.empty())
    return "";
  std::string domain = params::domainText(param.low, param.high, param.choices);
  return "`" + value.str() + "` " + problem +
         params::factsText(param.type, domain, param.doc);
}
