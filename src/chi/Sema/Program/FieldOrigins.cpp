//===- FieldOrigins.cpp - Which field a name may stand for ----------------===//
#include "chi/Sema/Program/FieldOrigins.h"
#include "chi/Sema/Names/Names.h"

using namespace chi;
using namespace chi::sema;

static bool hasMark(Origin origin, llvm::StringRef mark) {
  return origin.getPointer()->op == HostOp::MakeField &&
         llvm::StringRef(origin.getPointer()->text).contains(mark);
}

bool sema::isMarked(Origin origin) {
  return !origin.getInt() && hasMark(origin, "grad");
}

bool sema::hasDualMark(Origin origin) { return hasMark(origin, "dual"); }

FieldOrigins::FieldOrigins(llvm::ArrayRef<std::unique_ptr<Function>> functions,
                           bool isClosed) {
  for (const std::unique_ptr<Function> &function : functions)
    gather(*function, isClosed);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Flow &flow : flows) {
      OriginSet from = of(flow.from);
      OriginSet &to = known[flow.to];
      for (Origin origin : from)
        changed |= to.insert(origin);
    }
  }
}

static const void *memberOf(TypeRef object, uint64_t number) {
  return &classOf(object).members[number];
}

const void *sema::insideOf(const HostOpExpr &op) {
  switch (op.op) {
  case HostOp::MemberAt:
  case HostOp::MemberPut:
    return memberOf(op.args[0]->type, *constantInt(op.args[1]));
  case HostOp::ListAt:
  case HostOp::ListPut:
  case HostOp::ListPush:
  case HostOp::ListInsert:
  case HostOp::ListPop:
  case HostOp::DictAt:
  case HostOp::DictGet:
  case HostOp::DictPut:
  case HostOp::DictPop:
    return op.args[0]->type;
  default:
    return nullptr;
  }
}

/// The fields that an operation puts in a list, a dict or an object of a class.
void FieldOrigins::gatherPuts(const HostOpExpr &op) {
  auto add = [&](const void *to, const Expr *from) {
    if (from->type->holdsField())
      flows.push_back({to, from});
  };
  if (op.op == HostOp::MakeObject && op.type->isRef()) {
    llvm::SmallVector<llvm::StringRef> numbers;
    llvm::StringRef(op.text).split(numbers, ' ', -1, /*KeepEmpty=*/false);
    for (auto [text, arg] : llvm::zip(numbers, op.args)) {
      uint64_t number = 0;
      text.getAsInteger(10, number);
      add(memberOf(op.type, number), arg);
    }
  } else if (op.op == HostOp::MakeObject) {
    for (const Expr *arg : op.args)
      add(op.type, arg);
  } else if (const void *inside = insideOf(op); inside && op.type->isVoid()) {
    add(inside, op.args.back());
  }
}

/// The statements and calls by which a field gets to a name.
void FieldOrigins::gather(const Function &function, bool isClosed) {
  auto add = [&](const void *to, const Expr *from) {
    if (from->type->holdsField())
      flows.push_back({to, from});
  };
  forEachStmt(function.body, [&](Stmt *stmt) {
    if (auto *result = llvm::dyn_cast<ReturnStmt>(stmt))
      if (result->value)
        add(&function, result->value);
    auto *set = llvm::dyn_cast<AssignStmt>(stmt);
    if (!set || set->lvalue.kind == LValue::Element)
      return;
    const void *to = set->lvalue.variable;
    if (set->lvalue.kind == LValue::TopLevel)
      to = set->lvalue.global;
    ++assignments[to];
    add(to, set->value);
  });
  forEachInner(function.body, [&](Expr *expr) {
    if (auto *let = llvm::dyn_cast<LetExpr>(expr))
      if (let->variable) // no object in a global has a field
        add(let->variable, let->value);
    if (auto *op = llvm::dyn_cast<HostOpExpr>(expr))
      gatherPuts(*op);
    auto *call = llvm::dyn_cast<CallExpr>(expr);
    if (call && isClosed)
      for (auto [parameter, value] :
           llvm::zip(call->callee->params, call->args))
        add(parameter, value);
  });
}

OriginSet FieldOrigins::ofHostOp(const HostOpExpr &op,
                                 const OriginMap *bound) const {
  if (op.op == HostOp::FieldView)
    return of(op.args[0], bound);
  if (const void *inside = insideOf(op))
    return known.lookup(inside);
  OriginSet made;
  made.insert(Origin(&op, false));
  return made;
}

OriginSet FieldOrigins::of(const Expr *expr, const OriginMap *bound) const {
  OriginSet found;
  bool isOfClass = false;
  auto add = [&](const OriginSet &more) {
    found.insert(more.begin(), more.end());
  };
  auto named = [&](const void *entity) {
    auto given = bound ? bound->find(entity) : OriginMap::const_iterator();
    bool isBound = bound && given != bound->end();
    add(isBound ? given->second : known.lookup(entity));
  };
  if (!expr->type->holdsField())
    return found;
  switch (expr->kind) {
  case ExprKind::Variable:
    named(llvm::cast<VariableExpr>(expr)->variable);
    break;
  case ExprKind::Global:
    named(llvm::cast<GlobalExpr>(expr)->global);
    break;
  case ExprKind::Call:
    named(llvm::cast<CallExpr>(expr)->callee);
    break;
  case ExprKind::HostOp:
    add(ofHostOp(*llvm::cast<HostOpExpr>(expr), bound));
    break;
  case ExprKind::Companion:
    for (Origin origin : of(llvm::cast<CompanionExpr>(expr)->field, bound))
      found.insert(Origin(origin.getPointer(), true));
    break;
  case ExprKind::Construct:
    for (const Expr *part : llvm::cast<ConstructExpr>(expr)->parts)
      add(of(part, bound));
    break;
  case ExprKind::Extract:
    isOfClass = llvm::cast<ExtractExpr>(expr)->base->type->isFieldOfClass();
    // Of a field of a class those that can be the member's.
    for (Origin origin : of(llvm::cast<ExtractExpr>(expr)->base, bound))
      if (!isOfClass || expr->type->isFieldOfClass() || origin.getInt() ||
          origin.getPointer()->type->element == expr->type->element)
        found.insert(origin);
    break;
  case ExprKind::Select:
    add(of(llvm::cast<SelectExpr>(expr)->thenValue, bound));
    add(of(llvm::cast<SelectExpr>(expr)->elseValue, bound));
    break;
  case ExprKind::Let:
    return of(llvm::cast<LetExpr>(expr)->body, bound);
  default:
    break;
  }
  return found;
}

OriginMap FieldOrigins::bind(const CallExpr &call,
                             const OriginMap *bound) const {
  OriginMap made;
  for (auto [parameter, value] : llvm::zip(call.callee->params, call.args))
    if (parameter->type->holdsField())
      made[parameter] = of(value, bound);
  return made;
}
