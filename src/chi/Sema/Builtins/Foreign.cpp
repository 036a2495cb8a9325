//===- Foreign.cpp --------------------------------------------------------===//
#include "chi/Sema/Builtins/Foreign.h"
#include "llvm/ADT/STLExtras.h"

using namespace chi;
using namespace chi::sema;
using llvm::StringRef;

StringRef sema::foreignModule(StringRef path) {
  StringRef first = path.split('.').first;
  static constexpr std::pair<StringRef, StringRef> kModules[] = {
#define CHI_FOREIGN_MODULE(Name, Alias, Advice) {Name, Advice}, {Alias, Advice},
#include "chi/Sema/Builtins/Foreign.def"
  };
  for (auto [name, advice] : kModules)
    if (name == first)
      return advice;
  return "";
}

bool sema::isForeignAlias(StringRef name) {
  static constexpr StringRef kAliases[] = {
#define CHI_FOREIGN_MODULE(Name, Alias, Advice) Name, Alias,
#include "chi/Sema/Builtins/Foreign.def"
  };
  return llvm::is_contained(kAliases, name);
}

StringRef sema::foreignType(StringRef text) {
  static constexpr std::pair<StringRef, StringRef> kTypes[] = {
#define CHI_FOREIGN_TYPE(Text, Own) {Text, Own},
#include "chi/Sema/Builtins/Foreign.def"
  };
  for (auto [name, own] : kTypes)
    if (name == text)
      return own;
  return "";
}

bool sema::isForeignAnnotation(StringRef name) {
  static constexpr StringRef kAnnotations[] = {
#define CHI_FOREIGN_ANNOTATION(Text) Text,
#include "chi/Sema/Builtins/Foreign.def"
  };
  return llvm::is_contained(kAnnotations, name);
}

ForeignDecorator sema::foreignDecorator(StringRef name) {
  static constexpr std::pair<StringRef, ForeignDecorator> kDecorators[] = {
#define CHI_FOREIGN_DECORATOR(Text, Kind) {Text, ForeignDecorator::Kind},
#include "chi/Sema/Builtins/Foreign.def"
  };
  for (auto [known, kind] : kDecorators)
    if (known == name)
      return kind;
  return ForeignDecorator::None;
}

ForeignMeaning sema::foreignFunction(StringRef name) {
  static constexpr std::pair<StringRef, ForeignMeaning> kFunctions[] = {
#define CHI_FOREIGN_FUNCTION(Text, Own, Advice) {Text, {Own, Advice}},
#include "chi/Sema/Builtins/Foreign.def"
  };
  for (auto &[known, word] : kFunctions)
    if (known == name)
      return word;
  // The caller looks up functions of C with a suffix, such as `sqrtf`.
  return {};
}

StringRef sema::foreignMethod(StringRef name) {
  static constexpr std::pair<StringRef, StringRef> kMethods[] = {
#define CHI_FOREIGN_METHOD(Text, Own) {Text, Own},
#include "chi/Sema/Builtins/Foreign.def"
  };
  for (auto [known, own] : kMethods)
    if (known == name)
      return own;
  return "";
}

namespace {
/// What has members.
enum class Of { Field, Vector, Matrix, Tuple, Scalar, Any };
} // namespace

static bool isOf(TypeRef type, Of of) {
  switch (of) {
  case Of::Field:
    return type->isField();
  case Of::Vector:
    return type->isVec();
  case Of::Matrix:
    return type->isMat();
  case Of::Tuple:
    return type->isTuple();
  case Of::Scalar:
    return type->isScalar();
  case Of::Any: // what `len` takes
    return type->isAggregate() || type->isArray() || type->isTuple() ||
           (type->isField() && type->rank() > 0);
  }
  return false;
}

ForeignMeaning sema::foreignMember(TypeRef type, StringRef name) {
  struct Entry {
    Of of;
    StringRef name;
    ForeignMeaning word;
  };
  static constexpr Entry kMembers[] = {
#define CHI_FOREIGN_MEMBER(Kind, Text, Own, Advice)                            \
  {Of::Kind, Text, {Own, Advice}},
#include "chi/Sema/Builtins/Foreign.def"
  };
  for (const Entry &entry : kMembers)
    if (entry.name == name && isOf(type, entry.of))
      return entry.word;
  return {};
}

std::vector<StringRef> sema::foreignMembers(TypeRef type) {
  std::vector<StringRef> names;
#define CHI_FOREIGN_MEMBER(Kind, Text, Own, Advice)                            \
  if (isOf(type, Of::Kind))                                                    \
    names.push_back(Text);
#include "chi/Sema/Builtins/Foreign.def"
  return names;
}

void sema::reportLater(DiagnosticEngine &diags, SourceRange range,
                       StringRef what) {
  static constexpr std::pair<StringRef, StringRef> kWays[] = {
#define CHI_WAY_ROUND(What, Advice) {What, Advice},
#include "chi/Sema/Builtins/Foreign.def"
  };
  auto report = diags.report(range, diag::NotSupportedYet, what);
  for (auto [known, advice] : kWays)
    if (known == what)
      report.addNote({}, diag::Advice, advice);
}

std::string sema::filledIn(llvm::StringRef advice, llvm::StringRef value) {
  std::string text;
  for (char c : advice) {
    if (c == '$')
      text += value;
    else
      text += c;
  }
  return text;
}
