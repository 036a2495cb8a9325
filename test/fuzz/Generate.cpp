//===- Generate.cpp - Programs from the grammar ---------------------------===//
// Walks the grammar's rules with random choices. Names are taken from what was
// declared before, so that many programs mean something and reach the middle
// of the compiler; the others test diagnostics.
//
#include "Random.h"

using namespace chi::fuzz;

namespace {
enum class Kind { Int, Float, Vec, Bool };

struct Name {
  std::string text;
  Kind kind;
  bool isAssignable = false; ///< not of a loop, nor of kernel level
};

class Generator {
public:
  Generator(Random &random, bool isMeaningful)
      : random(random), wrongPercent(isMeaningful ? 0 : 8) {}

  std::string program();

private:
  Random &random;
  unsigned wrongPercent;
  std::string text;
  unsigned depth = 0, counter = 0;
  std::vector<Name> names;            ///< in scope
  std::vector<std::string> fields;    ///< f32, rank 1
  std::vector<std::string> planes;    ///< f32, rank 2
  std::vector<std::string> vectors;   ///< vec2, rank 1
  std::vector<std::string> functions; ///< of two floats
  std::string index;                  ///< of the parallel loop
  bool isInKernel = false, isInLoop = false;

  std::string fresh(const char *stem) {
    return stem + std::to_string(counter++);
  }
  void line(const std::string &what) {
    text += std::string(4 * depth, ' ') + what + "\n";
  }
  Kind someKind() { return Kind(random.below(4)); }

  std::string nameOf(Kind kind, const std::string &otherwise);
  std::string assignable();
  std::string intExpr(unsigned fuel);
  std::string floatExpr(unsigned fuel);
  std::string vecExpr(unsigned fuel);
  std::string boolExpr(unsigned fuel);
  std::string expr(Kind kind, unsigned fuel);

  void block(unsigned fuel);
  void statement(unsigned fuel);
  void loop(unsigned fuel);
  void kernel();
  void function();
};
} // namespace

std::string Generator::nameOf(Kind kind, const std::string &otherwise) {
  if (random.below(100) < wrongPercent)
    return random.pick({"missing", "x", "range", "f0", "v0", "None"});
  std::vector<std::string> fit;
  for (const Name &name : names)
    if (name.kind == kind)
      fit.push_back(name.text);
  return fit.empty() ? otherwise : random.pick(fit);
}

/// A float variable that may be assigned here; "" if there is none.
std::string Generator::assignable() {
  if (random.below(100) < wrongPercent)
    return "v_f";
  std::vector<std::string> fit;
  for (const Name &name : names)
    if (name.kind == Kind::Float && name.isAssignable)
      fit.push_back(name.text);
  return fit.empty() ? "" : random.pick(fit);
}

std::string Generator::expr(Kind kind, unsigned fuel) {
  if (random.below(100) < wrongPercent)
    kind = someKind();
  switch (kind) {
  case Kind::Int:
    return intExpr(fuel);
  case Kind::Float:
    return floatExpr(fuel);
  case Kind::Vec:
    return vecExpr(fuel);
  case Kind::Bool:
    return boolExpr(fuel);
  }
  return "0";
}

std::string Generator::intExpr(unsigned fuel) {
  if (fuel == 0)
    return random.chance(50) ? std::to_string(random.below(20))
                             : nameOf(Kind::Int, "3");
  std::string a = expr(Kind::Int, fuel - 1), b = expr(Kind::Int, fuel - 1);
  switch (random.below(9)) {
  case 0:
    return "(" + a + " + " + b + ")";
  case 1:
    return "(" + a + " - " + b + ")";
  case 2:
    return a + " * " + b;
  case 3:
    return a + " % " + std::to_string(1 + random.below(9));
  case 4:
    return a + " // " + std::to_string(1 + random.below(9));
  case 5:
    return "(" + a + random.pick({" & ", " | ", " ^ "}) + b + ")";
  case 6:
    return "min(" + a + ", " + b + ")";
  case 7:
    return "i32(" + expr(Kind::Float, fuel - 1) + ")";
  default:
    return "(" + a + " if " + expr(Kind::Bool, fuel - 1) + " else " + b + ")";
  }
}

