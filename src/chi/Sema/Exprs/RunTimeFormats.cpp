//===- RunTimeFormats.cpp - Formats with values in them -------------------===//
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"

using namespace chi;
using namespace chi::sema;

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
