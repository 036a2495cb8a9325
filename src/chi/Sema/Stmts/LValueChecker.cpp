//===- LValueChecker.cpp - Elements and components that are assigned ------===//
#include "chi/Sema/Stmts/LValueChecker.h"
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Builtins/Members.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Exprs/SubscriptChecker.h"
#include "chi/Sema/Names/NameChecker.h"
#include "chi/Sema/Stmts/AssignChecker.h"

using namespace chi;
using namespace chi::sema;

//===----------------------------------------------------------------------===//
// Finding the place
//===----------------------------------------------------------------------===//

/// A value that is never assigned in part, but may hold fields: a tuple with
/// fields, and what a kernel sees of an object (Note [Host objects]).
static bool isWhole(const Expr *value) {
  return (value->type->isTuple() && value->type->holdsField()) ||
         isView(value->type);
}

/// `self` that is an element of a field.
static void openElement(OpenLValue &open, const LoadExpr *element) {
  open.lvalue.kind = LValue::Element;
  open.lvalue.field = element->field;
  open.lvalue.indices = element->indices;
  open.lvalue.type = element->type;
}

OpenLValue LValueChecker::lvalueOfName(const ast::NameExpr *name) {
  OpenLValue open;
  open.lvalue.range = name->range;
  auto refuse = [&](auto &&...) {
    open.isBroken = true;
    return open;
  };
  Meaning meaning = state.lookupLocal(name->name);
  if (meaning.kind == Meaning::Nothing)
    meaning = ctx.names.lookup(name->name);
  if (meaning.kind == Meaning::TopLevel && ctx.names.isHiddenLater(name)) {
    ctx.names.checkName(name);
    return refuse();
  }
  bool isField =
      meaning.kind == Meaning::Constant &&
      (meaning.constant->type->isField() || isWhole(meaning.constant));
  if (meaning.kind == Meaning::Local && !isField) {
    Expr *read = ctx.names.readLocal(*meaning.local, name->range);
    --meaning.local->numReads;
    if (state.inParallel() && meaning.local->atKernelLevel &&
        !state.kernelReads.empty())
      state.kernelReads.pop_back(); // an update is no read
    if (isError(read))
      return refuse();
    if (read->type->isObject() || isWhole(read)) {
      (read->type->isObject() ? open.object : open.tuple) = read;
      return open;
    }
    open.local = meaning.local;
    open.lvalue.kind = LValue::Local;
    open.lvalue.variable = meaning.local->variable;
    open.lvalue.type = meaning.local->type;
    if (read->type->isField())
      open.field = read;
    return open;
  }
  if (meaning.kind == Meaning::TopLevel) {
    Expr *read = ctx.names.readTopLevel(*meaning.topLevel, name->range);
    --meaning.topLevel->numReads;
    if (isError(read))
      return refuse();
    bool isObject = read->type->isObject();
    if (read->type->isField() || isObject || isWhole(read)) {
      (isObject                ? open.object
       : read->type->isField() ? open.field
                               : open.tuple) = read;
      return open;
    }
    if (state.where != Where::Script) {
      ctx.advice.refuseTopLevel(name, meaning);
      return refuse();
    }
    open.topLevel = meaning.topLevel;
    open.lvalue.kind = LValue::TopLevel;
    open.lvalue.global = meaning.topLevel->global;
    open.lvalue.type = read->type;
    return open;
  }
  if (isField) {
    Expr *value = build.clone(meaning.constant);
    (value->type->isField() ? open.field : open.tuple) = value;
    return open;
  }
  if (llvm::isa_and_nonnull<LoadExpr>(meaning.constant)) {
    openElement(open, llvm::cast<LoadExpr>(build.clone(meaning.constant)));
    return open;
  }
  if (meaning.kind == Meaning::Constant || meaning.kind == Meaning::Const ||
      meaning.kind == Meaning::Param) {
    diags
        .report(name->range, diag::AssignsConstant, name->name,
                meaning.kind == Meaning::Param ? "a param" : "a constant")
        .note(meaning.range, diag::DeclaredHere, name->name)
        .send();
    return refuse();
  }
  ctx.names.checkName(name);
  return refuse();
}