std::string Generator::floatExpr(unsigned fuel) {
  if (fuel == 0)
    return random.chance(50) ? random.pick({"0.5", "1.0", "-2.25", "1e-3", "3"})
                             : nameOf(Kind::Float, "0.25");
  std::string a = expr(Kind::Float, fuel - 1), b = expr(Kind::Float, fuel - 1);
  switch (random.below(10)) {
  case 0:
    return "(" + a + " + " + b + ")";
  case 1:
    return "(" + a + " - " + b + ")";
  case 2:
    return a + " * " + b;
  case 3:
    return a + " / " + b;
  case 4:
    return random.pick({"sin", "cos", "exp", "sqrt", "abs", "floor"}) + "(" +
           a + ")";
  case 5:
    return expr(Kind::Vec, fuel - 1) +
           random.pick({".x", ".y", ".norm()", "[0]"});
  case 6:
    return random.pick({"max", "min", "pow"}) + "(" + a + ", " + b + ")";
  case 7:
    return functions.empty()
               ? a
               : random.pick(functions) + "(" + a + ", " + b + ")";
  case 8:
    if (!index.empty() && !fields.empty())
      return random.pick(fields) + "[" + index + "]";
    return "-" + a;
  default:
    return "(" + a + " if " + expr(Kind::Bool, fuel - 1) + " else " + b + ")";
  }
}

std::string Generator::vecExpr(unsigned fuel) {
  if (fuel == 0)
    return nameOf(Kind::Vec, "vec2(1, 2)");
  std::string a = expr(Kind::Vec, fuel - 1), b = expr(Kind::Vec, fuel - 1);
  switch (random.below(5)) {
  case 0:
    return "(" + a + random.pick({" + ", " - ", " * "}) + b + ")";
  case 1:
    return "(" + expr(Kind::Float, fuel - 1) + " * " + a + ")";
  case 2:
    return "vec2(" + expr(Kind::Float, fuel - 1) + ", " +
           expr(Kind::Float, fuel - 1) + ")";
  case 3:
    if (!index.empty() && !vectors.empty())
      return random.pick(vectors) + "[" + index + "]";
    return a;
  default:
    return "(mat2([[1, 0.5], [0, 1]]) @ " + a + ")";
  }
}

std::string Generator::boolExpr(unsigned fuel) {
  if (fuel == 0)
    return random.pick({"True", "False"});
  Kind kind = random.chance(50) ? Kind::Int : Kind::Float;
  std::string compared = expr(kind, fuel - 1) +
                         random.pick({" < ", " <= ", " == ", " != ", " > "}) +
                         expr(kind, fuel - 1);
  switch (random.below(4)) {
  case 0:
    return "not (" + compared + ")";
  case 1:
    return "(" + compared + random.pick({" and ", " or "}) +
           boolExpr(fuel - 1) + ")";
  default:
    return compared;
  }
}

void Generator::block(unsigned fuel) {
  size_t known = names.size();
  ++depth;
  for (size_t count = 1 + random.below(4); count > 0; --count)
    statement(fuel);
  --depth;
  names.resize(known);
}

void Generator::loop(unsigned fuel) {
  std::string i = fresh("k"), range;
  switch (random.below(3)) {
  case 0:
    range = "range(" + std::to_string(random.below(6)) + ")";
    break;
  case 1:
    range = "static(range(3))";
    break;
  default:
    range = "range(2, " + intExpr(1) + " % 7)";
    break;
  }
  line("for " + i + " in " + range + ":");
  bool outer = isInLoop;
  names.push_back({i, Kind::Int});
  isInLoop = true;
  block(fuel - 1);
  isInLoop = outer;
  names.pop_back();
}

