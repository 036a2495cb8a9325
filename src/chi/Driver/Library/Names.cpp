//===- Names.cpp - Names of a program in C and C++ ------------------------===//
#include "chi/Driver/Library/Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace chi::driver;

std::string chi::driver::identifier(llvm::StringRef name) {
  std::string text = name.str();
  for (char &c : text)
    if (!llvm::isAlnum(c))
      c = '_';
  return text.empty() || llvm::isDigit(text[0]) ? "_" + text : text;
}

/// Words of C and C++, with the alternative spellings, the words of compilers
/// that are no names even where the standard allows them, and macros of the C
/// library that have names like those of programs.
static constexpr const char *kKeywords =
    " alignas alignof and and_eq asm assert atomic auto bitand bitor bool "
    "break case "
    "catch char char16_t char32_t char8_t class co_await co_return co_yield "
    "compl complex concept const const_cast consteval constexpr constinit "
    "continue decltype default delete do double dynamic_cast else enum "
    "errno explicit export extern false float for fortran friend goto i386 if "
    "imaginary inline int linux long mutable namespace new noexcept noreturn "
    "not not_eq nullptr offsetof operator or or_eq private protected public "
    "register "
    "reinterpret_cast requires restrict return setjmp short signed sizeof "
    "static "
    "static_assert static_cast stderr stdin stdout struct switch template this "
    "thread_local throw "
    "true try typedef typeid typename typeof typeof_unqual union unix unsigned "
    "using virtual void volatile wchar_t while xor xor_eq NULL ";

bool chi::driver::isTaken(llvm::StringRef name) {
  static constexpr llvm::StringRef kForms[] = {"int",   "uint",    "INT",
                                               "UINT",  "SIZE",    "SIG_ATOMIC",
                                               "WCHAR", "PTRDIFF", "WINT"};
  static constexpr llvm::StringRef kEnds[] = {"_t", "_MAX", "_MIN", "_WIDTH",
                                              "_C"};
  return llvm::StringRef(kKeywords).contains((" " + name + " ").str()) ||
         name.starts_with("__") ||
         (llvm::any_of(kForms, [&](auto f) { return name.starts_with(f); }) &&
          llvm::any_of(kEnds, [&](auto end) { return name.ends_with(end); }));
}

std::string Scope::add(std::string name) {
  while (!names.insert(name).second)
    name += '_';
  return name;
}
