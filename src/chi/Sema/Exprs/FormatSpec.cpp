//===- FormatSpec.cpp - print and the format mini-language ----------------===//
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "llvm/ADT/StringExtras.h"

using namespace chi;
using namespace chi::sema;

namespace {
/// `[[fill]align][sign][#][0][width][,_][.precision][type]` of Python.
struct FormatSpec {
  char type = 0;
  char grouping = 0; ///< , or _
  bool hasPrecision = false, hasSign = false;
  bool padsInside = false; ///< between the sign and the digits
  bool isValid = true;
};
} // namespace

/// Bytes of the first character of UTF-8 text.
static size_t firstLength(llvm::StringRef text) {
  unsigned char byte = text.empty() ? 0 : text[0];
  size_t length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  return std::min(length, text.size());
}

static bool isAlign(char letter) {
  return letter == '<' || letter == '>' || letter == '^' || letter == '=';
}

static bool takeNumber(llvm::StringRef &text) {
  llvm::StringRef digits = text.take_while(llvm::isDigit);
  text = text.drop_front(digits.size());
  // A width of thousands is a slip; it would only fill memory.
  return digits.size() <= 4;
}

static FormatSpec parseSpec(llvm::StringRef text) {
  FormatSpec spec;
  size_t fill = firstLength(text);
  if (text.size() > fill && isAlign(text[fill])) {
    spec.padsInside = text[fill] == '=';
    text = text.drop_front(fill + 1);
  } else if (!text.empty() && isAlign(text[0])) {
    spec.padsInside = text[0] == '=';
    text = text.drop_front();
  }
  if (!text.empty() && llvm::StringRef("+- ").contains(text[0])) {
    spec.hasSign = true;
    text = text.drop_front();
  }
  text.consume_front("#");
  spec.padsInside |= text.consume_front("0");
  spec.isValid &= takeNumber(text);
  if (text.starts_with(",") || text.starts_with("_")) {
    spec.grouping = text[0];
    text = text.drop_front();
  }
  if (text.consume_front(".")) {
    spec.hasPrecision = true;
    spec.isValid &= !text.empty() && llvm::isDigit(text[0]);
    spec.isValid &= takeNumber(text);
  }
  if (!text.empty()) {
    spec.type = text[0];
    text = text.drop_front();
  }
  spec.isValid &= text.empty();
  return spec;
}

/// Whether a value of this type can be written so.
static bool suits(const FormatSpec &spec, TypeRef type) {
  llvm::StringRef floats = "eEfFgG%", ints = "bdoxXn";
  bool isFloatForm = spec.type && floats.contains(spec.type);
  bool isIntForm = spec.type && ints.contains(spec.type);
  if (spec.type && !isFloatForm && !isIntForm && spec.type != 's')
    return false;
  if (type->isStr())
    return (!spec.type || spec.type == 's') && !spec.hasSign && !spec.grouping;
  if (type->isComplex && (spec.padsInside || spec.type == '%'))
    return false;
  TypeRef scalar = type->scalar();
  if (spec.type == 's')
    return false;
  // Commas stand between thousands, which only decimal digits have; `n` groups
  // by itself.
  llvm::StringRef ungrouped = spec.grouping == ',' ? "boxXn" : "n";
  if (spec.grouping && spec.type && ungrouped.contains(spec.type))
    return false;
  if (scalar->isFloat())
    return !isIntForm;
  return isFloatForm || !spec.hasPrecision;
}

/// `Ray(o=[0.0, 1.0], t=2.5)`, or what `__str__` of its class returns.
bool ExprChecker::formatObject(Expr *value, llvm::StringRef text,
                               SourceRange specRange,
                               std::vector<FormatPart> &parts) {
  for (llvm::StringRef name : {"__str__", "__repr__"})
    if (Expr *made = ctx.classes.callNamed(value->range, name, value, {}))
      return formatValue(made, text, specRange, parts);
  TypeRef type = value->type;
  Expr *whole = isConstant(value) ? value : state.held(value);
  std::string before = type->str() + "(";
  bool ok = true;
  for (unsigned k = 0; k < type->members.size(); ++k) {
    parts.push_back({before + type->memberNames[k] + "=", nullptr, ""});
    Expr *member = ctx.classes.memberAt(build.clone(whole), k, value->range);
    ok &= formatValue(member, text, specRange, parts);
    before = ", ";
  }
  parts.push_back({")", nullptr, ""});
  return ok;
}