void Generator::statement(unsigned fuel) {
  Kind kind = someKind();
  switch (fuel == 0 ? random.below(5) : random.below(10)) {
  case 0:
  case 1: {
    std::string name = fresh("v");
    line(name + " = " + expr(kind, 2));
    names.push_back({name, kind, true});
    break;
  }
  case 2: {
    std::string name = assignable();
    line(name.empty()
             ? "pass"
             : name + random.pick({" += ", " *= ", " = "}) + floatExpr(2));
    break;
  }
  case 3:
    if (!index.empty() && !fields.empty())
      line(random.pick(fields) + "[" + index + "]" +
           random.pick({" = ", " += "}) + floatExpr(2));
    else
      line("print(f\"{" + expr(kind, 1) + "}\")");
    break;
  case 4:
    if (!index.empty() && !vectors.empty())
      line(random.pick(vectors) + "[" + index + "]" + random.pick({"", ".x"}) +
           " = " + (random.chance(50) ? "0" : floatExpr(1)));
    else
      line("assert " + boolExpr(1) + random.pick({"", " or True"}));
    break;
  case 5:
    line("if " + boolExpr(2) + ":");
    block(fuel - 1);
    if (random.chance(50)) {
      line("else:");
      block(fuel - 1);
    }
    break;
  case 6:
  case 7:
    loop(fuel);
    break;
  case 8:
    if (isInLoop)
      line("if " + boolExpr(1) + ": " + random.pick({"break", "continue"}));
    else
      line("pass");
    break;
  default:
    if (!index.empty() && !planes.empty())
      line(random.pick(planes) + "[" + index + " % 4, " + intExpr(1) +
           " % 4] += " + floatExpr(2));
    else
      line("pass");
  }
}

void Generator::function() {
  std::string name = fresh("fn");
  size_t known = names.size();
  line("def " + name +
       random.pick({"(a, b):", "(a: f32, b: f32) -> f32:", "(a, b=1.0):"}));
  names = {{"a", Kind::Float}, {"b", Kind::Float}};
  block(1);
  ++depth;
  line("return " + floatExpr(2));
  --depth;
  names.clear();
  names.resize(std::min(known, names.size()));
  text += "\n";
  functions.push_back(name);
}

void Generator::kernel() {
  std::vector<Name> outer = names;
  std::string name = fresh("kernel");
  bool hasArgument = random.chance(40);
  line("@kernel");
  line("def " + name + (hasArgument ? "(s: f32):" : "():"));
  if (hasArgument)
    names.push_back({"s", Kind::Float});
  isInKernel = true;
  ++depth;
  for (size_t loops = 1 + random.below(3); loops > 0; --loops) {
    index = fresh("it");
    names.push_back({index, Kind::Int});
    line("for " + index + " in " +
         (random.chance(60) ? fields.front() : std::string("range(16)")) + ":");
    block(3);
    names.pop_back();
    index.clear();
  }
  --depth;
  isInKernel = false;
  names = outer;
  text += "\n";
  line(name + (hasArgument ? "(" + floatExpr(1) + ")" : "()"));
}

std::string Generator::program() {
  if (random.chance(30))
    line("import math");
  if (random.chance(40)) {
    std::string name = fresh("n");
    line("param " + name + ": i32 = 8 in [1, 64], \"a size\"");
    names.push_back({name, Kind::Int});
  }
  for (size_t count = random.below(3); count > 0; --count)
    function();
  for (size_t count = 1 + random.below(2); count > 0; --count)
    line((fields.push_back(fresh("x")), fields.back()) +
         " = field(f32, shape=16)");
  if (random.chance(50))
    line((vectors.push_back(fresh("w")), vectors.back()) +
         " = field(vec2, shape=16" + random.pick({")", ", layout=\"soa\")"}));
  if (random.chance(50))
    line((planes.push_back(fresh("p")), planes.back()) +
         " = field(f32, shape=(4, 4)" + random.pick({")", ", order=\"ji\")"}));
  for (size_t count = 1 + random.below(3); count > 0; --count)
    kernel();
  for (size_t count = random.below(5); count > 0; --count)
    statement(2);
  line("print(" + fields.front() + ".sum())");
  return text;
}

std::string chi::fuzz::generate(Random &random, bool isMeaningful) {
  return Generator(random, isMeaningful).program();
}