/// `t[0]` of a tuple with fields: its field's elements can be assigned.
void LValueChecker::indexTupleLValue(OpenLValue &open,
                                     const ast::SubscriptExpr *expr) {
  Expr *member =
      ctx.subscripts.indexTuple(open.tuple, expr->indices, expr->range);
  open.tuple = nullptr;
  open.isBroken = isError(member);
  if (open.isBroken)
    return;
  if (member->type->isField()) {
    open.field = member;
  } else if (isWhole(member)) {
    open.tuple = member;
  } else {
    diags.report(expr->range, diag::NotAssignable)
        .note(expr->base->range, diag::TupleIsWhole)
        .send();
    open.isBroken = true;
  }
}

/// `v.xy.x = 1`, `v.xy[0] = 1`
void LValueChecker::refusePart(OpenLValue &open, SourceRange range) {
  diags.report(range, diag::NotAssignable)
      .note({}, diag::Advice,
            "several components can only be assigned as a whole")
      .send();
  open.isBroken = true;
}

/// `u[1:-1] = …`; true after a report.
bool LValueChecker::refuseSlice(OpenLValue &open,
                                const ast::SubscriptExpr *expr) {
  if (llvm::none_of(expr->indices, [](const ast::Expr *index) {
        return llvm::isa<ast::SliceExpr>(index);
      }))
    return false;
  std::string text = program.sources.text(expr->range).str();
  std::string loop = "use a loop: `for i in range(1, len(x) - 1):`";
  diags.report(expr->range, diag::NotAssignable)
      .note({}, diag::Advice,
            state.inKernel() ? loop
                             : "`" + text + ".fill(v)` sets its elements, `" +
                                   text + ".copy_from(w)` copies them; else " +
                                   loop + " in a kernel")
      .send();
  return open.isBroken = true;
}

/// `xs[i]`, `d[k]`: the list or dict, and the index or key, are evaluated here.
void LValueChecker::indexObject(OpenLValue &open,
                                const ast::SubscriptExpr *expr) {
  TypeRef type = open.object->type;
  bool isSlice = llvm::isa<ast::SliceExpr>(expr->indices[0]);
  if (type->isSet() || type->isFile() || isSlice) {
    if (isSlice)
      reportLater(diags, expr->range, "an assignment to a slice of a list");
    else
      diags.report(expr->base->range, diag::NotIndexable, type->str()).send();
    open.isBroken = true;
    return;
  }
  open.holder = state.held(open.object);
  Expr *key = ctx.objects.keyOf(open.object, expr);
  open.object = nullptr;
  open.isBroken = !key;
  if (!key)
    return;
  open.key = state.held(key);
  open.written = expr->base;
  open.lvalue.type = type->element;
}

/// A part of a value in a list or dict is assigned in a copy of the value.
void LValueChecker::copyHeld(OpenLValue &open) {
  LValue &lvalue = open.lvalue;
  if (!open.holder || lvalue.variable || !lvalue.type)
    return;
  Expr *value = ctx.objects.elementAt(lvalue.range, build.clone(open.holder),
                                      build.clone(open.key));
  lvalue.kind = LValue::Local;
  lvalue.variable = state.freshVariable(".element", lvalue.range, lvalue.type);
  auto *assign = state.emit<AssignStmt>(lvalue.range);
  assign->lvalue = lvalue;
  assign->value = value;
}

/// A field or object that is in another one is read: not it is assigned, but
/// what is in it.
void LValueChecker::settleHeld(OpenLValue &open) {
  LValue &lvalue = open.lvalue;
  TypeRef type = lvalue.type;
  bool isInner = type && (type->isObject() || type->isField() ||
                          (type->isTuple() && type->holdsField()));
  if (!open.holder || lvalue.variable || !isInner)
    return;
  Expr *read = ctx.objects.elementAt(lvalue.range, open.holder, open.key);
  (type->isObject()  ? open.object
   : type->isField() ? open.field
                     : open.tuple) = read;
  open.holder = open.key = nullptr;
  lvalue.type = nullptr;
}

