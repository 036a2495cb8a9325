//===- Library.cpp - C functions of a library -----------------------------===//

#include "chi/Target/CPU/Library.h"
#include "chi/Target/CPU/RuntimeCallee.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace chi::target;
using cpu::Library;
using cpu::LibraryFunction;
using cpu::Operator;
using cpu::OperatorGroup;

/// Of the name of a vector-Jacobian product.
static constexpr const char *kProductEnd = "_vjp";
/// Of the form that writes into the caller's tensors; no name of Chi ends so.
static constexpr const char *kIntoEnd = ".into";
/// Of the names by which tvm-ffi finds a function, its documentation, its type.
static constexpr const char *kOperatorPrefixes[] = {
    "__tvm_ffi_", "__tvm_ffi__doc_", "__tvm_ffi__metadata_"};

/// By which libraries share threads (chirt/cpu/Threads.h).
static constexpr const char *kPool = "chirt_pool_1";

bool Library::haveResults(const OperatorGroup &group) const {
  return llvm::all_of(group.members,
                      [&](size_t k) { return operators[k].hasResults; });
}

bool Library::haveRecords(const OperatorGroup &group) const {
  return llvm::all_of(group.members,
                      [&](size_t k) { return !operators[k].record.empty(); });
}

namespace {
/// A function that a group has besides the plain call.
struct GroupForm {
  std::string symbol;
  const char *callee; ///< what the run time does with the chosen member
  bool isProduct, areFieldsFirst;
};
} // namespace

static llvm::SmallVector<GroupForm, 3> formsOf(const Library &library,
                                               const OperatorGroup &group) {
  const std::string symbol = kOperatorPrefixes[0] + group.name;
  const std::string product = symbol + kProductEnd;
  llvm::SmallVector<GroupForm, 3> forms;
  if (library.haveResults(group))
    forms.push_back({symbol + kIntoEnd, "chirt_operator_into", false, true});
  if (library.haveRecords(group)) {
    forms.push_back({product, "chirt_operator_vjp", true, false});
    forms.push_back(
        {product + kIntoEnd, "chirt_operator_vjp_into", true, true});
  }
  return forms;
}

std::vector<std::string> Library::exports() const {
  std::vector<std::string> names{prefix + "main",      prefix + "guard",
                                 stem + "_run",        stem + "_field",
                                 stem + "_field_name", stem + "_last_error",
                                 prefix + "silence",   kPool};
  for (const LibraryFunction &function : functions) {
    names.push_back(function.name);
    names.push_back(function.entry);
  }
  for (const Operator &each : operators) {
    for (const char *prefix : kOperatorPrefixes)
      names.push_back(prefix + each.name);
    const std::string symbol = kOperatorPrefixes[0] + each.name;
    names.push_back(invokeName(each.name));
    if (each.hasResults)
      names.push_back(symbol + kIntoEnd);
    if (each.record.empty())
      continue;
    names.push_back(symbol + kProductEnd);
    names.push_back(symbol + kProductEnd + kIntoEnd);
    names.push_back(invokeName(each.name + kProductEnd));
  }
  for (const OperatorGroup &group : groups) {
    for (const char *prefix : kOperatorPrefixes)
      names.push_back(prefix + group.name);
    for (const GroupForm &form : formsOf(*this, group))
      names.push_back(form.symbol);
  }
  return names;
}

static llvm::Type *typeOf(llvm::IRBuilder<> &b, char letter) {
  switch (letter) {
  case 'b':
    return b.getInt8Ty();
  case 'h':
    return b.getInt16Ty();
  case 'w':
    return b.getInt32Ty();
  case 'l':
    return b.getInt64Ty();
  case 'f':
    return b.getFloatTy();
  case 'd':
    return b.getDoubleTy();
  default:
    return b.getPtrTy();
  }
}

static llvm::Function *define(llvm::IRBuilder<> &b, llvm::Module &module,
                              const std::string &name, llvm::Type *result,
                              llvm::ArrayRef<llvm::Type *> parameters) {
  auto *function =
      llvm::Function::Create(llvm::FunctionType::get(result, parameters, false),
                             llvm::GlobalValue::ExternalLinkage, name, module);
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", function));
  return function;
}

