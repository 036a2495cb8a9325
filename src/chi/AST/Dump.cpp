//===- Dump.cpp - A syntax tree as text -----------------------------------===//
#include "chi/AST/Dump.h"
#include "llvm/ADT/STLExtras.h"
#include <charconv>

using namespace chi;
using namespace chi::ast;
using llvm::ArrayRef;
using llvm::cast;
using llvm::StringRef;

namespace {
class Dumper {
public:
  explicit Dumper(llvm::raw_ostream &out) : out(out) {}

  void dumpModule(const Module &module);
  void dumpExpr(const Expr *expr);

private:
  void dumpStmt(const Stmt *stmt);
  void dumpCompound(const Stmt *stmt);
  void dumpDeclaration(const Stmt *stmt);
  void dumpLeaf(const Expr *expr);
  void dumpAssignment(const Stmt *stmt);
  void dumpRest(const Expr *expr);
  void dumpIf(const IfStmt *stmt);
  void dumpFunction(const FunctionStmt *stmt);
  void dumpLambda(const FunctionStmt *function);
  void dumpClass(const ClassStmt *stmt);
  void dumpParam(const ParamStmt *stmt);
  void dumpFString(const FStringExpr *expr);
  void dumpFloat(double value);

  /// Starts a new line inside the open parenthesis.
  void line() {
    out << '\n';
    out.indent(2 * depth);
  }
  void dumpBody(Body body) {
    ++depth;
    for (const Stmt *stmt : body) {
      line();
      dumpStmt(stmt);
    }
    --depth;
  }
  void dumpBlock(StringRef name, Body body) {
    ++depth;
    line();
    out << '(' << name;
    dumpBody(body);
    out << ')';
    --depth;
  }
  void dumpElse(Body body) {
    if (!body.empty())
      dumpBlock("else", body);
  }
  void dumpDoc(StringRef doc) {
    if (doc.empty())
      return;
    ++depth;
    line();
    out << "(doc ";
    quote(doc);
    out << ')';
    --depth;
  }
  void quote(StringRef text) {
    out << '"';
    out.write_escaped(text);
    out << '"';
  }
  void word(const Expr *expr) {
    out << ' ';
    if (expr)
      dumpExpr(expr);
    else
      out << '_';
  }
  /// `(head a b c)`
  void node(StringRef head, ArrayRef<Expr *> parts) {
    out << '(' << head;
    for (const Expr *part : parts)
      word(part);
    out << ')';
  }
  /// `(name part)` on a line of its own; nothing if there is no part.
  void optional(StringRef name, const Expr *part) {
    if (!part)
      return;
    ++depth;
    line();
    out << '(' << name;
    word(part);
    out << ')';
    --depth;
  }
  void typeParams(ArrayRef<TypeParameter> params) {
    if (params.empty())
      return;
    out << " [";
    llvm::interleave(
        params, out, [&](const TypeParameter &p) { out << p.name; }, " ");
    out << ']';
  }
  void unsupported(StringRef what, bool isDelayed) {
    out << (isDelayed ? "(delayed " : "(unsupported ");
    quote(what);
    out << ')';
  }

  llvm::raw_ostream &out;
  unsigned depth = 0;
};
} // namespace

void Dumper::dumpFloat(double value) {
  char text[40]; // the shortest text that reads back
  auto end = std::to_chars(text, text + sizeof text, value).ptr;
  StringRef shown(text, end - text);
  out << shown << (shown.find_first_of(".en") == StringRef::npos ? ".0" : "");
}

void Dumper::dumpFString(const FStringExpr *expr) {
  out << "(fstring";
  for (const FStringPart &part : expr->parts) {
    out << ' ';
    if (!part.value) {
      quote(part.text);
      continue;
    }
    out << "(field";
    word(part.value);
    if (part.selfDocumenting) {
      out << " = ";
      quote(part.text);
    }
    if (!part.format.empty()) {
      out << ' ';
      quote(part.format);
    }
    out << ')';
  }
  out << ')';
}

