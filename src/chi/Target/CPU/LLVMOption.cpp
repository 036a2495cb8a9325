//===- LLVMOption.cpp -----------------------------------------------------===//
#include "chi/Target/CPU/LLVMOption.h"

using namespace chi::target;

cpu::LLVMOption::LLVMOption(llvm::StringRef name, llvm::StringRef value)
    : option(llvm::cl::getRegisteredOptions().lookup(name)) {
  if (option)
    option->addOccurrence(0, name, value);
}

cpu::LLVMOption::~LLVMOption() {
  if (option)
    option->reset();
}