/// `xs[i]`, `d[k]`, also of what is in a list or dict; true if that is all.
bool LValueChecker::indexHeld(OpenLValue &open,
                              const ast::SubscriptExpr *expr) {
  LValue &lvalue = open.lvalue;
  if (open.object && open.object->type->isRef()) {
    if (ClassChecker::hasMethod(open.object->type, "__setitem__")) {
      setItem(open, expr);
      return true;
    }
    diags
        .report(expr->base->range, diag::NotIndexable, open.object->type->str())
        .send();
    return open.isBroken = true;
  }
  if (open.object) {
    indexObject(open, expr);
    return true;
  }
  copyHeld(open);
  bool isUnknown = open.holder && !lvalue.type;
  open.isBroken |= isUnknown; // another round knows its elements
  return isUnknown;
}

void LValueChecker::indexLValue(OpenLValue &open,
                                const ast::SubscriptExpr *expr) {
  settleHeld(open);
  if (open.tuple && open.tuple->type->isTuple())
    return indexTupleLValue(open, expr);
  if (open.tuple) { // what a kernel sees of an object
    diags.report(expr->base->range, diag::NotIndexable, open.tuple->type->str())
        .send();
    open.isBroken = true;
    return;
  }
  LValue &lvalue = open.lvalue;
  if (open.field && refuseSlice(open, expr))
    return;
  if (indexHeld(open, expr))
    return;
  if (open.field) {
    std::vector<Expr *> indices;
    if (!ctx.subscripts.fieldIndices(open.field, expr->indices, expr->range,
                                     indices, nullptr)) {
      open.isBroken = true;
      return;
    }
    for (Expr *&index : indices)
      index = state.held(index);
    lvalue.kind = LValue::Element;
    lvalue.field = open.field;
    lvalue.indices = std::move(indices);
    lvalue.type = open.field->type->element;
    open.field = nullptr;
    open.local = nullptr;
    return;
  }
  TypeRef type = lvalue.type;
  std::vector<Expr *> indices;
  if (ClassChecker::hasMethod(type, "__setitem__"))
    return setItem(open, expr);
  if (type->isTuple()) {
    diags.report(expr->range, diag::NotAssignable)
        .note(expr->base->range, diag::TupleIsWhole)
        .send();
    open.isBroken = true;
    return;
  }
  if (!open.swizzle.empty())
    return refusePart(open, expr->range);
  if (!type->isAggregate() && !type->isArray()) {
    diags
        .report(expr->base->range, diag::NotIndexable,
                build.defaulted(type)->str())
        .send();
    open.isBroken = true;
    return;
  }
  if (!ctx.subscripts.valueIndices(expr->indices, indices)) {
    open.isBroken = true;
    return;
  }
  bool isRow = type->isMat() && indices.size() == 1;
  if (!isRow && indices.size() != type->rank()) {
    ctx.advice.reportRank(expr->range, type, type->rank(), indices.size())
        .send();
    open.isBroken = true;
    return;
  }
  if (!ctx.subscripts.checkIndexRange(type, indices)) {
    open.isBroken = true;
    return;
  }
  for (Expr *index : indices) {
    if (!isConstant(index) && (open.local || open.holder))
      lvalue.variable->hasDynamicIndex = true;
    lvalue.path.push_back(state.held(index));
  }
  lvalue.type =
      isRow ? types.vec(type->shape[1], type->element) : type->element;
}

