//===- Kernels.cpp - What kernels of a device take, and leave -------------===//
#include "chirt/device/Kernels.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Field.h"
#include "chirt/field/Views.h"
#include <cstring>

namespace chirt {

namespace {
/// Of a parameter: its chirt_kernel_param, the number of an argument or an
/// axis, and an axis of that argument.
struct ParamDescription {
  int32_t kind, number, axis;
};

ParamDescription describeParam(const chirt_device_code *code, int64_t k) {
  ParamDescription param;
  memcpy(&param, code->words + 3 * k, sizeof(param));
  return param;
}

int64_t countOf(const chirt_domain *domain, int32_t axis) {
  int64_t from = domain->from[axis], to = domain->to[axis];
  return to > from ? to - from : 0; // empty ones may lie further apart
}

int64_t strideOf(const chirt_field *field, int32_t axis) {
  return axis == CHIRT_OFFSET_IN_BASE         ? field->offset
         : axis == CHIRT_STRIDE_OF_COMPONENTS ? field->component_stride
                                              : field->strides[axis];
}

int64_t wordAt(ParamDescription param, const KernelLaunch &launch) {
  auto field = [&] {
    return reinterpret_cast<const chirt_field *>(launch.words[param.number]);
  };
  switch (chirt_kernel_param(param.kind)) {
  case CHIRT_KERNEL_PARAM_DATA:
    // A field of which the task uses the extents alone has no copy there.
    return !field() || field()->device
               ? 0
               : reinterpret_cast<int64_t>(param.axis == CHIRT_DATA_OF_BASE
                                               ? dataOfBase(field())
                                               : field()->data);
  case CHIRT_KERNEL_PARAM_EXTENT:
    return field() ? field()->extents[param.axis] : 0;
  case CHIRT_KERNEL_PARAM_SCALAR:
    return launch.words[param.number];
  case CHIRT_KERNEL_PARAM_FROM:
    return launch.domain->from[param.number];
  case CHIRT_KERNEL_PARAM_COUNT:
    return countOf(launch.domain, param.number);
  case CHIRT_KERNEL_PARAM_SEED:
    return int64_t(chirt_seed);
  case CHIRT_KERNEL_PARAM_FAILURES:
    return launch.failures.count;
  case CHIRT_KERNEL_PARAM_RECORDS:
    return launch.failures.records;
  case CHIRT_KERNEL_PARAM_PARTIALS:
    return launch.partials + param.number * reductionBlocks(launch.iterations);
  case CHIRT_KERNEL_PARAM_NUM_PARTIALS:
    return launch.numPartials;
  case CHIRT_KERNEL_PARAM_STRIDE:
    return launch.stride;
  case CHIRT_KERNEL_PARAM_FIRST:
    return launch.first;
  case CHIRT_KERNEL_PARAM_LAST:
    return launch.last;
  case CHIRT_KERNEL_PARAM_LOG_SIZE:
    return launch.logSize;
  case CHIRT_KERNEL_PARAM_LOG:
    return launch.log;
  case CHIRT_KERNEL_PARAM_ARENA:
    return launch.arena;
  case CHIRT_KERNEL_PARAM_RESUME:
    return launch.resume;
  case CHIRT_KERNEL_PARAM_RESTARTED:
    return launch.goesOn;
  case CHIRT_KERNEL_PARAM_ENDED:
    return launch.failures.count + int64_t(sizeof(int32_t));
  case CHIRT_KERNEL_PARAM_PROBE_ITERATIONS:
    return launch.probeIterations;
  case CHIRT_WORD_FIELD_STRIDE:
    if (!field())
      return 0;
    return strideOf(field(), param.axis);
  }
  return 0;
}

/// Are all ends of axes, and the product of the extents with `factor`, as small
/// as kernels for small launches take them?
template <typename Axes> bool isSmall(int64_t factor, int32_t rank, Axes axis) {
  constexpr int64_t kMost = CHIRT_SMALL_NUMBERS;
  int64_t product = factor;
  for (int32_t k = 0; k < rank; ++k) {
    auto [from, to] = axis(k);
    if (from < -kMost || from > kMost || to < -kMost || to > kMost)
      return false;
    int64_t extent = to > from ? to - from : 0;
    if (extent > kMost || __builtin_mul_overflow(product, extent, &product))
      return false;
  }
  return product <= kMost;
}

struct Ends {
  int64_t from, to;
};

bool isSmall(const chirt_field *field) {
  // Offsets of a view go as far as those of its base.
  if (field->base)
    return isSmall(field->base);
  return isSmall(componentsOf(field), field->rank,
                 [&](int32_t axis) { return Ends{0, field->extents[axis]}; });
}

bool isSmall(const KernelLaunch &launch) {
  const chirt_task *task = launch.task;
  const chirt_domain *domain = launch.domain;
  if (!isSmall(1, task->rank, [&](int32_t axis) {
        return Ends{domain->from[axis], domain->to[axis]};
      }))
    return false;
  for (int32_t k = 0; k < task->num_arguments; ++k) {
    auto *field = reinterpret_cast<const chirt_field *>(launch.words[k]);
    if (task->arguments[k].is_field && field && !isSmall(field))
      return false;
  }
  return true;
}
} // namespace

const chirt_device_code *codeFor(const chirt_device_code *code,
                                 const KernelLaunch &launch) {
  return code && code->large && !isSmall(launch) ? code->large : code;
}

int64_t iterationsOf(const chirt_task *task, const chirt_domain *domain) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < task->rank; ++axis)
    count *= countOf(domain, axis);
  return count;
}

