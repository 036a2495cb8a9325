//===- Product.cpp - Vector-Jacobian products by tvm-ffi ------------------===//
// The operator's entry keeps a record of its call (chirt_kernel_begin). The
// adjoints that the caller passes become the gradients of the results; the
// adjoint of the record then leaves those of the arguments in their gradients.
#include "chirt/operators.h"

#include "chirt/cpu/FieldOps.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Gradient.h"
#include "chirt/field/Making.h"
#include "chirt/operators/Call.h"
#include "chirt/operators/Into.h"

using namespace chirt;

namespace {
struct Product {
  const chirt_operator &op;
  const chirt_any *adjoints; ///< of the results
  int32_t numAdjoints;
  Refusal refusal;
  Arguments arguments;
  Results results;
  bool isRefused = false, hasEnded = false;

  Product(const chirt_operator &op, const chirt_any *adjoints,
          int32_t numAdjoints, Caller caller)
      : op(op), adjoints(adjoints), numAdjoints(numAdjoints),
        refusal(op.name, caller), arguments(refusal), results(op.signature) {}

  bool seed();
  bool seedField(const Item &result, chirt_field *field, int32_t number);
  bool refuseMemory();
  bool give(chirt_any *result);
  /// Writes the adjoints of the arguments into tensors.
  bool store(const chirt_any *targets);
  bool storeAdjoint(int number, chirt_field *of, const chirt_any &target);
  /// The adjoint of an argument, in the argument's own type, which the caller
  /// releases; null after a refusal.
  chirt_field *adjointOf(chirt_field *of);
};
} // namespace

bool Product::refuseMemory() {
  std::string_view why = lastFailure();
  return refusal.refuse("MemoryError", "%.*s", int(why.size()), why.data());
}

/// The gradient of a result becomes what the caller gave.
bool Product::seedField(const Item &result, chirt_field *field,
                        int32_t number) {
  Text name;
  name << "the adjoint of result " << int(number);
  Item item = result;
  item.name = numAdjoints == 1 ? "the adjoint of the result" : name.view();
  item.type.dtype = adjointType(item.type.dtype);
  const DLTensor *tensor = tensorOf(adjoints[number]);
  if (!tensor)
    return refusal.refuse("TypeError", "%.*s is %s, expected a tensor",
                          int(item.name.size()), item.name.data(),
                          describe(adjoints[number]));
  TensorCheck check(refusal, item, *tensor);
  if (!check.run() || !check.hasShapeOf(field))
    return false;
  // Two results may be one field: their adjoints add up.
  chirt_field *before = field->grad;
  chirt_field *gradient =
      before ? makeAdjoint(nullptr, field) : gradientOf(nullptr, field);
  if (!gradient)
    return refuseMemory();
  TensorMemory memory(*tensor);
  copyScalars(hostCopyToOverwrite(gradient), arrayOf(gradient), memory.data,
              memory.array, scalarBytes(gradient->dtype));
  if (before) {
    addField(before, gradient);
    chirt_field_release(gradient);
  }
  return true;
}

bool Product::seed() {
  int32_t number = 0;
  bool isGood = true;
  results.eachFloatField([&](const Item &item, chirt_field *field) {
    isGood = isGood && seedField(item, field, number);
    ++number;
  });
  return isGood;
}

static void runProduct(void *context) {
  Product &product = *static_cast<Product *>(context);
  product.op.entry(product.arguments.addresses(), product.results.slots());
  product.isRefused = !product.seed();
  // Also without adjoints: the record goes, which has the arguments.
  product.op.backward(nullptr, nullptr);
  product.results.hold();
  product.hasEnded = true;
}

chirt_field *Product::adjointOf(chirt_field *of) {
  chirt_field *adjoint = takeGradient(of);
  if (!adjoint || adjoint->dtype != of->dtype) {
    chirt_field *made = makeField(nullptr, typeOf(of), of->rank, of->extents);
    if (made && adjoint)
      castScalars(adjoint->dtype, hostCopy(adjoint), made->dtype,
                  hostCopyToOverwrite(made),
                  made->elements * componentsOf(made));
    chirt_field_release(adjoint);
    adjoint = made;
  }
  if (!adjoint)
    refuseMemory();
  return adjoint;
}

bool Product::storeAdjoint(int number, chirt_field *of,
                           const chirt_any &target) {
  Text name;
  name << "the target of adjoint " << number;
  chirt_field *adjoint = adjointOf(of);
  if (!adjoint)
    return false;
  bool isStored = storeField(refusal, name.view(), adjoint, target);
  chirt_field_release(adjoint);
  return isStored;
}

bool Product::store(const chirt_any *targets) {
  TensorArguments &tensors = arguments.tensors;
  int count = 0;
  for (int k = 0; k < tensors.size(); ++k) {
    chirt_field *of = tensors.field(k);
    if (!isFloatType(of->dtype))
      continue;
    if (!storeAdjoint(count, of, targets[count]))
      return false;
    ++count;
  }
  return true;
}

bool Product::give(chirt_any *result) {
  chirt_any values[kMaxTensors];
  int count = 0;
  TensorArguments &tensors = arguments.tensors;
  for (int k = 0; k < tensors.size(); ++k) {
    if (!isFloatType(tensors.field(k)->dtype))
      continue;
    values[count] = {};
    chirt_field *adjoint = adjointOf(tensors.field(k));
    bool isGiven = adjoint && giveField(refusal, adjoint, values[count]);
    chirt_field_release(adjoint);
    if (!isGiven) {
      dropAll(refusal, values, count);
      return false;
    }
    ++count;
  }
  return giveAll(refusal, values, count, result);
}

/// Runs the operator, and its adjoint; false after a refusal.
static bool runAll(Product &product, const chirt_any *args, int32_t count) {
  if (!product.arguments.bind(product.op.signature, args, count))
    return false;
  int32_t status = guardSilently(runProduct, &product, product.hasEnded);
  if (!product.hasEnded)
    takeFailure(product.refusal, status);
  return product.hasEnded && !product.isRefused;
}

static int32_t callProduct(const chirt_operator *op, const chirt_any *args,
                           int32_t count, chirt_any *result, Caller caller) {
  const ItemCounts has(op->signature);
  Product product(*op, args + has.parameters, has.floatResults, caller);
  if (count != has.parameters + has.floatResults) {
    product.refusal.refuse("TypeError",
                           "%d given, expected %d: the operator's arguments, "
                           "and an adjoint for each result of floats",
                           int(count), int(has.parameters + has.floatResults));
    return product.refusal.raise(result);
  }
  return runAll(product, args, has.parameters) && product.give(result)
             ? 0
             : product.refusal.raise(result);
}

int32_t chirt_operator_vjp(const chirt_operator *op, const chirt_any *args,
                           int32_t count, chirt_any *result) {
  return callProduct(op, args, count, result, Caller::TvmFfi);
}

int32_t chirt_operator_invoke_vjp(const chirt_operator *op,
                                  const chirt_any *args, int32_t count,
                                  chirt_any *results) {
  return callProduct(op, args, count, results, Caller::Plain);
}

int32_t chirt_operator_vjp_into(const chirt_operator *op, const chirt_any *args,
                                int32_t count, chirt_any *result) {
  const ItemCounts has(op->signature);
  *result = {};
  Product product(*op, args + has.fields, has.floatResults, Caller::TvmFfi);
  DeclaredArguments declared(has, has.floatResults + has.floatFields);
  return declared.take(product.refusal, op->signature, args, count) &&
                 runAll(product, declared.args(), has.parameters) &&
                 product.store(args + has.fields + has.floatResults)
             ? 0
             : product.refusal.raise(result);
}