void LValueChecker::memberOfLValue(OpenLValue &open,
                                   const ast::AttributeExpr *expr) {
  LValue &lvalue = open.lvalue;
  auto refuse = [&](TypeRef type) {
    ctx.advice.reportNoMember(type, expr->base->range, expr->name,
                              expr->nameRange);
    open.isBroken = true;
  };
  settleHeld(open);
  if (open.object && open.object->type->isRef())
    return memberOfReference(open, expr);
  if (open.tuple && isView(open.tuple->type))
    return memberOfView(open, expr);
  if (open.field) {
    // Elements of `x.grad` can be assigned; nothing else of a field can.
    Expr *read = ctx.subscripts.member(open.field, expr->name, expr->nameRange,
                                       expr->range);
    bool isMember = open.field->type->memberNamed(expr->name).has_value();
    bool isCompanion = llvm::isa<CompanionExpr>(read) ||
                       (isFieldOfComplex(read->type) &&
                        (expr->name == "grad" || expr->name == "dual"));
    open.isBroken = isError(read) || (!isCompanion && !isMember);
    if (!open.isBroken)
      open.field = read;
    else if (!isError(read))
      diags.report(expr->range, diag::NotAssignable).send();
    return;
  }
  if (open.tuple || open.object)
    return refuse((open.tuple ? open.tuple : open.object)->type);
  copyHeld(open);
  TypeRef type = lvalue.type;
  if (!type) {
    open.isBroken = true; // another round knows its elements
    return;
  }
  if (type->isStruct())
    return memberOfObject(open, expr);
  if (!open.swizzle.empty() && !swizzle(expr->name, type->shape[0]).empty())
    return refusePart(open, expr->range);
  if (!type->isVec() || !open.swizzle.empty())
    return refuse(type);
  std::vector<unsigned> components = swizzle(expr->name, type->shape[0]);
  if (components.empty())
    return refuse(type);
  if (components.size() == 1) {
    lvalue.path.push_back(
        build.intLiteral(expr->nameRange, components[0], types.i32));
    lvalue.type = type->element;
    return;
  }
  for (unsigned k = 0; k < components.size(); ++k)
    for (unsigned j = 0; j < k; ++j)
      if (components[j] == components[k]) {
        diags.report(expr->nameRange, diag::RepeatedComponent, expr->name)
            .send();
        open.isBroken = true;
        return;
      }
  open.swizzle = components;
  lvalue.type = types.vec(components.size(), type->element);
}

/// `p[i]` of an object of a class.
void LValueChecker::setItem(OpenLValue &open, const ast::SubscriptExpr *expr) {
  open.indexed = open.object ? open.object : readLValue(open);
  open.object = nullptr;
  for (const ast::Expr *index : expr->indices) {
    open.items.push_back(state.held(ctx.exprs.checkExpr(index)));
    open.isBroken |= isError(open.items.back());
  }
}

/// Whether a class has a member that the expression names; reports if not.
bool LValueChecker::hasMember(TypeRef type, const ast::AttributeExpr *expr) {
  if (type->memberNamed(expr->name))
    return true;
  if (!ClassChecker::hasMethod(type, expr->name)) {
    ctx.classes.reportNoMember(type, expr->name, expr->nameRange);
    return false;
  }
  diags.report(expr->nameRange, diag::MethodAsValue, expr->name, type->str())
      .note({}, diag::AssignsMethod)
      .send();
  return false;
}

/// `p.x` of an object of a class.
void LValueChecker::memberOfObject(OpenLValue &open,
                                   const ast::AttributeExpr *expr) {
  LValue &lvalue = open.lvalue;
  TypeRef type = lvalue.type;
  auto part =
      type->isComplex ? ComplexChecker::partNamed(expr->name) : std::nullopt;
  open.isBroken = !part && !hasMember(type, expr);
  if (open.isBroken)
    return;
  if (part) {
    memberOfPlace(open, 0);
    lvalue.path.push_back(build.intLiteral(expr->nameRange, *part, types.i32));
    lvalue.type = type->scalar();
    return;
  }
  memberOfPlace(open, *type->memberNamed(expr->name));
}

