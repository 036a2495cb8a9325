//===- Dump.cpp - The typed tree as text ----------------------------------===//
// S-expressions, one statement a line, each expression with its type:
// `(+ : f32 (var x : f32) (lit 1 : f32))`.
#include "chi/Sema/Build.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace chi;
using namespace chi::sema;

namespace {
class Dumper {
public:
  Dumper(const Program &program, llvm::raw_ostream &out)
      : program(program), out(out) {}
  void run();

private:
  void type(TypeRef type);
  void expr(const Expr *expr);
  void list(const std::vector<Expr *> &exprs);
  void literal(const LiteralExpr *literal);
  void text(llvm::StringRef text);
  void place(const Place &place);
  void format(const std::vector<FormatPart> &parts);
  void stmt(const Stmt *stmt);
  void body(const Body &body);
  void loop(const ForStmt *loop);
  void function(const Function &function);
  void line() {
    out << '\n';
    out.indent(depth * 2);
  }

  const Program &program;
  llvm::raw_ostream &out;
  unsigned depth = 0;
};
} // namespace

static llvm::StringRef builtinName(Builtin op) {
  static constexpr llvm::StringRef kNames[] = {
      "sqrt",     "rsqrt",     "exp",         "exp2",     "expm1",  "log",
      "log2",     "log10",     "log1p",       "sin",      "cos",    "tan",
      "asin",     "acos",      "atan",        "sinh",     "cosh",   "tanh",
      "asinh",    "acosh",     "atanh",       "cbrt",     "erf",    "erfc",
      "floor",    "ceil",      "round",       "trunc",    "atan2",  "hypot",
      "copysign", "fmod",      "fma",         "isnan",    "isinf",  "isfinite",
      "abs",      "sign",      "min",         "max",      "clamp",  "mix",
      "dot",      "cross",     "outer",       "norm",     "norm_sqr",
      "normalized", "transpose", "determinant", "inverse", "trace", "col",
      "diag",     "identity",  "sum",         "prod",     "min_element",
      "max_element", "all",    "any",         "popcount", "clz",    "mulhi"};
  return kNames[unsigned(op)];
}

static llvm::StringRef atomicName(AtomicOp op) {
  static constexpr llvm::StringRef kNames[] = {
      "add", "sub", "and", "or", "xor", "min", "max", "exchange", "cas"};
  return kNames[unsigned(op)];
}

static llvm::StringRef hostName(HostOp op) {
  static constexpr llvm::StringRef kNames[] = {
      "make_field", "load",      "save",      "fill",         "copy_from",
      "field_sum",  "field_min", "field_max", "field_argmax", "field_dot",
      "time_now",   "exit",      "sync",      "report",       "same_field"};
  return kNames[unsigned(op)];
}

/// Fields with their extents, layout and order, which `str` leaves out.
void Dumper::type(TypeRef type) {
  if (!type->isField()) {
    out << type->str();
    return;
  }
  out << "field(" << type->element->str() << ", [";
  for (auto [axis, extent] : llvm::enumerate(type->shape)) {
    if (axis)
      out << ", ";
    if (extent < 0)
      out << '?';
    else
      out << extent;
  }
  out << ']';
  if (type->layout == Layout::SoA)
    out << ", soa";
  bool isNatural = true;
  std::string order;
  for (auto [axis, at] : llvm::enumerate(type->order)) {
    isNatural &= at == axis;
    order += char('i' + at);
  }
  if (!isNatural)
    out << ", " << order;
  out << ')';
}

void Dumper::text(llvm::StringRef text) {
  out << '"';
  llvm::printEscapedString(text, out);
  out << '"';
}

void Dumper::literal(const LiteralExpr *literal) {
  TypeRef type = literal->type;
  if (type->isBool())
    out << (literal->integer ? "true" : "false");
  else if (type->isInt() && !type->isSigned)
    out << uint64_t(literal->integer);
  else if (type->isInt())
    out << literal->integer;
  else if (type->bits == 64)
    out << llvm::format("%.17g", literal->real);
  else
    out << llvm::format("%.9g", literal->real);
}

void Dumper::list(const std::vector<Expr *> &exprs) {
  for (const Expr *each : exprs) {
    out << ' ';
    expr(each);
  }
}

void Dumper::format(const std::vector<FormatPart> &parts) {
  for (const FormatPart &part : parts) {
    out << ' ';
    if (!part.value) {
      text(part.text);
    } else if (part.spec.empty()) {
      expr(part.value);
    } else {
      out << "(as ";
      text(part.spec);
      out << ' ';
      expr(part.value);
      out << ')';
    }
  }
}

