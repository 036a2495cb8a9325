//===- Save.cpp - A checkpoint is written ---------------------------------===//
#include "chirt/checkpoint/Bits.h"
#include "chirt/checkpoint/Commit.h"
#include "chirt/checkpoint/Json.h"
#include "chirt/checkpoint/Plan.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include "chirt/field/FieldDescription.h"
#include "chirt/field/Views.h"
#include "chirt/io/Npz.h"
#include "chirt/support/Memory.h"
#include "chirt/support/Random.h"
#include "chirt/text/Output.h"

namespace chirt {

namespace {
/// One value that the program gave.
struct Value {
  enum Kind : int8_t { Scalar, Str, Handle, Memory } kind;
  const char *name;
  int32_t dtype;
  int64_t bits; ///< of a scalar; of memory, the number of scalars
  const void *pointer;
};

/// A field that is no view, and the member that has its elements.
struct Member {
  const chirt_field *field;
  const char *name; ///< of the first variable that has it or a view of it
  bool isView;      ///< that variable has a view
};

/// The compiler gives the line of the loop under this name.
constexpr char kLineName[] = "head:line";

/// The checkpoint that is being taken.
struct Taking {
  int32_t loop = 0;
  int32_t line = 0; ///< of the loop; 0: not known
  Array<Value> values;
  Array<Member> members;
  Text state;            ///< what is no array, as JSON
  bool isCopied = false; ///< fields and arrays are copies
};
[[clang::no_destroy]] constinit Taking taking;

void appendName(Text &out, const Member &member) {
  out << member.name << (member.isView ? ":all" : "");
}

/// The member of the field whose memory `field` has; a new one if there is none
/// yet. Variables that have the field itself name it before views of it do.
const Member &memberOf(const chirt_field *field, const char *name) {
  const chirt_field *base = baseOf(field);
  for (const Member &member : taking.members)
    if (member.field == base)
      return member;
  taking.members.push({base, name, base != field});
  return taking.members.back();
}

void findMembers() {
  taking.members.clear();
  for (bool takesViews : {false, true})
    for (const Value &value : taking.values) {
      auto *field = static_cast<const chirt_field *>(value.pointer);
      if (value.kind == Value::Handle && field &&
          (field->base != nullptr) == takesViews)
        memberOf(field, value.name);
    }
}

/// "512x?" without unknowns.
void appendExtents(Text &out, int rank, const int64_t *extents) {
  for (int k = 0; k < rank; ++k)
    out << (k ? "x" : "") << static_cast<long long>(extents[k]);
}

void describeMembers(JsonWriter &json) {
  json.begin("fields");
  for (const Member &member : taking.members) {
    Text name, type, shape;
    appendName(name, member);
    appendDescription(type, member.field);
    appendExtents(shape, member.field->rank, member.field->extents);
    json.begin(name);
    json.add("type", type);
    json.add("shape", shape);
    if (member.field->grad)
      json.add("gradient", "saved");
    json.end();
  }
  json.end();
}

void describeHandle(JsonWriter &json, const Value &value) {
  auto *field = static_cast<const chirt_field *>(value.pointer);
  if (!field)
    return json.addNull(value.name);
  Text name;
  appendName(name, memberOf(field, value.name));
  if (!field->base)
    return json.add(value.name, name);
  Text shape, strides, offset;
  appendExtents(shape, field->rank, field->extents);
  appendExtents(strides, field->rank, field->strides);
  offset << static_cast<long long>(field->offset);
  json.begin(value.name);
  json.add("view of", name);
  json.add("shape", shape);
  json.add("strides", strides);
  json.add("offset", offset);
  json.end();
}

void describeValue(JsonWriter &json, const Value &value) {
  Text text;
  switch (value.kind) {
  case Value::Scalar:
    appendScalar(text, value.dtype, value.bits);
    return json.add(value.name, text);
  case Value::Str: {
    auto *str = static_cast<const char *>(value.pointer);
    if (!str)
      return json.addNull(value.name);
    text << "str " << str;
    return json.add(value.name, text);
  }
  case Value::Handle:
    return describeHandle(json, value);
  case Value::Memory:
    text << "array " << value.name;
    return json.add(value.name, text);
  }
}

void addNumber(JsonWriter &json, std::string_view name, uint64_t number) {
  Text text;
  appendScalar(text, CHIRT_U64, int64_t(number));
  json.add(name, text);
}

void describeRun(JsonWriter &json) {
  const CheckpointPlan &plan = checkpointPlan();
  json.add("format", "chi checkpoint 1");
  json.add("file", plan.program->file);
  json.add("program", plan.identity);
  addNumber(json, "loop", uint64_t(taking.loop));
  RandomState random = randomState();
  json.begin("random");
  addNumber(json, "seed", random.seed);
  addNumber(json, "ordinal", random.ordinal);
  addNumber(json, "drawn", random.drawn);
  json.end();
  double now = chirt_time_now();
  int64_t bits = 0;
  memcpy(&bits, &now, sizeof(now));
  Text clock;
  appendScalar(clock, CHIRT_F64, bits);
  json.add("clock", clock);
  json.begin("params");
  for (int k = 0; k < plan.program->num_params; ++k) {
    Text text;
    appendParam(text, plan.program->params[k]);
    json.add(plan.program->params[k].name, text);
  }
  json.end();
}

void describe(Text &out) {
  JsonWriter json;
  describeRun(json);
  describeMembers(json);
  json.begin("values");
  for (const Value &value : taking.values)
    describeValue(json, value);
  json.end();
  out.clear();
  out << json.finish();
}

/// Writes all members; false after an error, which the writer keeps.
bool writeMembers(NpzWriter &file) {
  bool isGood = file.addBytes("state.json", taking.state);
  for (const Member &member : taking.members) {
    Text name;
    appendName(name, member);
    isGood = isGood && file.add(name, member.field);
    name << ".grad";
    if (member.field->grad)
      isGood = isGood && file.add(name, member.field->grad);
  }
  for (const Value &value : taking.values)
    if (value.kind == Value::Memory)
      isGood = isGood &&
               file.add(value.name, value.dtype, 1, &value.bits, value.pointer);
  return isGood;
}

int64_t bytesOfFields() {
  int64_t bytes = 0;
  for (const auto &[field, name, isView] : taking.members)
    bytes += field->bytes + (field->grad ? field->grad->bytes : 0);
  return bytes;
}

void *copyOf(const void *memory, size_t bytes) {
  void *copy = malloc(bytes ? bytes : 1);
  if (!copy)
    outOfMemory();
  return bytes ? memcpy(copy, memory, bytes) : copy;
}

/// A field with the values of another one in host memory, for `writeMembers`
/// only.
chirt_field *copyOf(const chirt_field *field) {
  const char *data = hostCopy(field);
  auto *copy = static_cast<chirt_field *>(copyOf(field, sizeof(*field)));
  copy->data = copyOf(data, size_t(field->bytes));
  copy->grad = field->grad ? copyOf(field->grad) : nullptr;
  return copy;
}

void release(const chirt_field *copy) {
  if (copy->grad)
    release(copy->grad);
  free(copy->data);
  free(const_cast<chirt_field *>(copy));
}

/// From now on the program may change what is to be written. Called when the
/// values are described, since that compares addresses of fields.
void copyValues() {
  for (Member &member : taking.members)
    member.field = copyOf(member.field);
  for (Value &value : taking.values)
    if (value.kind == Value::Memory)
      value.pointer = copyOf(
          value.pointer, size_t(value.bits) * size_t(scalarBytes(value.dtype)));
  taking.isCopied = true;
}

void giveBack() {
  if (taking.isCopied) {
    for (const Member &member : taking.members)
      release(member.field);
    for (const Value &value : taking.values)
      if (value.kind == Value::Memory)
        free(const_cast<void *>(value.pointer));
  }
  taking.isCopied = false;
  taking.members.clear();
  taking.values.clear();
}

/// Whether the values can be copied: only the strides of a field say where
/// foreign memory lies.
bool canCopy(int64_t bytes) {
  for (const Member &member : taking.members)
    if (member.field->is_strided)
      return false;
  if (uint64_t(bytes) >= freeMemory() / 2)
    return false;
  void *room = malloc(size_t(bytes) + 1); // there may be a limit of the process
  free(room);
  return room != nullptr;
}

/// False after a failure; all else is given back. The last checkpoint of a run
/// is written when this returns; others are copied, if there is memory, and
/// written while the run goes on.
bool writeCheckpoint() {
  CommitPlan plan = {checkpointPlan().path.c_str(), 0, chirt_time_now(),
                     writeMembers, giveBack};
  findMembers();
  plan.bytes = bytesOfFields();
  describe(taking.state);
  bool isHere = endsAtCheckpoint() || !canCopy(plan.bytes);
  if (!isHere)
    copyValues();
  startCommit(plan, isHere);
  return !isHere || awaitCommit();
}

} // namespace

} // namespace chirt