void LValueChecker::memberOfPlace(OpenLValue &open, unsigned number) {
  LValue &lvalue = open.lvalue;
  TypeRef type = lvalue.type;
  lvalue.type = type->members[number];
  if (lvalue.kind == LValue::Element)
    lvalue.field =
        ctx.classes.fieldOfMember(lvalue.field, number, lvalue.field->range);
  else
    lvalue.path.push_back(PathStep::ofMember(number));
  open.isBroken = lvalue.field && isError(lvalue.field);
}

/// `s.x` of an object that is a reference: a place in it.
void LValueChecker::memberOfReference(OpenLValue &open,
                                      const ast::AttributeExpr *expr) {
  TypeRef type = open.object->type;
  open.isBroken = !hasMember(type, expr) ||
                  !state.hostOnly(expr->range, "a `" + type->str() + "`");
  if (open.isBroken)
    return;
  unsigned number = *type->memberNamed(expr->name);
  open.holder = state.held(open.object);
  open.object = nullptr;
  open.key = build.intLiteral(expr->nameRange, number, types.i64);
  open.written = expr->base;
  open.lvalue = LValue();
  open.lvalue.range = expr->range;
  open.lvalue.type = type->members[number];
}

/// `s.x` of an object that a kernel was given: elements of its fields can be
/// assigned.
void LValueChecker::memberOfView(OpenLValue &open,
                                 const ast::AttributeExpr *expr) {
  TypeRef type = open.tuple->type;
  Expr *member =
      ctx.classes.member(open.tuple, expr->name, expr->nameRange, expr->range);
  open.tuple = nullptr;
  open.isBroken = isError(member);
  if (open.isBroken)
    return;
  if (member->type->isField())
    open.field = member;
  else if (isWhole(member))
    open.tuple = member;
  else
    open.isBroken = true;
  if (!open.isBroken)
    return;
  diags.report(expr->range, diag::KernelSetsMember, expr->name, type->str())
      .note({}, diag::Advice,
            "it has the value of the call; let the kernel return the new one, "
            "or keep it in a 0-D field, `" +
                expr->name.str() + ": field(" +
                build.defaulted(member->type)->str() + ", 0)`")
      .send();
}

OpenLValue LValueChecker::checkLValue(const ast::Expr *target) {
  OpenLValue open = openLValue(target);
  const Expr *read = open.field    ? open.field
                     : open.object ? open.object
                                   : open.tuple;
  TypeRef type = read ? read->type : open.lvalue.type;
  if (program.observer && !open.isBroken && type)
    program.observer->sawExpr(target, type);
  return open;
}

OpenLValue LValueChecker::openLValue(const ast::Expr *target) {
  OpenLValue open;
  if (auto *name = llvm::dyn_cast<ast::NameExpr>(target)) {
    open = lvalueOfName(name);
  } else if (auto *subscript = llvm::dyn_cast<ast::SubscriptExpr>(target)) {
    auto *outer = std::exchange(state.outerSubscript, subscript);
    open = checkLValue(subscript->base);
    state.outerSubscript = outer;
    if (!open.isBroken)
      indexLValue(open, subscript);
  } else if (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(target)) {
    Meaning meaning = ctx.names.resolve(attribute);
    if (meaning.kind == Meaning::TopLevel) {
      Expr *read = ctx.names.readTopLevel(*meaning.topLevel, target->range);
      open.isBroken = isError(read);
      if (!open.isBroken && read->type->isField()) {
        open.field = read;
      } else if (!open.isBroken && read->type->isObject()) {
        open.object = read;
      } else if (!open.isBroken) {
        diags.report(target->range, diag::NotAssignable).send();
        open.isBroken = true;
      }
    } else if (meaning.kind != Meaning::Nothing) {
      if (meaning.kind != Meaning::Broken)
        diags.report(target->range, diag::NotAssignable).send();
      open.isBroken = true;
    } else {
      open = checkLValue(attribute->base);
      if (!open.isBroken)
        memberOfLValue(open, attribute);
    }
  } else {
    Expr *value = ctx.exprs.checkExpr(target);
    if (value->type->isObject()) // `f()[0] = 1`
      open.object = value;
    else if (!isError(value))
      diags.report(target->range, diag::NotAssignable).send();
    open.isBroken = !open.object;
  }
  open.lvalue.range = target->range;
  return open;
}

