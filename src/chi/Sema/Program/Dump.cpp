//===- Dump.cpp - The typed tree as text ----------------------------------===//
// S-expressions, one statement a line, each expression with its type:
// `(+ : f32 (var x : f32) (lit 1 : f32))`.
#include "chi/Sema/Build/Build.h"
#include "chi/Sema/Program/Sema.h"
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
  bool leaf(const Expr *expr);
  bool operation(const Expr *expr);
  void open(const Expr *expr, llvm::StringRef head);
  void access(const Expr *field, const std::vector<Expr *> &indices,
              const Path &path);
  void list(const std::vector<Expr *> &exprs);
  void steps(const Path &path);
  void literal(const LiteralExpr *literal);
  void text(llvm::StringRef text);
  void lvalue(const LValue &lvalue);
  void format(const std::vector<FormatPart> &parts);
  void stmt(const Stmt *stmt);
  void body(const Body &body);
  void loop(const ForStmt *loop);
  void branch(const IfStmt *branch);
  void unrolled(const UnrolledStmt *loop);
  void tape(const TapeStmt *tape);
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

static llvm::StringRef atomicName(AtomicOp op) {
  static constexpr llvm::StringRef kNames[] = {"add",      "sub", "mul", "and",
                                               "or",       "xor", "min", "max",
                                               "exchange", "cas", "load"};
  return kNames[unsigned(op)];
}

static llvm::StringRef hostName(HostOp op) {
  static constexpr llvm::StringRef kNames[] = {
      "make_field", "load",      "save",         "save_named",   "append",
      "exists",     "env",       "fill",         "copy_from",    "field_sum",
      "field_min",  "field_max", "field_argmin", "field_argmax", "field_dot",
      "time_now",   "exit",      "sync",         "report",       "kernel_grad",
      "field_view", "run",       "search",       "make_object",  "list_at",
      "list_put",   "list_push", "list_insert",  "list_pop",     "dict_at",
      "dict_get",   "dict_put",  "dict_pop",     "member_at",    "member_put"};
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
  if (type->layout == Layout::Strided)
    out << ", strided";
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

void Dumper::open(const Expr *e, llvm::StringRef head) {
  out << '(' << head << " : ";
  type(e->type);
}

/// What is written without brackets; false for everything else.
bool Dumper::leaf(const Expr *e) {
  switch (e->kind) {
  case ExprKind::Literal:
    literal(llvm::cast<LiteralExpr>(e));
    break;
  case ExprKind::StringLiteral:
    text(llvm::cast<StringLiteralExpr>(e)->value);
    return true;
  case ExprKind::Variable:
    out << llvm::cast<VariableExpr>(e)->variable->name;
    break;
  case ExprKind::Global:
    out << '@' << llvm::cast<GlobalExpr>(e)->global->name;
    break;
  case ExprKind::Param:
    out << '$' << program.params[llvm::cast<ParamExpr>(e)->index]->name;
    break;
  default:
    return false;
  }
  out << ':';
  type(e->type);
  return true;
}

/// Operators; false for everything else.
bool Dumper::operation(const Expr *e) {
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(e))
    open(e, unary->op == UnaryOp::Neg   ? "neg"
            : unary->op == UnaryOp::Not ? "not"
                                        : "~");
  else if (auto *binary = llvm::dyn_cast<BinaryExpr>(e))
    open(e, spelling(binary->op));
  else if (auto *compare = llvm::dyn_cast<CompareExpr>(e))
    open(e, spelling(compare->op));
  else if (auto *logical = llvm::dyn_cast<LogicalExpr>(e))
    open(e, logical->isAnd ? "and" : "or");
  else if (llvm::isa<SelectExpr>(e))
    open(e, "if");
  else if (auto *cast = llvm::dyn_cast<CastExpr>(e))
    open(e, cast->isBitcast ? "bitcast" : "cast");
  else if (llvm::isa<SplatExpr>(e))
    open(e, "splat");
  else if (llvm::isa<ConstructExpr>(e))
    open(e, "make");
  else if (auto *call = llvm::dyn_cast<BuiltinExpr>(e))
    open(e, builtinName(call->op));
  else if (auto *call = llvm::dyn_cast<CallExpr>(e))
    open(e,
         (call->callee->isKernel ? "launch " : "call ") + call->callee->name);
  else if (auto *dim = llvm::dyn_cast<DimExpr>(e))
    open(e, "dim" + std::to_string(dim->axis));
  else if (auto *companion = llvm::dyn_cast<CompanionExpr>(e))
    open(e, companion->isDual ? "dual" : "grad");
  else if (auto *random = llvm::dyn_cast<RandomExpr>(e))
    open(e, random->isNormal ? "randn" : "random");
  else
    return false;
  forEachOperand(const_cast<Expr *>(e), [&](Expr *&operand) {
    out << ' ';
    expr(operand);
  });
  return true;
}