void Dumper::expr(const Expr *e) {
  auto open = [&](llvm::StringRef head) {
    out << '(' << head << " : ";
    type(e->type);
  };
  switch (e->kind) {
  case ExprKind::Literal:
    literal(llvm::cast<LiteralExpr>(e));
    out << ':';
    return type(e->type);
  case ExprKind::StringLiteral:
    return text(llvm::cast<StringLiteralExpr>(e)->value);
  case ExprKind::Variable:
    out << llvm::cast<VariableExpr>(e)->variable->name << ':';
    return type(e->type);
  case ExprKind::Global:
    out << '@' << llvm::cast<GlobalExpr>(e)->global->name << ':';
    return type(e->type);
  case ExprKind::Param:
    out << '$' << program.params[llvm::cast<ParamExpr>(e)->index]->name << ':';
    return type(e->type);
  case ExprKind::Unary: {
    auto *unary = llvm::cast<UnaryExpr>(e);
    open(unary->op == UnaryOp::Neg   ? "neg"
         : unary->op == UnaryOp::Not ? "not"
                                     : "~");
    list({unary->operand});
    break;
  }
  case ExprKind::Binary:
    open(spelling(llvm::cast<BinaryExpr>(e)->op));
    list({llvm::cast<BinaryExpr>(e)->lhs, llvm::cast<BinaryExpr>(e)->rhs});
    break;
  case ExprKind::Compare:
    open(spelling(llvm::cast<CompareExpr>(e)->op));
    list({llvm::cast<CompareExpr>(e)->lhs, llvm::cast<CompareExpr>(e)->rhs});
    break;
  case ExprKind::Logical:
    open(llvm::cast<LogicalExpr>(e)->isAnd ? "and" : "or");
    list({llvm::cast<LogicalExpr>(e)->lhs, llvm::cast<LogicalExpr>(e)->rhs});
    break;
  case ExprKind::Select: {
    auto *select = llvm::cast<SelectExpr>(e);
    open("if");
    list({select->condition, select->thenValue, select->elseValue});
    break;
  }
  case ExprKind::Cast:
    open(llvm::cast<CastExpr>(e)->isBitcast ? "bitcast" : "cast");
    list({llvm::cast<CastExpr>(e)->operand});
    break;
  case ExprKind::Splat:
    open("splat");
    list({llvm::cast<SplatExpr>(e)->operand});
    break;
  case ExprKind::Construct:
    open("make");
    list(llvm::cast<ConstructExpr>(e)->parts);
    break;
  case ExprKind::Extract: {
    auto *extract = llvm::cast<ExtractExpr>(e);
    open("get");
    list({extract->base});
    list(extract->indices);
    for (unsigned k : extract->components)
      out << " ." << k;
    break;
  }
  case ExprKind::Builtin:
    open(builtinName(llvm::cast<BuiltinExpr>(e)->op));
    list(llvm::cast<BuiltinExpr>(e)->args);
    break;
  case ExprKind::Call: {
    auto *call = llvm::cast<CallExpr>(e);
    open((call->callee->isKernel ? "launch " : "call ") + call->callee->name);
    list(call->args);
    break;
  }
  case ExprKind::Load: {
    auto *load = llvm::cast<LoadExpr>(e);
    open("load");
    list({load->field});
    out << " [";
    list(load->indices);
    out << " ]";
    if (!load->path.empty()) {
      out << " .[";
      list(load->path);
      out << " ]";
    }
    break;
  }
  case ExprKind::Dim:
    open("dim" + std::to_string(llvm::cast<DimExpr>(e)->axis));
    list({llvm::cast<DimExpr>(e)->field});
    break;
  case ExprKind::Random:
    open(llvm::cast<RandomExpr>(e)->isNormal ? "randn" : "random");
    break;
  case ExprKind::Atomic: {
    auto *atomic = llvm::cast<AtomicExpr>(e);
    open(("atomic_" + atomicName(atomic->op)).str());
    list({atomic->field});
    out << " [";
    list(atomic->indices);
    out << " ]";
    if (!atomic->path.empty()) {
      out << " .[";
      list(atomic->path);
      out << " ]";
    }
    if (atomic->expected)
      list({atomic->expected});
    list({atomic->value});
    break;
  }
  case ExprKind::Format:
    out << "(format";
    format(llvm::cast<FormatExpr>(e)->parts);
    break;
  case ExprKind::HostOp: {
    auto *op = llvm::cast<HostOpExpr>(e);
    open(hostName(op->op));
    list(op->args);
    for (const std::string &name : op->names)
      out << ' ' << name;
    if (!op->text.empty())
      out << ' ' << op->text;
    break;
  }
  case ExprKind::Let: {
    auto *let = llvm::cast<LetExpr>(e);
    open("let " + let->variable->name);
    list({let->value, let->body});
    break;
  }
  }
  out << ')';
}