Expr *LValueChecker::readLValue(const OpenLValue &open) {
  const LValue &lvalue = open.lvalue;
  Expr *base = nullptr;
  if (open.indexed) {
    std::vector<Expr *> items;
    for (Expr *item : open.items)
      items.push_back(build.clone(item));
    Expr *read = ctx.classes.callNamed(lvalue.range, "__getitem__",
                                       build.clone(open.indexed), items);
    if (read)
      return read;
    diags.report(lvalue.range, diag::NotIndexable, open.indexed->type->str())
        .send();
    return fail(lvalue.range);
  }
  if (open.holder && !lvalue.variable)
    return ctx.objects.elementAt(lvalue.range, build.clone(open.holder),
                                 build.clone(open.key));
  if (lvalue.kind == LValue::Element) {
    auto *load =
        build.make<LoadExpr>(lvalue.range, lvalue.field->type->element);
    load->field = build.clone(lvalue.field);
    for (Expr *index : lvalue.indices)
      load->indices.push_back(build.clone(index));
    base = load;
  } else if (lvalue.kind == LValue::Local) {
    base = build.variable(lvalue.range, lvalue.variable);
  } else {
    // The global itself has its type only when all rounds are done.
    const TopLevelVariable &variable = *open.topLevel;
    auto *read = build.make<GlobalExpr>(
        lvalue.range, variable.type ? variable.type : variable.hint);
    read->global = lvalue.global;
    base = read;
  }
  llvm::ArrayRef<PathStep> path = lvalue.path;
  while (!path.empty()) {
    if (path.front().isMember()) {
      unsigned member = path.consume_front().member;
      base = base->type->isStruct()
                 ? ctx.classes.memberAt(base, member, lvalue.range)
                 : build.tupleMember(base, member);
      continue;
    }
    size_t count = std::min<size_t>(base->type->rank(), path.size());
    std::vector<Expr *> indices;
    for (const PathStep &step : path.take_front(count))
      indices.push_back(build.clone(step.index));
    base = ctx.subscripts.indexValue(base, indices, lvalue.range);
    path = path.drop_front(count);
  }
  return base;
}

//===----------------------------------------------------------------------===//
// Storing
//===----------------------------------------------------------------------===//

bool LValueChecker::joinComponent(OpenLValue &open, TypeRef given) {
  LocalVariable *local = open.local;
  TypeRef from = given->scalarOrNull();
  if (!local || local->isAnnotated || !from || local->type->hasMembers())
    return true;
  TypeRef scalar = local->type->scalar();
  if (scalar->isFloat() ? !from->isFloat() : !isUntyped(scalar))
    return true;
  if (local->isDefault && !isUntyped(from) && scalar->isFloat() &&
      from->isFloat() && from->bits < scalar->bits)
    return true;
  TypeRef joined = build.joinAssigned(scalar, from);
  if (!joined || joined == scalar)
    return true;
  state.setType(*local, types.withScalar(local->type, joined));
  open.lvalue.type = types.withScalar(open.lvalue.type, joined);
  return !isUntyped(joined);
}

void LValueChecker::assignSwizzle(OpenLValue &open, Expr *value) {
  TypeRef type = open.lvalue.type;
  if (!isUntyped(type))
    value = build.convert(value, type, "the components");
  else
    value = build.withDefault(value);
  if (isError(value))
    return;
  bool isSameVec = value->type->isVec() && value->type->shape == type->shape;
  if (!isSameVec && !value->type->isScalar()) {
    diags
        .report(value->range, diag::TypeMismatch, "the components",
                build.defaulted(type)->str(), value->type->str())
        .send();
    return;
  }
  value = isConstant(value) ? value : state.store(value);
  for (auto [k, component] : llvm::enumerate(open.swizzle)) {
    auto *assign = state.emit<AssignStmt>(open.lvalue.range);
    assign->lvalue = open.lvalue;
    for (Expr *&index : assign->lvalue.indices)
      index = build.clone(index);
    assign->lvalue.path.push_back(
        build.intLiteral(open.lvalue.range, component, types.i32));
    assign->lvalue.type = type->element;
    assign->value = build.component(value, k);
  }
}