/// Numbers, strings, names and unsupported expressions.
void Dumper::dumpLeaf(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Int:
    out << cast<IntExpr>(expr)->value;
    return;
  case ExprKind::Float:
    dumpFloat(cast<FloatExpr>(expr)->value);
    out << (cast<FloatExpr>(expr)->isImaginary ? "j" : "");
    return;
  case ExprKind::Bool:
    out << (cast<BoolExpr>(expr)->value ? "True" : "False");
    return;
  case ExprKind::None:
    out << "None";
    return;
  case ExprKind::String:
    return quote(cast<StringExpr>(expr)->value);
  case ExprKind::Name:
    out << cast<NameExpr>(expr)->name;
    return;
  default: {
    auto *unknown = cast<UnsupportedExpr>(expr);
    return unsupported(unknown->what, unknown->isDelayed);
  }
  }
}

void Dumper::dumpExpr(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Lambda:
    return dumpLambda(cast<LambdaExpr>(expr)->function);
  case ExprKind::FString:
    return dumpFString(cast<FStringExpr>(expr));
  case ExprKind::Attribute: {
    auto *attribute = cast<AttributeExpr>(expr);
    out << "(.";
    word(attribute->base);
    out << ' ' << attribute->name << ')';
    return;
  }
  case ExprKind::Subscript: {
    auto *subscript = cast<SubscriptExpr>(expr);
    out << "([]";
    word(subscript->base);
    for (const Expr *index : subscript->indices)
      word(index);
    out << ')';
    return;
  }
  case ExprKind::Slice: {
    auto *slice = cast<SliceExpr>(expr);
    out << "(:";
    for (const Expr *part : {slice->begin, slice->end, slice->step})
      word(part);
    out << ')';
    return;
  }
  case ExprKind::Call: {
    auto *call = cast<CallExpr>(expr);
    out << "(call";
    word(call->callee);
    for (const Argument &argument : call->args) {
      out << ' ';
      if (!argument.keyword.empty())
        out << argument.keyword << '=';
      dumpExpr(argument.value);
    }
    out << ')';
    return;
  }
  case ExprKind::Unary: {
    auto *unary = cast<UnaryExpr>(expr);
    return node(spelling(unary->op), unary->operand);
  }
  case ExprKind::Binary: {
    auto *binary = cast<BinaryExpr>(expr);
    return node(spelling(binary->op), {binary->lhs, binary->rhs});
  }
  case ExprKind::Compare: {
    auto *compare = cast<CompareExpr>(expr);
    out << "(compare";
    word(compare->operands[0]);
    for (auto [op, operand] :
         llvm::zip(compare->ops, compare->operands.drop_front())) {
      out << ' ' << spelling(op);
      word(operand);
    }
    out << ')';
    return;
  }
  case ExprKind::Logical: {
    auto *logical = cast<LogicalExpr>(expr);
    return node(logical->isAnd ? "and" : "or", logical->operands);
  }
  case ExprKind::Conditional: {
    auto *conditional = cast<ConditionalExpr>(expr);
    return node("conditional", {conditional->condition, conditional->thenValue,
                                conditional->elseValue});
  }
  case ExprKind::List:
    return node("list", cast<ListExpr>(expr)->elements);
  case ExprKind::Tuple:
    return node("tuple", cast<TupleExpr>(expr)->elements);
  default:
    return dumpRest(expr);
  }
}

/// Dicts, sets, comprehensions and what they keep, and leaves.
void Dumper::dumpRest(const Expr *expr) {
  if (auto *dict = llvm::dyn_cast<DictExpr>(expr))
    return node("dict", dict->items);
  if (auto *set = llvm::dyn_cast<SetExpr>(expr))
    return node("set", set->elements);
  if (auto *comprehension = llvm::dyn_cast<ComprehensionExpr>(expr)) {
    out << "(comprehension";
    dumpBody(comprehension->loop);
    out << ')';
    return;
  }
  auto *collected = llvm::dyn_cast<CollectedExpr>(expr);
  if (!collected)
    return dumpLeaf(expr);
  if (collected->key)
    return node("collected", {collected->key, collected->value});
  node("collected", collected->value);
}

