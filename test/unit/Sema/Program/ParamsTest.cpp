//===- ParamsTest.cpp - Values of params from a command line --------------===//
#include "chi/Parse/Parse.h"
#include "chi/Sema/Program/Sema.h"
#include "gtest/gtest.h"

using namespace chi;

namespace {
struct NoModules : sema::ModuleLoader {
  Result load(llvm::StringRef, uint32_t) override { return {}; }
};

struct Checked {
  SourceFiles sources;
  ast::Context context;
  DiagnosticEngine diags;
  sema::TypeContext types;
  sema::Options options;
  std::unique_ptr<sema::Program> program;

  bool check(std::string text) {
    NoModules loader;
    uint32_t file = sources.add("a.chi", std::move(text));
    ast::Module *module = parse::parseModule(sources, file, context, diags);
    if (module)
      program =
          sema::check(sources, *module, types, options, loader, diags);
    return program != nullptr;
  }
  std::string codes() const {
    std::string all;
    for (const Diagnostic &diagnostic : diags.pending())
      all += (all.empty() ? "" : " ") + diagnostic.code;
    return all;
  }
};

const char *kProgram = R"(
param n: i32 = 8 in [1, 100]
param x: f32 = 0.5
param on: bool = False
param how: str = "a" in {"a", "b"}
param kick: dvec2 = [0, 1]
u = field(f32, shape=n)
print(x, on, how, kick)
)";
} // namespace

TEST(Params, TakeTextByTheirType) {
  Checked c;
  c.options.specialize = sema::Specialize::All;
  c.options.paramValues = {{"n", "16"},   {"x", "1e-3"},  {"on", "true"},
                           {"how", "b"},  {"kick", "2,-3"}};
  ASSERT_TRUE(c.check(kProgram)) << c.codes();
  EXPECT_EQ(c.program->params[0]->fixedText, "16");
  EXPECT_EQ(c.program->params[2]->fixedText, "true");
  EXPECT_EQ(c.program->params[3]->fixedText, "b");
  EXPECT_EQ(c.program->params[4]->fixedText, "2,-3");
  EXPECT_EQ(c.program->globals[0]->type->shape[0], 16);
}

TEST(Params, OnlyThoseThatReachAShapeAreCompiledIn) {
  Checked c;
  ASSERT_TRUE(c.check(kProgram)) << c.codes();
  EXPECT_TRUE(c.program->params[0]->isFixed);
  for (unsigned k = 1; k < 5; ++k)
    EXPECT_FALSE(c.program->params[k]->isFixed);
}

TEST(Params, AreRunTimeValuesInABuild) {
  Checked c;
  c.options.specialize = sema::Specialize::None;
  ASSERT_TRUE(c.check(kProgram)) << c.codes();
  EXPECT_FALSE(c.program->params[0]->isFixed);
  EXPECT_EQ(c.program->globals[0]->type->shape[0], -1);
}

TEST(Params, RefuseWhatIsNoValue) {
  for (auto [name, text, code] :
       {std::tuple("n", "0", "E0611"), {"n", "eight", "E0611"},
        {"n", "1.5", "E0611"}, {"n", "99999999999", "E0611"},
        {"x", "", "E0611"}, {"on", "maybe", "E0611"}, {"how", "c", "E0611"},
        {"kick", "1", "E0611"}, {"kikc", "1,2", "E0610"}}) {
    Checked c;
    c.options.paramValues = {{name, text}};
    EXPECT_FALSE(c.check(kProgram));
    EXPECT_EQ(c.codes(), code) << name << " = " << text;
  }
}

TEST(Params, AreSummarizedFromSyntax) {
  Checked c;
  NoModules loader;
  uint32_t file = c.sources.add("a.chi", kProgram);
  ast::Module *module =
      parse::parseModule(c.sources, file, c.context, c.diags);
  ASSERT_NE(module, nullptr);
  auto all = sema::summarizeParams(c.sources, *module, loader);
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].name, "n");
  EXPECT_EQ(all[0].type, "i32");
  EXPECT_EQ(all[0].defaultText, "8");
  EXPECT_EQ(all[0].low, "1");
  EXPECT_EQ(all[0].high, "100");
  EXPECT_TRUE(all[0].isSpecialized);
  EXPECT_FALSE(all[1].isSpecialized);
  EXPECT_EQ(all[3].choices, (std::vector<std::string>{"a", "b"}));
}