bool LValueChecker::refuseWhole(const OpenLValue &open) {
  if (!open.field && !open.tuple && !open.object)
    return false;
  diags.report(open.lvalue.range, diag::NotAssignable).send();
  return true;
}

void LValueChecker::noteWrite(const OpenLValue &open) {
  if (!open.local || open.lvalue.kind != LValue::Local)
    return;
  state.noteWrite(open.local->variable);
  if (open.local->isCaptured)
    diags.report(open.lvalue.range, diag::ChangesCaptured, open.local->name)
        .send();
}

/// Gives a value in a list or dict, or a part of one, a new value.
void LValueChecker::assignHeld(OpenLValue &open, Expr *value) {
  SourceRange range = open.lvalue.range;
  if (!open.lvalue.type)
    return ctx.objects.settleByPut(open.written, open.holder, open.key, value);
  Expr *given = value;
  if (open.lvalue.variable) {
    OpenLValue part = open;
    part.holder = nullptr;
    assignLValue(part, value);
    given = build.variable(range, open.lvalue.variable);
  }
  Expr *put = ctx.objects.put(range, build.clone(open.holder),
                              build.clone(open.key), given);
  if (!isError(put))
    state.emit<ExprStmt>(range)->value = put;
}

void LValueChecker::assignLValue(OpenLValue &open, Expr *value) {
  if (isError(value))
    return;
  if (open.holder)
    return assignHeld(open, value);
  if (refuseWhole(open))
    return;
  if (open.indexed) {
    std::vector<Expr *> items = open.items;
    items.push_back(value);
    Expr *call = ctx.classes.callNamed(open.lvalue.range, "__setitem__",
                                       open.indexed, items);
    if (!isError(call) && !llvm::isa<ConstructExpr>(call))
      state.emit<ExprStmt>(open.lvalue.range)->value = call;
    return;
  }
  if (open.local && !ctx.assigns.mayAssign(*open.local, open.lvalue.range))
    return;
  noteWrite(open);
  if (open.local && !open.local->partWritten.isValid())
    open.local->partWritten = open.lvalue.range;
  if (open.topLevel && !open.topLevel->partWritten.isValid())
    open.topLevel->partWritten = open.lvalue.range;
  joinComponent(open, value->type);
  if (!open.swizzle.empty())
    return assignSwizzle(open, value);
  if (!isUntyped(open.lvalue.type)) {
    const char *what =
        open.lvalue.kind == LValue::Element && open.lvalue.path.empty()
            ? "the element"
            : "the component";
    value = build.convert(value, open.lvalue.type, what);
  }
  if (isError(value))
    return;
  auto *assign = state.emit<AssignStmt>(open.lvalue.range);
  assign->lvalue = open.lvalue;
  assign->value = value;
}

//===----------------------------------------------------------------------===//
// x += y
//===----------------------------------------------------------------------===//

std::vector<OpenLValue> LValueChecker::swizzledLValues(const OpenLValue &open) {
  std::vector<OpenLValue> lvalues;
  for (unsigned component : open.swizzle) {
    OpenLValue one = open;
    one.swizzle.clear();
    for (Expr *&index : one.lvalue.indices)
      index = build.clone(index);
    one.lvalue.path.push_back(
        build.intLiteral(open.lvalue.range, component, types.i32));
    one.lvalue.type = open.lvalue.type->element;
    lvalues.push_back(std::move(one));
  }
  return lvalues;
}