void Dumper::steps(const Path &path) {
  for (const PathStep &step : path)
    if (step.isMember())
      out << ' ' << step.member << ":i32";
    else
      list({step.index});
}

void Dumper::access(const Expr *field, const std::vector<Expr *> &indices,
                    const Path &path) {
  out << ' ';
  expr(field);
  out << " [";
  list(indices);
  out << " ]";
  if (path.empty())
    return;
  out << " .[";
  steps(path);
  out << " ]";
}

void Dumper::expr(const Expr *e) {
  if (leaf(e))
    return;
  if (operation(e)) {
    out << ')';
    return;
  }
  if (auto *extract = llvm::dyn_cast<ExtractExpr>(e)) {
    open(e, "get");
    list({extract->base});
    steps(extract->path);
    for (unsigned k : extract->components)
      out << " ." << k;
  } else if (auto *load = llvm::dyn_cast<LoadExpr>(e)) {
    open(e, "load");
    access(load->field, load->indices, load->path);
  } else if (auto *atomic = llvm::dyn_cast<AtomicExpr>(e)) {
    open(e, ("atomic_" + atomicName(atomic->op)).str());
    access(atomic->field, atomic->indices, atomic->path);
    if (atomic->expected)
      list({atomic->expected});
    if (atomic->value)
      list({atomic->value});
  } else if (auto *block = llvm::dyn_cast<BlockExpr>(e)) {
    open(e, "block");
    body(block->body);
    list({block->value});
  } else if (auto *formatted = llvm::dyn_cast<FormatExpr>(e)) {
    out << "(format";
    format(formatted->parts);
  } else if (auto *op = llvm::dyn_cast<HostOpExpr>(e)) {
    open(e, hostName(op->op));
    list(op->args);
    for (const std::string &name : op->names)
      out << ' ' << name;
    if (!op->text.empty())
      out << ' ' << op->text;
  } else {
    auto *let = llvm::cast<LetExpr>(e);
    open(e, "let " +
                (let->global ? "@" + let->global->name : let->variable->name));
    list({let->value, let->body});
  }
  out << ')';
}

void Dumper::lvalue(const LValue &lvalue) {
  if (lvalue.kind == LValue::Local) {
    out << lvalue.variable->name;
  } else if (lvalue.kind == LValue::TopLevel) {
    out << '@' << lvalue.global->name;
  } else {
    expr(lvalue.field);
    out << '[';
    list(lvalue.indices);
    out << " ]";
  }
  if (!lvalue.path.empty()) {
    out << ".[";
    steps(lvalue.path);
    out << " ]";
  }
  out << ':';
  type(lvalue.type);
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

void Dumper::branch(const IfStmt *branch) {
  out << "(if ";
  expr(branch->condition);
  body(branch->thenBody);
  if (branch->elseBody.empty())
    return;
  line();
  out << "else";
  body(branch->elseBody);
}

void Dumper::unrolled(const UnrolledStmt *loop) {
  out << "(unrolled";
  ++depth;
  for (const Body &each : loop->bodies) {
    line();
    out << "(iteration";
    body(each);
    out << ')';
  }
  --depth;
}

void Dumper::tape(const TapeStmt *tape) {
  out << (tape->isForward ? "(forward" : "(tape ");
  if (tape->loss)
    expr(tape->loss);
  auto named = [&](llvm::StringRef name, const Expr *value) {
    if (!value)
      return;
    out << ' ' << name << '=';
    expr(value);
  };
  named("keep", tape->keep), named("accumulate", tape->accumulate);
  named("memory", tape->memory), named("spill", tape->spill);
  for (const Expr *watched : tape->watched)
    named("watch", watched);
  body(tape->body);
}

void Dumper::stmt(const Stmt *s) {
  switch (s->kind) {
  case StmtKind::Expr:
    out << "(do ";
    expr(llvm::cast<ExprStmt>(s)->value);
    break;
  case StmtKind::Assign:
    out << "(= ";
    lvalue(llvm::cast<AssignStmt>(s)->lvalue);
    out << ' ';
    expr(llvm::cast<AssignStmt>(s)->value);
    break;
  case StmtKind::Accumulate: {
    auto *update = llvm::cast<AccumulateStmt>(s);
    out << '(' << spelling(update->op) << "= ";
    lvalue(update->lvalue);
    out << ' ';
    expr(update->value);
    break;
  }
  case StmtKind::If:
    branch(llvm::cast<IfStmt>(s));
    break;
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
    unrolled(llvm::cast<UnrolledStmt>(s));
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
  case StmtKind::Tape:
    tape(llvm::cast<TapeStmt>(s));
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
  if (function.isPassive)
    out << " nograd";
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