bool ExprChecker::formatValue(Expr *value, llvm::StringRef text,
                              SourceRange specRange,
                              std::vector<FormatPart> &parts) {
  value = build.withDefault(value);
  if (isError(value))
    return false;
  if (value->type->isObject() && !value->type->isRef()) // as its text
    value = ctx.objects.textOf(value);
  if (isError(value))
    return false;
  TypeRef type = value->type;
  if (type->isOfClass() && !type->isComplex)
    return formatObject(value, text, specRange, parts);
  if (type->isTuple()) {
    Expr *whole = isConstant(value) || llvm::isa<ConstructExpr>(value)
                      ? value
                      : state.held(value);
    bool ok = true;
    parts.push_back({"(", nullptr, ""});
    for (unsigned k = 0; k < type->members.size(); ++k) {
      if (k)
        parts.push_back({", ", nullptr, ""});
      ok &= formatValue(build.tupleMember(whole, k), text, specRange, parts);
    }
    parts.push_back({type->members.size() == 1 ? ",)" : ")", nullptr, ""});
    return ok;
  }
  if (type->isField() && !state.hostOnly(value->range, "printing a field"))
    return false;
  if (type->isFieldOfClass() && !type->element->isComplex) {
    reportLater(diags, value->range, "printing a field of objects as a whole");
    return false;
  }
  bool isPrintable = type->isScalar() || type->isAggregate() || type->isStr() ||
                     type->isField() || type->isArray() || type->isComplex;
  if (!isPrintable) {
    diags.report(value->range, diag::NoValue).send();
    return false;
  }
  if (!text.empty()) {
    FormatSpec spec = parseSpec(text);
    if (!spec.isValid) {
      diags.report(specRange, diag::BadFormat, text).send();
      return false;
    }
    if (!suits(spec, type)) {
      diags.report(specRange, diag::FormatType, text, type->str()).send();
      return false;
    }
  }
  auto *literal = llvm::dyn_cast<LiteralExpr>(value);
  if (literal && text.empty() && !type->isFloat()) {
    // No code for each of some thousand numbers.
    __int128 number = static_cast<ExactLiteral *>(literal)->exact;
    parts.push_back(
        {type->isBool() ? number ? "True" : "False" : intText(number), nullptr,
         ""});
    return true;
  }
  if (type->isVec() && type->shape[0] == 0) {
    parts.push_back({"[]", nullptr, ""});
    return true;
  }
  FormatPart part;
  part.value = type->isComplex ? ctx.complexes.partsOf(value) : value;
  part.spec = text.str() + (type->isComplex ? "j" : "");
  parts.push_back(std::move(part));
  return true;
}

Expr *ExprChecker::textOf(SourceRange range, Expr *value) {
  if (!state.hostOnly(range, "a `str` of a value"))
    return fail(range);
  if (value->type->isStr())
    return value;
  auto *format = build.make<FormatExpr>(range, types.str);
  if (value->type->isVoid()) {
    diags.report(range, diag::NoValue).send();
    return fail(range);
  }
  return formatValue(value, "", range, format->parts) ? format : fail(range);
}

/// Parts are evaluated from the left: where the last needs statements of its
/// own, those from `mark` on, the `numBefore` others are evaluated before them.
void ExprChecker::keepOrder(std::vector<FormatPart> &parts, size_t numBefore,
                            size_t mark) {
  size_t end = state.out->size();
  if (end == mark)
    return;
  for (FormatPart &part : llvm::MutableArrayRef(parts).take_front(numBefore)) {
    bool isNumber = part.value && (part.value->type->isScalar() ||
                                   part.value->type->isAggregate());
    if (isNumber && !isConstant(part.value) &&
        !llvm::isa<VariableExpr>(part.value))
      part.value = state.store(part.value);
  }
  std::rotate(state.out->begin() + mark, state.out->begin() + end,
              state.out->end());
}

bool ExprChecker::formatNext(const ast::Expr *expr, llvm::StringRef text,
                             SourceRange specRange,
                             std::vector<FormatPart> &parts) {
  size_t mark = state.out->size(), numBefore = parts.size();
  bool ok = formatValue(checkExpr(expr), text, specRange, parts);
  keepOrder(parts, numBefore, mark);
  return ok;
}

bool ExprChecker::formatParts(const ast::Expr *expr,
                              std::vector<FormatPart> &parts) {
  if (auto *text = llvm::dyn_cast<ast::StringExpr>(expr)) {
    parts.push_back({text->value.str(), nullptr, ""});
    return true;
  }
  auto *format = llvm::dyn_cast<ast::FStringExpr>(expr);
  if (!format)
    return formatNext(expr, "", expr->range, parts);
  bool ok = true;
  for (const ast::FStringPart &part : format->parts) {
    if (!part.text.empty())
      parts.push_back({part.text.str(), nullptr, ""});
    if (!part.formatParts.empty())
      ok &= formatByValues(part, parts);
    else if (part.value)
      ok &= formatNext(part.value, part.format, part.formatRange, parts);
  }
  return ok;
}