/// Puts the arguments in memory and hands their addresses to the run time.
static void addFunction(llvm::IRBuilder<> &b, llvm::Module &module,
                        const LibraryFunction &from) {
  llvm::SmallVector<llvm::Type *> types;
  for (char letter : from.parameters)
    types.push_back(typeOf(b, letter));
  llvm::Function *function =
      define(b, module, from.name, b.getInt32Ty(), types);
  auto *slotsType = llvm::ArrayType::get(b.getPtrTy(), types.size());
  llvm::Value *slots = b.CreateAlloca(slotsType);
  for (auto [k, argument] : llvm::enumerate(function->args())) {
    llvm::Value *slot = b.CreateAlloca(argument.getType());
    b.CreateStore(&argument, slot);
    b.CreateStore(slot, b.CreateConstInBoundsGEP2_64(slotsType, slots, 0, k));
  }
  llvm::Type *ptr = b.getPtrTy();
  llvm::FunctionCallee entry = module.getOrInsertFunction(
      from.entry, llvm::FunctionType::get(b.getVoidTy(), {ptr, ptr}, false));
  llvm::FunctionCallee call = cpu::runtimeFunction(module, "chirt_call");
  b.CreateRet(b.CreateCall(
      call, {entry.getCallee(), b.CreateGlobalString(from.signature), slots}));
}

/// `NAME(arguments…)`, which passes its arguments to a function of the run
/// time, after `table` if there is one.
static void addForward(llvm::IRBuilder<> &b, llvm::Module &module,
                       const std::string &name, const char *callee,
                       llvm::Value *table) {
  llvm::FunctionCallee target = cpu::runtimeFunction(module, callee);
  llvm::FunctionType *type = target.getFunctionType();
  llvm::Function *function = define(b, module, name, type->getReturnType(),
                                    type->params().drop_front(table ? 1 : 0));
  llvm::SmallVector<llvm::Value *> arguments;
  if (table)
    arguments.push_back(table);
  for (llvm::Argument &argument : function->args())
    arguments.push_back(&argument);
  b.CreateRet(b.CreateCall(target, arguments));
}

/// A function of chirt/operators.h, which api.def does not list.
static llvm::FunctionCallee
operatorFunction(llvm::IRBuilder<> &b, llvm::Module &module, const char *name,
                 llvm::Type *result, llvm::ArrayRef<llvm::Type *> parameters) {
  return module.getOrInsertFunction(
      name, llvm::FunctionType::get(result, parameters, false));
}

/// The constant chirt_operator of an operator, or of its product.
static llvm::Constant *
addDescription(llvm::IRBuilder<> &b, llvm::Module &module,
               const std::string &name, const std::string &signature,
               const std::string &entryName, const std::string &backward) {
  llvm::Type *ptr = b.getPtrTy();
  auto entry = [&](const std::string &symbol) -> llvm::Constant * {
    if (symbol.empty())
      return llvm::ConstantPointerNull::get(b.getPtrTy());
    auto *type = llvm::FunctionType::get(b.getVoidTy(), {ptr, ptr}, false);
    return llvm::cast<llvm::Constant>(
        module.getOrInsertFunction(symbol, type).getCallee());
  };
  auto *type = llvm::StructType::get(ptr, ptr, ptr, ptr);
  auto *value = llvm::ConstantStruct::get(
      type, b.CreateGlobalString(name, "", 0, &module), entry(entryName),
      b.CreateGlobalString(signature, "", 0, &module), entry(backward));
  return new llvm::GlobalVariable(module, type, /*isConstant=*/true,
                                  llvm::GlobalValue::InternalLinkage, value,
                                  "chi.operator." + name);
}

/// `int (const chirt_any *args, int count, chirt_any *results)`, after an
/// argument that is ignored if `hasSelf`: it passes its arguments to a function
/// of the run time.
static void addOperatorCall(llvm::IRBuilder<> &b, llvm::Module &module,
                            const std::string &name, bool hasSelf,
                            const std::string &callee,
                            llvm::Constant *description) {
  llvm::Type *ptr = b.getPtrTy(), *i32 = b.getInt32Ty();
  llvm::SmallVector<llvm::Type *> types{ptr, i32, ptr};
  if (hasSelf)
    types.insert(types.begin(), ptr);
  llvm::Function *function = define(b, module, name, i32, types);
  llvm::SmallVector<llvm::Value *> arguments{description};
  for (llvm::Argument &argument :
       llvm::drop_begin(function->args(), hasSelf ? 1 : 0))
    arguments.push_back(&argument);
  b.CreateRet(b.CreateCall(
      operatorFunction(b, module, callee.c_str(), i32, {ptr, ptr, i32, ptr}),
      arguments));
}

