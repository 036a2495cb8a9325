//===- Declarations.cpp - The types of declarations, for tools ------------===//
#include "chi/Sema/Program/ProgramChecker.h"

using namespace chi;
using namespace chi::sema;

static void showClass(CheckObserver &observer, const ClassInstance &instance) {
  observer.sawClass(&instance, instance.decl->ast);
  if (instance.view)
    observer.sawClass(instance.view.get(), instance.decl->ast);
  for (const ClassMember &member : instance.members)
    if (member.type)
      observer.sawDeclared(member.range, member.type);
}

void sema::showDeclarations(const ProgramChecker &program,
                            CheckObserver &observer) {
  for (const TopLevelVariable &variable : program.topLevels)
    if (variable.type)
      observer.sawDeclared(variable.range, variable.type);
  for (const ConstDecl &decl : program.consts)
    if (decl.value)
      observer.sawDeclared(decl.ast->nameRange, decl.value->type);
  for (const AliasDecl &decl : program.aliases)
    if (decl.type)
      observer.sawDeclared(decl.ast->nameRange, decl.type);
  for (const ParamDecl &decl : program.params)
    observer.sawDeclared(decl.ast->nameRange, decl.param->type);
  for (const ClassDecl &decl : program.classes)
    for (auto &[key, instance] : decl.instances)
      showClass(observer, instance);
}