void ExprChecker::printValue(Expr *value) {
  if (value->type->isStr())
    value =
        ctx.objects.run(value->range, "chirt_str_quoted", types.str, {value});
  std::vector<FormatPart> parts;
  if (!formatValue(value, "", value->range, parts))
    return;
  parts.push_back({"\n", nullptr, ""});
  state.emit<PrintStmt>(value->range)->parts = std::move(parts);
}

void ExprChecker::checkPrint(const ast::CallExpr *expr) {
  std::string separator = " ", end = "\n";
  std::vector<FormatPart> parts;
  bool ok = true, isFirst = true;
  if (state.where == Where::Constant) {
    diags.report(expr->range, diag::NotConstant, "`print`").send();
    return;
  }
  for (const ast::Argument &arg : expr->args) {
    if (arg.keyword.empty())
      continue;
    auto *text = llvm::dyn_cast<ast::StringExpr>(arg.value);
    if (arg.keyword != "sep" && arg.keyword != "end") {
      diags.report(arg.keywordRange, diag::UnknownKeyword, "print", arg.keyword)
          .send();
      ok = false;
    } else if (!text) {
      diags
          .report(arg.value->range, diag::NotConstant,
                  ("`" + arg.keyword + "` of `print`").str())
          .send();
      ok = false;
    } else {
      (arg.keyword == "sep" ? separator : end) = text->value.str();
    }
  }
  for (const ast::Argument &arg : expr->args) {
    if (!arg.keyword.empty())
      continue;
    if (!isFirst)
      parts.push_back({separator, nullptr, ""});
    isFirst = false;
    ok &= formatParts(arg.value, parts);
  }
  if (!ok)
    return;
  parts.push_back({end, nullptr, ""});
  // Neighbouring texts are one.
  auto *print = state.emit<PrintStmt>(expr->range);
  for (FormatPart &part : parts) {
    bool joins =
        !part.value && !print->parts.empty() && !print->parts.back().value;
    if (joins)
      print->parts.back().text += part.text;
    else if (part.value || !part.text.empty())
      print->parts.push_back(std::move(part));
  }
}

//===----------------------------------------------------------------------===//
// Formats with values in them
//===----------------------------------------------------------------------===//

/// The chirt_dtype of a float.
static int dtypeOf(TypeRef type) {
  constexpr int kHalf = 9, kBFloat = 10, kSingle = 11, kDouble = 12;
  return type->bits == 64       ? kDouble
         : type->bits == 32     ? kSingle
         : type->str() == "f16" ? kHalf
                                : kBFloat;
}

/// A number or str as text, by a format that only the run knows.
Expr *ExprChecker::formatted(Expr *value, Expr *spec) {
  SourceRange range = value->range;
  TypeRef type = value->type;
  auto dtype = [&](int code) {
    return build.intLiteral(range, code, types.i32);
  };
  if (type->isStr())
    return ctx.objects.run(range, "chirt_format_str", types.str, {value, spec});
  if (type->isFloat())
    return ctx.objects.run(
        range, "chirt_format_float", types.str,
        {build.cast(value, types.f64), dtype(dtypeOf(type)), spec});
  bool isUnsigned = type->isInt() && !type->isSigned;
  int code =
      type->isBool() ? 0 : (isUnsigned ? kFirstUnsigned : kFirstSigned) + 3;
  return ctx.objects.run(range, "chirt_format_integer", types.str,
                         {build.cast(value, types.i64), dtype(code), spec});
}

/// `{x:{width}.2f}`
bool ExprChecker::formatByValues(const ast::FStringPart &part,
                                 std::vector<FormatPart> &parts) {
  Expr *value = checkTyped(part.value);
  auto *format = build.make<FormatExpr>(part.formatRange, types.str);
  bool ok = !isError(value) &&
            state.hostOnly(part.formatRange, "a format with values in it");
  for (const ast::FStringPart &each : part.formatParts)
    if (each.value)
      ok &= formatNext(each.value, "", each.formatRange, format->parts);
    else
      format->parts.push_back({each.text.str(), nullptr, ""});
  if (!ok)
    return false;
  if (value->type->isScalar() || value->type->isStr()) {
    parts.push_back({"", formatted(value, format), ""});
    return true;
  }
  if (!value->type->isVec()) {
    diags
        .report(part.formatRange, diag::FormatType,
                program.sources.text(part.formatRange), value->type->str())
        .send();
    return false;
  }
  value = state.held(value);
  Expr *spec = state.store(format);
  for (unsigned k = 0; k < value->type->shape[0]; ++k) {
    parts.push_back({k == 0 ? "[" : ", ", nullptr, ""});
    parts.push_back(
        {"",
         formatted(build.component(build.clone(value), k), build.clone(spec)),
         ""});
  }
  parts.push_back({"]", nullptr, ""});
  return true;
}