void Dumper::dumpIf(const IfStmt *stmt) {
  out << "(if";
  word(stmt->condition);
  dumpBody(stmt->thenBody);
  if (!stmt->elseBody.empty())
    dumpBlock("else", stmt->elseBody);
  out << ')';
}

void Dumper::dumpFunction(const FunctionStmt *stmt) {
  out << "(function " << stmt->name;
  typeParams(stmt->typeParams);
  for (const Expr *decorator : stmt->decorators)
    optional("decorator", decorator);
  ++depth;
  for (const Parameter &param : stmt->params) {
    line();
    out << "(parameter " << param.name;
    if (param.type || param.defaultValue)
      word(param.type);
    if (param.defaultValue)
      word(param.defaultValue);
    out << ')';
  }
  --depth;
  optional("returns", stmt->returnType);
  dumpDoc(stmt->doc);
  dumpBody(stmt->body);
  out << ')';
}

/// `(lambda (x (y 1)) e)`
void Dumper::dumpLambda(const FunctionStmt *function) {
  out << "(lambda (";
  for (const Parameter &param : function->params) {
    if (&param != function->params.begin())
      out << ' ';
    if (!param.defaultValue) {
      out << param.name;
      continue;
    }
    out << '(' << param.name;
    word(param.defaultValue);
    out << ')';
  }
  out << ')';
  word(cast<ReturnStmt>(function->body.front())->value);
  out << ')';
}

void Dumper::dumpClass(const ClassStmt *stmt) {
  out << "(class " << stmt->name;
  typeParams(stmt->typeParams);
  for (const Expr *base : stmt->bases)
    optional("base", base);
  dumpDoc(stmt->doc);
  dumpBody(stmt->body);
  out << ')';
}

void Dumper::dumpParam(const ParamStmt *stmt) {
  out << "(param " << stmt->name;
  word(stmt->type);
  word(stmt->value);
  if (stmt->low) {
    out << " (range";
    word(stmt->low);
    word(stmt->high);
    out << ')';
  }
  if (!stmt->choices.empty()) {
    out << ' ';
    node("choices", stmt->choices);
  }
  if (!stmt->doc.empty()) {
    out << " (doc ";
    quote(stmt->doc);
    out << ')';
  }
  out << ')';
}

void Dumper::dumpAssignment(const Stmt *stmt) {
  if (auto *assign = llvm::dyn_cast<AssignStmt>(stmt)) {
    out << "(assign";
    for (const Expr *target : assign->targets)
      word(target);
    word(assign->value);
  } else if (auto *typed = llvm::dyn_cast<AnnAssignStmt>(stmt)) {
    out << "(declare";
    word(typed->target);
    word(typed->type);
    if (typed->value)
      word(typed->value);
  } else {
    auto *update = cast<AugAssignStmt>(stmt);
    out << '(' << spelling(update->op) << '=';
    word(update->target);
    word(update->value);
  }
  out << ')';
}

/// `while`, `for`, `with`, `test`, without the closing parenthesis.
void Dumper::dumpCompound(const Stmt *stmt) {
  if (auto *loop = llvm::dyn_cast<WhileStmt>(stmt)) {
    out << "(while";
    word(loop->condition);
    dumpBody(loop->body);
    dumpElse(loop->elseBody);
  } else if (auto *loop = llvm::dyn_cast<ForStmt>(stmt)) {
    out << "(for (";
    llvm::interleave(
        loop->targets, out, [&](const Expr *e) { dumpExpr(e); }, " ");
    out << ')';
    word(loop->iterable);
    dumpBody(loop->body);
    dumpElse(loop->elseBody);
  } else if (auto *with = llvm::dyn_cast<WithStmt>(stmt)) {
    out << "(with";
    word(with->context);
    if (!with->asName.empty())
      out << " as " << with->asName;
    dumpBody(with->body);
  } else if (auto *example = llvm::dyn_cast<ExampleStmt>(stmt)) {
    out << "(example ";
    quote(example->expected);
    dumpBody(example->body);
  } else {
    auto *test = cast<TestStmt>(stmt);
    out << "(test ";
    quote(test->name);
    dumpBody(test->body);
  }
}

