//===- Kernels.cpp - The tasks of the cases, for each device --------------===//
#include "Cts.h"
#include "chirt/device_code.h"
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

using namespace chirt;
using namespace cts;

namespace {
float *floats(int64_t word) {
  return static_cast<float *>(reinterpret_cast<chirt_field *>(word)->data);
}

const uint8_t valueTypes[] = {CHIRT_I64, CHIRT_I64};
const chirt_site outside = {"cts.chi", 3,  9,  15,         CHIRT_SITE_BOUNDS,
                            "x",       0,  2,  valueTypes, "scatter",
                            1,         -1, "i"};
const chirt_unit unit = {&outside, nullptr, 1, 0};

void axpyHere(const chirt_task *, const int64_t *words,
              const chirt_domain *domain) {
  float a;
  memcpy(&a, &words[2], sizeof(a));
  for (int64_t i = domain->from[0]; i < domain->to[0]; ++i) {
    floats(words[0])[i] += a * floats(words[1])[i];
    floats(words[3])[i] = floats(words[1])[i];
  }
}

void scatterHere(const chirt_task *, const int64_t *words,
                 const chirt_domain *domain) {
  auto *x = reinterpret_cast<chirt_field *>(words[1]);
  auto *at = static_cast<const int32_t *>(
      reinterpret_cast<chirt_field *>(words[0])->data);
  for (int64_t i = domain->from[0]; i < domain->to[0]; ++i) {
    int64_t values[] = {at[i], x->extents[0]};
    if (values[0] < 0 || values[0] >= values[1])
      chirt_fail(&unit, 0, values, &i);
    else
      floats(words[1])[at[i]] = 7;
  }
}

/// A kernel for one kind of device.
struct Code {
  std::vector<char> image;
  std::string entry;
  chirt_device_code code = {};

  void read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    image.assign(std::istreambuf_iterator<char>(file), {});
  }
  void fill(const int32_t *words, int64_t count) {
    code.name = entry.c_str();
    code.words = words;
    code.num_words = count;
    code.image = image.data();
    code.image_bytes = int64_t(image.size());
    code.unit = &unit;
    code.per_thread = 1;
  }
};

/// A kernel as SPIR-V and as PTX; the words are those of Inputs/kernels.chi.
struct Kernel {
  Code vulkan, cuda;
  chirt_device_codes codes = {&vulkan.code, &cuda.code};

  Kernel(const std::string &name, const int32_t *words, int64_t count) {
    vulkan.entry = name + ".t0";
    vulkan.read(CTS_KERNELS "/" + name + ".spv");
    vulkan.fill(words, count);
    cuda.entry = name + "$t0";
    cuda.read(CTS_SOURCES "/" + name + ".ptx");
    cuda.image.push_back('\0');
    cuda.fill(words, count);
  }
  Kernel(const Kernel &) = delete;
};

chirt_task makeTask(const char *name, const chirt_argument *arguments,
                    int32_t count, decltype(chirt_task::entry) entry,
                    const Kernel &kernel) {
  chirt_task task = {};
  task.version = CHIRT_TASK_VERSION;
  task.rank = 1;
  task.num_arguments = count;
  task.name = name;
  task.site = &outside;
  task.arguments = arguments;
  task.entry = entry;
  task.device_code = &kernel.codes;
  return task;
}
} // namespace

const chirt_task &cts::axpy() {
  static const chirt_argument arguments[] = {
      {CHIRT_F32, 1, 1, CHIRT_USE_READ | CHIRT_USE_WRITE},
      {CHIRT_F32, 1, 1, CHIRT_USE_READ},
      {CHIRT_F32, 0, 0, 0},
      {CHIRT_F32, 1, 1, CHIRT_USE_WRITE | CHIRT_USE_OVERWRITE}};
  static const int32_t words[] = {
      CHIRT_KERNEL_PARAM_DATA,   0, 0, CHIRT_KERNEL_PARAM_EXTENT, 0, 0,
      CHIRT_KERNEL_PARAM_DATA,   1, 0, CHIRT_KERNEL_PARAM_EXTENT, 1, 0,
      CHIRT_KERNEL_PARAM_SCALAR, 2, 0, CHIRT_KERNEL_PARAM_DATA,   3, 0,
      CHIRT_KERNEL_PARAM_EXTENT, 3, 0, CHIRT_KERNEL_PARAM_COUNT,  0, 0};
  static const Kernel kernel("axpy", words, 8);
  static const chirt_task task =
      makeTask("axpy.t0", arguments, 4, axpyHere, kernel);
  return task;
}

