//===- CHeader.cpp ---------------------------------------------------------===//
#include "chi/Driver/CHeader.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace chi;
using namespace chi::driver;

std::string chi::driver::cHeader(const sema::Program &program,
                                 const std::string &name) {
  std::string stem = name;
  for (char &c : stem)
    if (!llvm::isAlnum(c))
      c = '_';
  std::string guard = llvm::StringRef(stem).upper() + "_H";
  std::string text = "/* Made by chic build from " + name + ".chi. */\n";
  text += "#ifndef " + guard + "\n#define " + guard + "\n\n";
  text += "#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  text += "struct chirt_program;\n"
          "extern const struct chirt_program chi_program;\n"
          "int32_t chirt_main(const struct chirt_program *program, "
          "int32_t argc,\n                   const char *const *argv);\n\n";
  text += "/* Runs the whole program as its executable would. argv[0] is its "
          "name.\n * Returns the exit status. */\n";
  text += "static inline int32_t " + stem +
          "_run(int32_t argc, const char *const *argv) {\n"
          "  return chirt_main(&chi_program, argc, argv);\n}\n\n";
  text += "#ifdef __cplusplus\n}\n#endif\n#endif /* " + guard + " */\n";
  return text;
}
