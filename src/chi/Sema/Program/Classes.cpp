//===- Classes.cpp - Declarations of classes ([Cls.1], [Cls.2]) -----------===//
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/ExprCheckers.h"
#include "chi/Sema/Program/ProgramChecker.h"

using namespace chi;
using namespace chi::sema;

//===----------------------------------------------------------------------===//
// What a class is made of
//===----------------------------------------------------------------------===//

/// The member of that name, for the report of a second one.
static std::optional<SourceRange>
declaredAs(const ClassDecl &decl, llvm::StringRef name, bool isMethod) {
  for (const ClassMember &member : decl.members)
    if (member.name == name)
      return member.range;
  auto found = decl.methods.find(name);
  if (isMethod || found == decl.methods.end()) // overloads have one name
    return std::nullopt;
  return found->second.front()->ast->nameRange;
}

static void declareMethod(ProgramChecker &program, ClassDecl &decl,
                          const ast::FunctionStmt *stmt) {
  DiagnosticEngine &diags = program.diags;
  if (auto known = declaredAs(decl, stmt->name, /*isMethod=*/true)) {
    diags.report(stmt->nameRange, diag::DeclaredTwice, stmt->name)
        .note(*known, diag::DeclaredHere, stmt->name)
        .send();
    return;
  }
  FunctionDecl &method = program.makeFunction(*decl.module, stmt);
  method.klass = &decl;
  if (stmt->params.empty() || stmt->params[0].name != "self") {
    diags
        .report(stmt->params.empty() ? stmt->nameRange
                                     : stmt->params[0].nameRange,
                diag::NoSelf, stmt->name)
        .send();
    method.isBroken = true;
    method.klass = nullptr;
  }
  decl.methods[stmt->name.str()].push_back(&method);
}

static void declareMember(ProgramChecker &program, ClassDecl &decl,
                          const ast::Stmt *stmt) {
  DiagnosticEngine &diags = program.diags;
  if (auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt))
    return declareMethod(program, decl, function);
  auto *text = llvm::dyn_cast<ast::ExprStmt>(stmt);
  if (llvm::isa<ast::PassStmt>(stmt) ||
      (text && llvm::isa<ast::StringExpr>(text->value)))
    return;
  auto *member = llvm::dyn_cast<ast::AnnAssignStmt>(stmt);
  auto *name = member ? llvm::dyn_cast<ast::NameExpr>(member->target) : nullptr;
  if (!name) {
    decl.isBroken = true;
    auto *plain = llvm::dyn_cast<ast::AssignStmt>(stmt);
    auto *untyped =
        plain ? llvm::dyn_cast<ast::NameExpr>(plain->targets[0]) : nullptr;
    if (untyped)
      diags.report(untyped->range, diag::MemberNotTyped, untyped->name)
          .note({}, diag::Advice,
                ("write it behind the name: `" + untyped->name + ": f32 = …`")
                    .str())
          .send();
    else if (auto *unsupported = llvm::dyn_cast<ast::UnsupportedStmt>(stmt))
      diags
          .report(stmt->range, diag::NotInLanguage, unsupported->what,
                  unsupported->hint)
          .send();
    else
      diags.report(stmt->range, diag::NotInClass).send();
    return;
  }
  if (auto known = declaredAs(decl, name->name, /*isMethod=*/false)) {
    diags.report(name->range, diag::DeclaredTwice, name->name)
        .note(*known, diag::DeclaredHere, name->name)
        .send();
    return;
  }
  ClassMember made;
  made.name = name->name;
  made.range = name->range;
  made.written = member->type;
  made.defaultValue = member->value;
  decl.members.push_back(made);
}

void sema::declareClass(ProgramChecker &program, ModuleScope &module,
                        const ast::ClassStmt *stmt) {
  DiagnosticEngine &diags = program.diags;
  program.classes.emplace_back();
  ClassDecl &decl = program.classes.back();
  decl.ast = stmt;
  decl.module = &module;
  if (!stmt->bases.empty()) {
    diags
        .report(stmt->bases.front()->range, diag::NotInLanguage, "inheritance",
                "hold the other as a member")
        .send();
    decl.isBroken = true;
  }
  for (const ast::Stmt *inner : stmt->body)
    declareMember(program, decl, inner);
  if (decl.members.empty() && !decl.isBroken) {
    diags.report(stmt->nameRange, diag::NoMembers, stmt->name).send();
    decl.isBroken = true;
  }
  Meaning meaning;
  meaning.kind = Meaning::Class;
  meaning.klass = &decl;
  program.declare(module, stmt->name, stmt->nameRange, meaning);
}