/// `STEM_last_error`, and what makes failures silent.
static void addFailureFunctions(llvm::IRBuilder<> &b, llvm::Module &module,
                                const Library &library) {
  llvm::Type *ptr = b.getPtrTy(), *i32 = b.getInt32Ty();
  define(b, module, library.stem + "_last_error", ptr, {});
  b.CreateRet(
      b.CreateCall(operatorFunction(b, module, "chirt_last_failure", ptr, {})));
  llvm::Function *silence =
      define(b, module, library.prefix + "silence", i32, {i32});
  b.CreateRet(b.CreateCall(
      operatorFunction(b, module, "chirt_silence_failures", i32, {i32}),
      {silence->getArg(0)}));
}

/// The functions that give the documentation and the type of an operator.
static void addTexts(llvm::IRBuilder<> &b, llvm::Module &module,
                     const std::string &name, const std::string &doc,
                     const std::string &metadata) {
  llvm::Type *ptr = b.getPtrTy(), *i32 = b.getInt32Ty();
  const std::string *texts[] = {&doc, &metadata};
  for (auto [k, text] : llvm::enumerate(texts)) {
    llvm::Function *function = define(
        b, module, kOperatorPrefixes[k + 1] + name, i32, {ptr, ptr, i32, ptr});
    b.CreateRet(b.CreateCall(
        operatorFunction(b, module, "chirt_operator_text", i32, {ptr, ptr}),
        {b.CreateGlobalString(*text), function->getArg(3)}));
  }
}

/// The functions of an operator for tvm-ffi and for C++.
static void addOperator(llvm::IRBuilder<> &b, llvm::Module &module,
                        const Library &library, const Operator &from) {
  auto add = [&](const std::string &name, const std::string &entry,
                 const std::string &backward, llvm::StringRef forTvm,
                 llvm::StringRef forTargets, llvm::StringRef forPlain) {
    llvm::Constant *description =
        addDescription(b, module, name, from.signature, entry, backward);
    const std::string symbol = kOperatorPrefixes[0] + name;
    addOperatorCall(b, module, symbol, /*hasSelf=*/true, forTvm.str(),
                    description);
    if (from.hasResults)
      addOperatorCall(b, module, symbol + kIntoEnd, /*hasSelf=*/true,
                      forTargets.str(), description);
    addOperatorCall(b, module, library.invokeName(name), /*hasSelf=*/false,
                    forPlain.str(), description);
  };
  add(from.name, from.entry, "", "chirt_operator_call", "chirt_operator_into",
      "chirt_operator_invoke");
  if (!from.record.empty())
    add(from.name + kProductEnd, from.record, from.backward,
        "chirt_operator_vjp", "chirt_operator_vjp_into",
        "chirt_operator_invoke_vjp");
  addTexts(b, module, from.name, from.doc, from.metadata);
}

/// The constant chirt_operators of a group, or of its products.
static llvm::Constant *addMembers(llvm::IRBuilder<> &b, llvm::Module &module,
                                  const Library &library,
                                  const OperatorGroup &group, bool isProduct) {
  llvm::Type *ptr = b.getPtrTy();
  const std::string name = group.name + (isProduct ? kProductEnd : "");
  llvm::SmallVector<llvm::Constant *> members;
  for (size_t k : group.members) {
    const Operator &each = library.operators[k];
    members.push_back(addDescription(b, module, name, each.signature,
                                     isProduct ? each.record : each.entry,
                                     isProduct ? each.backward : ""));
  }
  auto *type = llvm::ArrayType::get(ptr, members.size());
  auto *table = new llvm::GlobalVariable(
      module, type, /*isConstant=*/true, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantArray::get(type, members), "chi.members." + name);
  auto *structType = llvm::StructType::get(ptr, ptr, b.getInt64Ty());
  auto *value = llvm::ConstantStruct::get(
      structType, b.CreateGlobalString(name, "", 0, &module), table,
      b.getInt64(members.size()));
  return new llvm::GlobalVariable(module, structType, /*isConstant=*/true,
                                  llvm::GlobalValue::InternalLinkage, value,
                                  "chi.operators." + name);
}

