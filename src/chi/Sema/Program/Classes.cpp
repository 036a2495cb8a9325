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
  if (stmt->name == "__init__") {
    diags.report(stmt->nameRange, diag::NoInitializer, decl.ast->name)
        .note({}, diag::Advice,
              "declare the members with their types, `x: f32 = 0`; a function "
              "that returns an object can do the rest")
        .send();
    decl.isBroken = true;
    return;
  }
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
  if (method.isKernel) {
    reportLater(diags, stmt->nameRange, "a kernel in a class");
    method.isBroken = true;
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
  TypeRef scalar = type->scalar();
  Expr *zero = scalar->isFloat() ? build.realLiteral(range, 0, scalar)
                                 : build.intLiteral(range, 0, scalar);
  if (type->isScalar())
    return zero;
  auto *fill = build.make<SplatExpr>(range, type);
  fill->operand = zero;
  return fill;
}

/// The type and the default of a member; the error type after a report.
static void resolveMember(ExprCheckers &checker, ClassMember &member) {
  Builder &build = checker.state.build;
  DiagnosticEngine &diags = build.diags;
  member.type = checker.checkType(member.written);
  TypeRef type = member.type;
  if (type->isError())
    return;
  bool isValue = type->isScalar() || type->isAggregate() || type->isArray() ||
                 type->isStruct();
  if (!isValue) {
    if (type->holdsField() || type->isStr())
      reportLater(diags, member.written->range,
                  type->isStr() ? "a `str` in a class" : "a field in a class");
    else
      diags
          .report(member.written->range, diag::BadMemberType, member.name,
                  type->str())
          .send();
    member.type = build.types.error;
    return;
  }
  member.value = zeroOf(build, member.range, type);
  if (!member.defaultValue)
    return;
  Expr *value =
      build.pin(build.convert(checker.checkExpr(member.defaultValue), type,
                              ("the default of `" + member.name + "`").str()));
  if (!isError(value) && !isConstant(value)) {
    checker.ctx.exprs.reportNotConstant(
        value, ("the default of `" + member.name + "`").str());
    return;
  }
  if (!isError(value))
    member.value = value;
}

/// The types of the members, and that of the class.
static void resolveMembers(ProgramChecker &program, ClassInstance &instance) {
  ClassDecl &decl = *instance.decl;
  ExprCheckers checker(program, *decl.module, Where::Constant, nullptr);
  checker.state.scopes.push_back({});
  checker.state.scopes.back().names = instance.typeNames;
  std::vector<NamedMember> named;
  bool isBroken = false;
  for (ClassMember &member : instance.members) {
    resolveMember(checker, member);
    isBroken |= member.type->isError();
    named.push_back({member.name, member.type});
  }
  std::string name = decl.ast->name.str();
  if (decl.isGeneric())
    name += "[" + argumentText(decl, instance.typeNames, /*isKey=*/false) + "]";
  instance.type = isBroken ? program.types.error
                           : program.types.structure(&instance, name, named);
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
