//===- Words.cpp - Documentation of built-in names
//-------------------------===//
#include "chi/LSP/Server/Words.h"
#include "chi/Sema/Builtins/BuiltinNames.h"
#include "chi/Sema/Builtins/Members.h"
#include "llvm/ADT/STLExtras.h"

using namespace chi;
using namespace chi::lsp;
using llvm::StringRef;

/// The parts of a line between its bars; `\|` is no such bar.
static std::vector<std::string> partsOf(StringRef line) {
  std::vector<std::string> parts(1);
  for (size_t k = 0; k < line.size(); ++k) {
    bool isEscaped = line[k] == '\\' && k + 1 < line.size();
    if (isEscaped && line[k + 1] == '|')
      parts.back() += line[++k];
    else if (line[k] == '|')
      parts.emplace_back();
    else
      parts.back() += line[k];
  }
  for (std::string &part : parts)
    part = StringRef(part).trim().str();
  return parts;
}

Words::Words(StringRef lines) {
#define CHI_BUILTIN(Name, Text) words.try_emplace(Text);
#define CHI_LATER(Name, Text)
#define CHI_INTRINSIC(Name, Text)
#include "chi/Sema/Builtins/Builtins.def"
  llvm::SmallVector<StringRef> all;
  lines.split(all, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : all) {
    if (line.starts_with("#") || line.starts_with("=") || line.starts_with(">"))
      continue;
    std::vector<std::string> parts = partsOf(line);
    if (parts.size() < 3)
      continue;
    StringRef name = parts[0];
    name.consume_front("type.");
    name.consume_front("@");
    words[name] = {parts[1], parts[2]};
  }
}

const Word *Words::find(StringRef name) const {
  auto found = words.find(name);
  return found == words.end() ? nullptr : &found->second;
}

/// How words.txt names the values of a type: "value.norm".
static StringRef familyOf(sema::TypeRef type) {
  return type->isField()       ? "field."
         : type->isAggregate() ? "value."
         : type->isStr()       ? "str."
         : type->isList()      ? "list."
         : type->isDict()      ? "dict."
         : type->isSet()       ? "set."
                               : "";
}

const Word *Words::findMember(sema::TypeRef type, StringRef name) const {
  StringRef family = familyOf(type);
  if (family.empty())
    return nullptr;
  return find(family.str() + name.str());
}

static bool isBare(StringRef name) {
  return !name.contains('.') && !name.starts_with("__");
}

std::vector<StringRef> Words::bareNames() const {
  std::vector<StringRef> names;
  for (auto &entry : words)
    if (isBare(entry.first()))
      names.push_back(entry.first());
  static constexpr StringRef kShapes[] = {
      "vec2",  "vec3",  "vec4",  "ivec2", "ivec3", "ivec4",
      "uvec2", "uvec3", "uvec4", "dvec2", "dvec3", "dvec4",
      "mat2",  "mat3",  "mat4",  "dmat2", "dmat3", "dmat4"};
  llvm::append_range(names, kShapes);
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  return names;
}

std::vector<StringRef> Words::namesIn(StringRef module) const {
  std::vector<StringRef> names;
  for (auto &entry : words) {
    StringRef name = entry.first();
    if (name.consume_front(module) && name.consume_front("."))
      names.push_back(name);
  }
  if (module == "math") {
#define CHI_MATH(Name, Text, Op, Arity) names.push_back(Text);
#include "chi/Sema/Builtins/Builtins.def"
  }
  llvm::sort(names);
  return names;
}

std::vector<StringRef> lsp::builtinMembers(sema::TypeRef type) {
  if (type->isField() || type->isAggregate() || type->isStr() ||
      (type->isObject() && !type->isRef())) {
    std::vector<StringRef> names = sema::membersOf(type);
    if (type->isField())
      names.push_back("grad");
    if (type->isVec())
      for (int64_t k = 0; k < std::min<int64_t>(type->shape[0], 4); ++k)
        names.push_back(StringRef("xyzw").substr(k, 1));
    return names;
  }
  return {};
}