const chirt_task &cts::scatter() {
  static const chirt_argument arguments[] = {
      {CHIRT_I32, 1, 1, CHIRT_USE_READ}, {CHIRT_F32, 1, 1, CHIRT_USE_WRITE}};
  static const int32_t words[] = {
      CHIRT_KERNEL_PARAM_DATA,    0, 0, CHIRT_KERNEL_PARAM_EXTENT,   0, 0,
      CHIRT_KERNEL_PARAM_DATA,    1, 0, CHIRT_KERNEL_PARAM_EXTENT,   1, 0,
      CHIRT_KERNEL_PARAM_COUNT,   0, 0, CHIRT_KERNEL_PARAM_FAILURES, 0, 0,
      CHIRT_KERNEL_PARAM_RECORDS, 0, 0};
  static const Kernel kernel("scatter", words, 7);
  static const chirt_task task =
      makeTask("scatter.t0", arguments, 2, scatterHere, kernel);
  return task;
}

/// Null, or why there is no such device: sentences about one that is there, and
/// broken, begin with other words. Asked once: the texts live as long as the
/// process.
static const char *absence(const chirt_device *device) {
  static auto &known = *new std::map<const chirt_device *, chirt_device_facts>;
  auto [found, isNew] = known.try_emplace(device);
  chirt_device_facts &facts = found->second;
  if (isNew && device->describe && device->describe(0, &facts) != 0)
    facts.problem = nullptr;
  return facts.problem && std::string_view(facts.problem).starts_with("no ")
             ? facts.problem
             : nullptr;
}

void OnDevice::SetUp() {
  const std::string name = GetParam();
  device = findDevice(name.substr(0, name.find('_')).c_str());
  ASSERT_NE(device, nullptr) << name;
  if (const char *reason = absence(device))
    GTEST_SKIP() << name << ": " << reason;
  const char *problem = device->start ? device->start(0) : nullptr;
  ASSERT_EQ(problem, nullptr) << name << ": " << problem;
  settings().device = device;
}

void OnDevice::TearDown() {
  for (chirt_field *field : fields)
    chirt_field_release(field);
  settings().device = &cpuDevice;
}

chirt_field *OnDevice::make(const char *type, int64_t extent) {
  return fields.emplace_back(makeField(type, {extent}));
}

void OnDevice::drop(chirt_field *field) {
  fields.erase(std::find(fields.begin(), fields.end(), field));
  chirt_field_release(field);
}

static void launchOver(const chirt_task &task, const int64_t *words,
                       int64_t count) {
  chirt_domain domain = {};
  domain.to[0] = count;
  launchUnheard(&task, words, &domain);
}

void OnDevice::runAxpy(chirt_field *y, chirt_field *x, float a,
                       chirt_field *z) {
  int64_t words[] = {reinterpret_cast<int64_t>(y), reinterpret_cast<int64_t>(x),
                     0, reinterpret_cast<int64_t>(z)};
  memcpy(&words[2], &a, sizeof(a));
  launchOver(axpy(), words, y->extents[0]);
}

void OnDevice::runScatter(chirt_field *at, chirt_field *x) {
  int64_t words[] = {reinterpret_cast<int64_t>(at),
                     reinterpret_cast<int64_t>(x)};
  launchOver(scatter(), words, at->extents[0]);
}

const float *cts::seen(const chirt_field *field) {
  return reinterpret_cast<const float *>(hostCopy(field));
}

void cts::put(chirt_field *field, int64_t i, float value) {
  reinterpret_cast<float *>(hostCopyToUpdate(field))[i] = value;
}