//===----------------------------------------------------------------------===//
// Types of classes
//===----------------------------------------------------------------------===//

/// The arguments as text: for people, or to tell different ones apart.
static std::string argumentText(const ClassDecl &decl,
                                const TypeNames &typeNames, bool isKey) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const ast::TypeParameter &parameter : decl.ast->typeParams) {
    auto found = typeNames.find(parameter.name);
    if (!text.empty())
      out << ", ";
    if (found == typeNames.end())
      out << '?';
    else if (found->second.kind != Meaning::Type)
      out << constantInt(found->second.constant).value_or(0);
    else if (isKey)
      out << static_cast<const void *>(found->second.type);
    else
      out << found->second.type->str();
  }
  return text;
}

/// What a member that is not given is: zero, or what an object of its class
/// begins with.
static Expr *zeroOf(Builder &build, SourceRange range, TypeRef type) {
  if (type->isStruct()) {
    std::vector<Expr *> parts;
    for (const ClassMember &member : classOf(type).members)
      parts.push_back(build.clone(member.value));
    return build.construct(range, type, std::move(parts));
  }
  if (type->isTuple()) {
    std::vector<Expr *> parts;
    for (TypeRef member : type->members)
      parts.push_back(zeroOf(build, range, member));
    return build.construct(range, type, std::move(parts));
  }
  if (type->isStr())
    return build.make<StringLiteralExpr>(range, type);
  TypeRef scalar = type->scalar();
  Expr *zero = scalar->isFloat() ? build.realLiteral(range, 0, scalar)
                                 : build.intLiteral(range, 0, scalar);
  if (type->isScalar())
    return zero;
  auto *fill = build.make<SplatExpr>(range, type);
  fill->operand = zero;
  return fill;
}

/// Whether it is kept word by word: no array, and no mat of many numbers.
static bool livesInWords(TypeRef type) {
  constexpr int64_t kMost = 16;
  if (type->isTuple() || type->isStruct())
    return llvm::all_of(type->members, livesInWords);
  return !type->isArray() && type->numScalars() <= kMost;
}

/// Whether it holds what only the host has: an object with such a member is a
/// reference ([Cls.3]).
static bool holdsHandle(TypeRef type) {
  return type->holdsField() || type->holdsStr() || type->holdsObject();
}

static bool isMemberType(TypeRef type) {
  if (type->isTuple())
    return llvm::all_of(type->members, isMemberType);
  return type->isScalar() || type->isAggregate() || type->isArray() ||
         type->isStruct() || type->isField() || type->isStr() ||
         type->isObject();
}

/// The type of a member; the error type after a report.
static void resolveType(ExprCheckers &checker, ClassMember &member) {
  Builder &build = checker.state.build;
  member.type = checker.checkType(member.written);
  if (member.type->isError() || isMemberType(member.type))
    return;
  build.diags
      .report(member.written->range, diag::BadMemberType, member.name,
              member.type->str())
      .send();
  member.type = build.types.error;
}

/// The default of a member of a value, which is a constant.
static void resolveDefault(ExprCheckers &checker, ClassMember &member) {
  Builder &build = checker.state.build;
  member.value = zeroOf(build, member.range, member.type);
  if (!member.defaultValue)
    return;
  Expr *value = build.pin(
      build.convert(checker.checkExpr(member.defaultValue), member.type,
                    ("the default of `" + member.name + "`").str()));
  if (!isError(value) && !isConstant(value)) {
    checker.ctx.exprs.reportNotConstant(
        value, ("the default of `" + member.name + "`").str());
    return;
  }
  if (!isError(value))
    member.value = value;
}

/// The default of a member of a reference as a function of the members before
/// it that it names: one for each instance of a generic class, whose types it
/// has.
static void makeMaker(ClassInstance &instance, unsigned number) {
  ClassMember &member = instance.members[number];
  auto maker = std::make_shared<DefaultMaker>();
  maker->name = (instance.decl->ast->name + "." + member.name).str();
  for (unsigned k = 0; k < number; ++k) {
    const ClassMember &before = instance.members[k];
    bool isNamed = false;
    walkExpr(member.defaultValue, [&](const ast::Expr *part) {
      auto *name = llvm::dyn_cast<ast::NameExpr>(part);
      isNamed |= name && name->name == before.name;
    });
    if (!isNamed)
      continue;
    ast::Parameter parameter;
    parameter.name = before.name;
    parameter.nameRange = before.range;
    maker->params.push_back(parameter);
    maker->given.push_back(k);
  }
  maker->result.range = member.defaultValue->range;
  maker->result.value = const_cast<ast::Expr *>(member.defaultValue);
  maker->function.range = maker->function.nameRange = member.range;
  maker->function.name = maker->name;
  maker->function.params = maker->params;
  // Literals take the member's precision.
  maker->function.returnType = const_cast<ast::Expr *>(member.written);
  maker->function.body = maker->body;
  maker->decl.ast = &maker->function;
  maker->decl.module = instance.decl->module;
  member.maker = std::move(maker);
}

