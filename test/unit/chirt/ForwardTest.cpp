//===- ForwardTest.cpp - Tangents of fields -------------------------------===//
#include "TapeTasks.h"
#include "chirt/field/Dual.h"
#include "gtest/gtest.h"

using namespace tasks;

namespace {

double *elements(chirt_field *field) {
  return static_cast<double *>(field->data);
}

void squareEach(const chirt_task *, const int64_t *a,
                const chirt_domain *domain) {
  for (int64_t i = domain->from[0]; i < domain->to[0]; ++i)
    at(a, 1)[i] = at(a, 0)[i] * at(a, 0)[i];
}

void squareEachWithTangent(const chirt_task *task, const int64_t *a,
                           const chirt_domain *domain) {
  squareEach(task, a, domain);
  for (int64_t i = domain->from[0]; i < domain->to[0]; ++i)
    at(a, 3)[i] = 2 * at(a, 0)[i] * at(a, 2)[i];
}

/// y = x * x, and the same with tangents.
struct Square {
  Task tangent{"square.tan", "", {R, O, R, O}, squareEachWithTangent};
  Task primal{"square", "x, y", {R, O}, squareEach};
  Square() { primal.task.tangent = &tangent.task; }
};

class Forward : public testing::Test {
protected:
  Forward() {
    for (int k = 0; k < 4; ++k)
      elements(x)[k] = k + 1;
  }
  ~Forward() override {
    chirt_field_release(x);
    chirt_field_release(y);
    chirt_field_release(z);
  }

  chirt_field *x = makeField("f64;dual", {4}), *y = makeField("f64", {4}),
              *z = makeField("f64;dual", {4});
  Square square;
};

TEST_F(Forward, TangentsGoThroughFieldsWithoutMark) {
  elements(chirt_field_dual(nullptr, x))[2] = 1;
  chirt_forward_begin(nullptr);
  square.primal({x, y});
  square.primal({y, z});
  EXPECT_EQ(elements(z)[2], 81);
  chirt_forward_end();
  EXPECT_EQ(elements(chirt_field_dual(nullptr, z))[2], 2 * 9 * 2 * 3);
  EXPECT_EQ(elements(chirt_field_dual(nullptr, z))[1], 0);
  EXPECT_EQ(chirt::knownDual(y), nullptr);
}

TEST_F(Forward, WithoutTangentsTheTaskItselfRuns) {
  chirt_forward_begin(nullptr);
  square.primal({x, y});
  EXPECT_EQ(elements(y)[3], 16);
  EXPECT_EQ(chirt::knownDual(y), nullptr);
  chirt_forward_end();
}

TEST_F(Forward, FillAndStoresAreConstant) {
  chirt_field *dual = chirt_field_dual(nullptr, x);
  for (int k = 0; k < 4; ++k)
    elements(dual)[k] = 5;
  chirt_tape_host_store(x, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0);
  EXPECT_EQ(elements(dual)[0], 5);
  chirt_forward_begin(nullptr);
  chirt_tape_host_store(x, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0);
  chirt_tape_host_store(x, 1, -1, 1, 0, 0, 0, 0, 0, 0, 0);
  EXPECT_EQ(elements(dual)[0], 0);
  EXPECT_EQ(elements(dual)[1], 5);
  const double one = 1;
  chirt_field_copy(nullptr, y, x);
  EXPECT_EQ(elements(chirt::knownDual(y))[1], 5);
  chirt_field_fill(x, &one);
  EXPECT_EQ(elements(dual)[1], 0);
  chirt_field_copy(nullptr, z, y);
  chirt_forward_end();
  EXPECT_EQ(elements(chirt_field_dual(nullptr, z))[1], 5);
}

TEST_F(Forward, ViewsShareTheTangentsOfTheirField) {
  elements(chirt_field_dual(nullptr, x))[1] = 7;
  const chirt_slice slice = {1, 2, 2};
  chirt_field *view = chirt_field_view(nullptr, x, &slice);
  chirt_field *dual = chirt_field_dual(nullptr, view);
  EXPECT_EQ(elements(dual)[0], 7);
  EXPECT_EQ(dual->strides[0], 2);
  chirt_forward_begin(nullptr);
  chirt_tape_host_store(view, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0);
  chirt_forward_end();
  EXPECT_EQ(elements(chirt_field_dual(nullptr, x))[1], 0);
  chirt_field_release(view);
}

bool isIn(const std::string &text, const char *part) {
  return text.find(part) != text.npos;
}

TEST_F(Forward, NestingIsRefusedAndTheGuardEndsIt) {
  Ran twice = guarded([] {
    chirt_forward_begin(nullptr);
    chirt_forward_begin(nullptr);
  });
  EXPECT_TRUE(isIn(twice.err, "inside of another one")) << twice.err;
  chirt_field *loss = makeField("f64", {});
  Ran asked = guarded([] {
    chirt_forward_begin(nullptr);
    chirt_kernel_grad(nullptr, "k");
  });
  EXPECT_TRUE(isIn(asked.err, "the adjoint of a kernel")) << asked.err;
  Ran inTape = guarded([&] {
    chirt_tape_begin(nullptr, loss, 0);
    chirt_forward_begin(nullptr);
  });
  EXPECT_TRUE(isIn(inTape.err, "inside of a tape")) << inTape.err;
  chirt_forward_begin(nullptr);
  chirt_forward_end();
  chirt_field_release(loss);
}

TEST_F(Forward, OtherFieldsHaveNone) {
  Ran asked = guarded([&] { chirt_field_dual(nullptr, y); });
  EXPECT_TRUE(isIn(asked.err, "dual=True")) << asked.err;
}

TEST_F(Forward, AFieldBesideItsTangentsIsRefused) {
  Ran ran = guarded([&] {
    chirt_forward_begin(nullptr);
    elements(chirt_field_dual(nullptr, x))[0] = 1;
    square.primal({x, chirt_field_dual(nullptr, x)});
  });
  EXPECT_TRUE(isIn(ran.err, "a field and its `.dual`")) << ran.err;
}

} // namespace