void Dumper::place(const Place &place) {
  if (place.kind == Place::Local) {
    out << place.variable->name;
  } else if (place.kind == Place::TopLevel) {
    out << '@' << place.global->name;
  } else {
    expr(place.field);
    out << '[';
    list(place.indices);
    out << " ]";
  }
  if (!place.path.empty()) {
    out << ".[";
    list(place.path);
    out << " ]";
  }
  out << ':';
  type(place.type);
}

void Dumper::body(const Body &body) {
  ++depth;
  for (const Stmt *each : body) {
    line();
    stmt(each);
  }
  --depth;
}

void Dumper::loop(const ForStmt *loop) {
  out << (loop->isParallel ? "(parallel" : "(for");
  for (const Variable *variable : loop->variables) {
    out << ' ' << variable->name << ':';
    type(variable->type);
  }
  if (loop->field) {
    out << " over ";
    expr(loop->field);
  }
  for (const ForStmt::Range &range : loop->ranges) {
    out << " (range";
    list({range.begin, range.end});
    if (range.step)
      list({range.step});
    out << ')';
  }
  if (loop->showsProgress)
    out << " progress";
  if (loop->block)
    out << " block=" << loop->block;
  body(loop->body);
  out << ')';
}

void Dumper::stmt(const Stmt *s) {
  switch (s->kind) {
  case StmtKind::Expr:
    out << "(do ";
    expr(llvm::cast<ExprStmt>(s)->value);
    break;
  case StmtKind::Assign:
    out << "(= ";
    place(llvm::cast<AssignStmt>(s)->place);
    out << ' ';
    expr(llvm::cast<AssignStmt>(s)->value);
    break;
  case StmtKind::Accumulate: {
    auto *update = llvm::cast<AccumulateStmt>(s);
    out << '(' << spelling(update->op) << "= ";
    place(update->place);
    out << ' ';
    expr(update->value);
    break;
  }
  case StmtKind::If: {
    auto *branch = llvm::cast<IfStmt>(s);
    out << "(if ";
    expr(branch->condition);
    body(branch->thenBody);
    if (!branch->elseBody.empty()) {
      line();
      out << "else";
      body(branch->elseBody);
    }
    break;
  }
  case StmtKind::While: {
    auto *loop = llvm::cast<WhileStmt>(s);
    out << "(while ";
    expr(loop->condition);
    body(loop->body);
    break;
  }
  case StmtKind::For:
    return loop(llvm::cast<ForStmt>(s));
  case StmtKind::Unrolled:
    out << "(unrolled";
    for (const Body &each : llvm::cast<UnrolledStmt>(s)->bodies) {
      ++depth;
      line();
      out << "(turn";
      body(each);
      out << ')';
      --depth;
    }
    break;
  case StmtKind::Break:
    out << "(break";
    break;
  case StmtKind::Continue:
    out << "(continue";
    break;
  case StmtKind::Return:
    out << "(return";
    if (const Expr *value = llvm::cast<ReturnStmt>(s)->value) {
      out << ' ';
      expr(value);
    }
    break;
  case StmtKind::Assert: {
    auto *check = llvm::cast<AssertStmt>(s);
    out << "(assert ";
    expr(check->condition);
    format(check->message);
    break;
  }
  case StmtKind::Print:
    out << "(print";
    format(llvm::cast<PrintStmt>(s)->parts);
    break;
  case StmtKind::Block:
    out << "(block";
    body(llvm::cast<BlockStmt>(s)->body);
    break;
  }
  out << ')';
}

void Dumper::function(const Function &function) {
  out << (function.isKernel ? "(kernel " : "(function ") << function.name;
  for (const Variable *param : function.params) {
    out << " (" << param->name << " : ";
    type(param->type);
    out << ')';
  }
  if (!function.result->isVoid()) {
    out << " -> ";
    type(function.result);
  }
  if (function.isHostOnly)
    out << " host";
  if (function.isStrict)
    out << " strict";
  body(function.body);
  out << ")\n";
}

void Dumper::run() {
  for (const auto &param : program.params) {
    out << "(param " << param->name << " : ";
    type(param->type);
    if (param->isFixed) {
      out << " fixed ";
      text(param->fixedText);
    } else if (param->defaultValue) {
      out << ' ';
      expr(param->defaultValue);
    }
    out << ")\n";
  }
  for (const auto &global : program.globals) {
    out << "(global " << global->name << " : ";
    type(global->type);
    out << ")\n";
  }
  for (const auto &each : program.functions)
    function(*each);
}

void sema::dump(const Program &program, llvm::raw_ostream &out) {
  Dumper(program, out).run();
}