int64_t reductionBlocks(int64_t iterations) {
  return (iterations + CHIRT_REDUCTION_BLOCK - 1) / CHIRT_REDUCTION_BLOCK;
}

void beginJoin(KernelLaunch &launch, const chirt_device_code *code) {
  launch.numPartials = reductionBlocks(launch.iterations) *
                       (CHIRT_REDUCTION_BLOCK / code->per_thread);
  launch.stride = 1;
}

int64_t joinBlocks(const KernelLaunch &launch) {
  return (launch.numPartials + CHIRT_JOIN - 1) / CHIRT_JOIN;
}

bool goOnJoining(KernelLaunch &launch) {
  launch.numPartials = joinBlocks(launch);
  launch.stride *= CHIRT_JOIN;
  return launch.numPartials > 1;
}

int64_t failedIteration(const KernelLaunch &launch) {
  const chirt_record *record = leastRecord();
  if (!record || record->num_axes == 0)
    return INT64_MAX;
  int64_t number = 0;
  for (int32_t axis = 0; axis < record->num_axes; ++axis)
    number = number * countOf(launch.domain, axis) + record->iteration[axis] -
             launch.domain->from[axis];
  return number;
}

// A thread has room for four times what its code says: tapes grow.
int64_t arenaBlocks(const chirt_device_code *code, int64_t blocks,
                    int64_t threads) {
  constexpr int64_t kMostBytes = int64_t(256) << 20;
  int64_t most = kMostBytes / (4 * code->arena_bytes * threads);
  most = most > 1 ? most : 1;
  return blocks < most ? blocks : most;
}

int64_t arenaBytes(const chirt_device_code *code, int64_t threads) {
  return CHIRT_ARENA_UNIT + 4 * code->arena_bytes * threads;
}

ArenaHeader::ArenaHeader(int64_t bytes) {
  words[CHIRT_ARENA_USED] = 1;
  words[CHIRT_ARENA_SIZE] = int32_t(uint32_t(bytes / CHIRT_ARENA_UNIT));
}

chirt_device_codes codesOf(const chirt_task *task) {
  auto *codes = static_cast<const chirt_device_codes *>(task->device_code);
  return codes ? *codes : chirt_device_codes();
}

bool takesParam(const chirt_device_code *code, chirt_kernel_param kind) {
  for (int64_t k = 0; k < code->num_words; ++k)
    if (describeParam(code, k).kind == kind)
      return true;
  return false;
}

bool mayFail(const chirt_device_code *code) {
  return takesParam(code, CHIRT_KERNEL_PARAM_FAILURES);
}

void fillKernelParams(const chirt_device_code *code, const KernelLaunch &launch,
                      int64_t *to) {
  for (int64_t k = 0; k < code->num_words; ++k)
    to[k] = wordAt(describeParam(code, k), launch);
}

void keepFailures(const chirt_device_code *code, int64_t begin, int64_t step,
                  const chirt_record *records, int32_t count) {
  if (step != 0) // messages count as the source does
    chirt_loop_values(begin, step);
  int32_t kept = count < CHIRT_MAX_RECORDS ? count : CHIRT_MAX_RECORDS;
  for (int32_t k = 0; k < kept; ++k)
    keepRecord(code->unit, records[k], "");
  if (count > CHIRT_MAX_RECORDS)
    noteMoreFailures();
}

} // namespace chirt