/// A function of a group: calls the member that the run time chooses.
static void addGroupCall(llvm::IRBuilder<> &b, llvm::Module &module,
                         const GroupForm &form, llvm::Constant *members) {
  llvm::Type *ptr = b.getPtrTy(), *i32 = b.getInt32Ty();
  llvm::Function *function =
      define(b, module, form.symbol, i32, {ptr, ptr, i32, ptr});
  llvm::Value *args = function->getArg(1), *count = function->getArg(2),
              *result = function->getArg(3);
  llvm::Value *chosen = b.CreateCall(
      operatorFunction(b, module, "chirt_operator_choose", ptr,
                       {ptr, ptr, i32, i32, ptr}),
      {members, args, count, b.getInt32(form.areFieldsFirst), result});
  llvm::LLVMContext &context = module.getContext();
  auto *none = llvm::BasicBlock::Create(context, "none", function);
  auto *some = llvm::BasicBlock::Create(context, "some", function);
  b.CreateCondBr(b.CreateIsNull(chosen), none, some);
  b.SetInsertPoint(none);
  b.CreateRet(b.getInt32(-1));
  b.SetInsertPoint(some);
  b.CreateRet(b.CreateCall(
      operatorFunction(b, module, form.callee, i32, {ptr, ptr, i32, ptr}),
      {chosen, args, count, result}));
}

/// The functions of a group for tvm-ffi.
static void addGroup(llvm::IRBuilder<> &b, llvm::Module &module,
                     const Library &library, const OperatorGroup &group) {
  const Operator &first = library.operators[group.members.front()];
  llvm::SmallVector<GroupForm, 4> forms = {
      {kOperatorPrefixes[0] + group.name, "chirt_operator_call",
       /*isProduct=*/false, /*areFieldsFirst=*/false}};
  llvm::append_range(forms, formsOf(library, group));
  llvm::Constant *members[] = {
      addMembers(b, module, library, group, /*isProduct=*/false),
      library.haveRecords(group)
          ? addMembers(b, module, library, group, /*isProduct=*/true)
          : nullptr};
  for (const GroupForm &form : forms)
    addGroupCall(b, module, form, members[form.isProduct]);
  std::string doc;
  for (size_t k : llvm::drop_end(group.members))
    doc += llvm::StringRef(library.operators[k].doc).split('\n').first.str() +
           "\n";
  doc += library.operators[group.members.back()].doc;
  addTexts(b, module, group.name, doc, first.metadata);
}

/// `STEM_run`: the program has run if it did not refuse its params.
static void addRun(llvm::IRBuilder<> &b, llvm::Module &module,
                   const Library &library) {
  llvm::Type *i32 = b.getInt32Ty(), *ptr = b.getPtrTy();
  auto *hasRun = new llvm::GlobalVariable(module, i32, /*isConstant=*/false,
                                          llvm::GlobalValue::ExternalLinkage,
                                          b.getInt32(0), cpu::kHasRun);
  hasRun->setVisibility(llvm::GlobalValue::HiddenVisibility);
  llvm::Function *run =
      define(b, module, library.stem + "_run", i32, {i32, ptr});
  llvm::Value *status =
      b.CreateCall(module.getFunction(library.prefix + "main"),
                   {run->getArg(0), run->getArg(1)});
  llvm::Value *isRefused = b.CreateICmpEQ(status, b.getInt32(2));
  b.CreateStore(
      b.CreateSelect(isRefused, b.CreateLoad(i32, hasRun), b.getInt32(1)),
      hasRun);
  b.CreateRet(status);
}

void cpu::addLibraryFunctions(llvm::Module &module, const Library &library) {
  llvm::IRBuilder<> b(module.getContext());
  llvm::Type *ptr = b.getPtrTy();
  addForward(b, module, library.prefix + "guard", "chirt_guard", nullptr);
  auto *table = new llvm::GlobalVariable(module, ptr, /*isConstant=*/true,
                                         llvm::GlobalValue::ExternalLinkage,
                                         nullptr, kFieldTable);
  table->setVisibility(llvm::GlobalValue::HiddenVisibility);
  addForward(b, module, library.stem + "_field", "chirt_library_field", table);
  addForward(b, module, library.stem + "_field_name",
             "chirt_library_field_name", table);
  addFailureFunctions(b, module, library);
  addRun(b, module, library);
  for (const LibraryFunction &function : library.functions)
    addFunction(b, module, function);
  for (const Operator &each : library.operators)
    addOperator(b, module, library, each);
  for (const OperatorGroup &group : library.groups)
    addGroup(b, module, library, group);
}