using namespace chirt;

void chirt_checkpoint_begin(int32_t loop) {
  chirt_sync();
  flushOut();
  finishCheckpoint();
  taking.loop = loop;
  taking.line = 0;
  taking.values.clear();
}

void chirt_checkpoint_scalar(const char *name, int32_t dtype, int64_t bits) {
  if (strcmp(name, kLineName) == 0)
    taking.line = int32_t(bits);
  taking.values.push({Value::Scalar, name, dtype, bits, nullptr});
}

void chirt_checkpoint_str(const char *name, const char *text) {
  taking.values.push({Value::Str, name, CHIRT_STR, 0, text});
}

void chirt_checkpoint_field(const char *name, const chirt_field *field) {
  taking.values.push({Value::Handle, name, 0, 0, field});
}

void chirt_checkpoint_memory(const char *name, int32_t dtype, int64_t count,
                             const void *memory) {
  taking.values.push({Value::Memory, name, dtype, count, memory});
}

/// Steps under guards of their own: a full disk does not end a long run.
static void writeOrLeave(void *) {
  if (!writeCheckpoint())
    leave();
}

static void awaitOrLeave(void *) {
  if (!awaitCommit())
    leave();
}

static bool runStep(void (*step)(void *)) {
  bool isGood = chirt_guard(step, nullptr) == 0;
  if (!isGood && !endsAtCheckpoint())
    writeError("checkpoint: not written; the run goes on\n");
  return isGood;
}

/// Where the run ends, and why.
static void tellEnd(const char *reason) {
  Text line;
  line << "checkpoint: the run ends at the head of the loop at "
       << checkpointPlan().program->file;
  if (taking.line)
    line << ':' << static_cast<long long>(taking.line);
  line << " (" << reason << ")\n";
  writeError(line);
}

void chirt::finishCheckpoint() { runStep(awaitOrLeave); }

void chirt_checkpoint_end(void) {
  bool isGood = runStep(writeOrLeave);
  const char *reason = endsAtCheckpoint();
  if (reason && isGood)
    tellEnd(reason);
  if (reason)
    chirt_exit(isGood ? 75 : WorldFault);
  restartInterval();
}