/// What an object that is a reference has where a member is not given: a
/// constant, or what is made for each object; else it has to be given.
static void resolveOmitted(ExprCheckers &checker, ClassInstance &instance,
                           unsigned number) {
  Builder &build = checker.state.build;
  ClassMember &member = instance.members[number];
  if (member.defaultValue)
    return makeMaker(instance, number);
  TypeRef type = member.type;
  if (!holdsHandle(type) || type->isStr())
    member.value = zeroOf(build, member.range, type);
}

static TypeRef typeOf(ProgramChecker &program, ClassInstance &instance,
                      bool isRef) {
  std::vector<NamedMember> named;
  for (const ClassMember &member : instance.members)
    named.push_back({member.name, member.type});
  std::string name = instance.decl->ast->name.str();
  if (instance.decl->isGeneric())
    name += "[" +
            argumentText(*instance.decl, instance.typeNames, /*isKey=*/false) +
            "]";
  if (instance.decl == program.complexClass) {
    TypeRef scalar = instance.members[0].type->scalar();
    name = !scalar->bits        ? "complex"
           : scalar->bits == 32 ? "complex64"
                                : "complex128";
    return program.types.complexStructure(&instance, name, named[0]);
  }
  return isRef ? program.types.reference(&instance, name, named)
               : program.types.structure(&instance, name, named);
}

/// What kernels see of a reference.
static void makeView(ProgramChecker &program, ClassInstance &instance) {
  instance.view = std::make_unique<ClassInstance>();
  ClassInstance &view = *instance.view;
  view.decl = instance.decl;
  view.viewed = &instance;
  view.typeNames = instance.typeNames;
  view.state = ClassInstance::Done;
  for (const ClassMember &member : instance.members) {
    TypeRef type = member.type;
    if (type->isRef())
      type = viewOf(type);
    if (type->holdsStr() || type->holdsObject())
      continue;
    view.members.push_back(member);
    view.members.back().type = type;
  }
  view.type = typeOf(program, view, /*isRef=*/false);
}

/// The types of the members, and that of the class.
static void resolveMembers(ProgramChecker &program, ClassInstance &instance) {
  ClassDecl &decl = *instance.decl;
  ExprCheckers checker(program, *decl.module, Where::Constant, nullptr);
  checker.state.scopes.push_back({});
  checker.state.scopes.back().names = instance.typeNames;
  bool isBroken = false, isRef = false;
  for (ClassMember &member : instance.members) {
    resolveType(checker, member);
    isBroken |= member.type->isError();
    isRef |= holdsHandle(member.type);
  }
  instance.type = program.types.error;
  if (isBroken) {
    for (ClassMember &member : instance.members)
      if (!member.type->isError() && !holdsHandle(member.type))
        resolveDefault(checker, member);
    return;
  }
  for (auto [number, member] : llvm::enumerate(instance.members)) {
    if (!isRef) {
      resolveDefault(checker, member);
      continue;
    }
    resolveOmitted(checker, instance, number);
    if (!livesInWords(member.type)) {
      program.diags
          .report(member.written->range, diag::BadMemberType, member.name,
                  member.type->str())
          .note({}, diag::Advice,
                "an object with fields, strs or lists holds no array; a field "
                "can do what an array does there")
          .send();
      return;
    }
  }
  instance.type = typeOf(program, instance, isRef);
  if (isRef)
    makeView(program, instance);
}

TypeRef ProgramChecker::classType(ClassDecl &decl, const TypeNames &typeNames,
                                  SourceRange use) {
  if (decl.isBroken)
    return types.error;
  ClassInstance &instance =
      decl.instances[argumentText(decl, typeNames, /*isKey=*/true)];
  if (instance.state == ClassInstance::Done)
    return instance.type;
  if (instance.state == ClassInstance::Busy) {
    diags.report(use, diag::ClassHoldsItself, decl.ast->name)
        .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
        .send();
    return types.error;
  }
  instance.state = ClassInstance::Busy;
  instance.decl = &decl;
  instance.typeNames = typeNames;
  instance.members = decl.members;
  resolveMembers(*this, instance);
  instance.state = ClassInstance::Done;
  return instance.type;
}