/// Imports, consts and type names, without the closing parenthesis.
void Dumper::dumpDeclaration(const Stmt *stmt) {
  if (auto *constant = llvm::dyn_cast<ConstStmt>(stmt)) {
    out << "(const " << constant->name;
    word(constant->type);
    word(constant->value);
  } else if (auto *alias = llvm::dyn_cast<TypeAliasStmt>(stmt)) {
    out << "(type " << alias->name;
    word(alias->value);
  } else if (auto *import = llvm::dyn_cast<ImportStmt>(stmt)) {
    out << "(import " << import->path;
    if (!import->alias.empty())
      out << " as " << import->alias;
  } else {
    auto *from = cast<FromImportStmt>(stmt);
    out << "(from " << from->path;
    for (const ImportedName &name : from->names) {
      out << ' ' << name.name;
      if (name.alias != name.name)
        out << " as " << name.alias;
    }
  }
}

void Dumper::dumpStmt(const Stmt *stmt) {
  switch (stmt->kind) {
  case StmtKind::Expr:
    return node("do", cast<ExprStmt>(stmt)->value);
  case StmtKind::Assign:
  case StmtKind::AnnAssign:
  case StmtKind::AugAssign:
    return dumpAssignment(stmt);
  case StmtKind::If:
    return dumpIf(cast<IfStmt>(stmt));
  case StmtKind::While:
  case StmtKind::For:
  case StmtKind::With:
  case StmtKind::Test:
  case StmtKind::Example:
    dumpCompound(stmt);
    break;
  case StmtKind::Break:
    out << "(break";
    break;
  case StmtKind::Continue:
    out << "(continue";
    break;
  case StmtKind::Pass:
    out << "(pass";
    break;
  case StmtKind::Return:
    out << "(return";
    if (cast<ReturnStmt>(stmt)->value)
      word(cast<ReturnStmt>(stmt)->value);
    break;
  case StmtKind::Assert:
    out << "(assert";
    word(cast<AssertStmt>(stmt)->condition);
    if (cast<AssertStmt>(stmt)->message)
      word(cast<AssertStmt>(stmt)->message);
    break;
  case StmtKind::Function:
    return dumpFunction(cast<FunctionStmt>(stmt));
  case StmtKind::Class:
    return dumpClass(cast<ClassStmt>(stmt));
  case StmtKind::Param:
    return dumpParam(cast<ParamStmt>(stmt));
  case StmtKind::Const:
  case StmtKind::TypeAlias:
  case StmtKind::Import:
  case StmtKind::FromImport:
    dumpDeclaration(stmt);
    break;
  case StmtKind::Export:
    out << "(export";
    for (const Expr *instance : cast<ExportStmt>(stmt)->instances)
      word(instance);
    break;
  case StmtKind::Unsupported: {
    auto *unknown = cast<UnsupportedStmt>(stmt);
    return unsupported(unknown->what, unknown->isDelayed);
  }
  }
  out << ')';
}

void Dumper::dumpModule(const Module &module) {
  out << "(module";
  dumpDoc(module.doc);
  dumpBody(module.body);
  out << ")\n";
}

void chi::ast::dump(const Module &module, llvm::raw_ostream &out) {
  Dumper(out).dumpModule(module);
}

void chi::ast::dump(const Expr &expr, llvm::raw_ostream &out) {
  Dumper(out).dumpExpr(&expr);
}
