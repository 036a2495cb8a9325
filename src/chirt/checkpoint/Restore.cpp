//===- Restore.cpp - A checkpoint is read ---------------------------------===//
#include "chirt/checkpoint/Bits.h"
#include "chirt/checkpoint/Json.h"
#include "chirt/checkpoint/Plan.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Field.h"
#include "chirt/field/FieldDescription.h"
#include "chirt/field/Gradient.h"
#include "chirt/field/Making.h"
#include "chirt/field/Views.h"
#include "chirt/io/Npz.h"
#include "chirt/provenance/Record.h"
#include "chirt/support/Random.h"
#include "chirt/support/Settings.h"
#include "chirt/text/Output.h"
#include "chirt/text/Str.h"
#include <new>
#include <unistd.h>

namespace chirt {

namespace {
/// A field that was read, with a reference until the end.
struct Loaded {
  std::string_view member; ///< its text is the reader's
  chirt_field *field;
};

/// The file that the run goes on from.
struct Resumption {
  explicit Resumption(const char *path) : file(path) {}
  ~Resumption() {
    for (const Loaded &each : fields)
      chirt_field_release(each.field);
  }

  NpzReader file;
  JsonReader state;
  Array<Loaded> fields;
};
constinit Resumption *current = nullptr;

void forgetFile() { delete std::exchange(current, nullptr); }

const char *pathOf() { return checkpointPlan().resume.c_str(); }

bool refuse(const char *why) {
  return failAt(nullptr, WorldFault, "--resume: `%s` %s", pathOf(), why);
}

/// A second sentence where the checkpoint before this one is still there.
bool refuseDamaged() {
  Text previous, text;
  previous << pathOf() << ".previous";
  text << "is damaged, or no checkpoint";
  if (access(previous.c_str(), R_OK) == 0)
    text << "; `" << previous << "` is the one before it";
  return refuse(text.c_str());
}

bool readState() {
  if (int error = OpenFile(pathOf()).error())
    return failAt(nullptr, WorldFault, "--resume: `%s`: %s", pathOf(),
                  strerror(error));
  Text text;
  // What is wrong with a file is said in our words.
  bool wasSilent = silenceFailures(true);
  bool isGood = current->file.open(nullptr) &&
                current->file.loadBytes(nullptr, "state.json", text) &&
                current->state.read(text) &&
                current->state.text("format") == "chi checkpoint 1";
  silenceFailures(wasSilent);
  return isGood || refuseDamaged();
}

/// Reads a u64 that `describeRun` has written.
bool readCount(std::string_view text, int64_t &number) {
  return readScalar(text, CHIRT_U64, number);
}

/// Whether a list like "steps,dt" has the name.
bool isListed(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    size_t comma = list.find(',');
    if (slice(list, 0, comma) == name)
      return true;
    list = comma == list.npos ? std::string_view() : slice(list, comma + 1);
  }
  return false;
}

bool refuseParam(const char *name, std::string_view before,
                 std::string_view now) {
  Text text;
  text << "was written with " << name << " = " << before << ", and not " << now
       << "; --allow-change=" << name << " goes on with the new value";
  return refuse(text.c_str());
}

bool checkParams() {
  const CheckpointPlan &plan = checkpointPlan();
  for (int k = 0; k < plan.program->num_params; ++k) {
    const chirt_param &param = plan.program->params[k];
    std::string_view before = current->state.text("params", param.name);
    Text now;
    appendParam(now, param);
    bool isKnown = current->state.has("params", param.name);
    if (isKnown && before == now.view())
      continue;
    if (isKnown ? isListed(plan.mayChange, param.name) : plan.anyProgram) {
      noteOtherState(param.name);
      continue;
    }
    return refuseParam(param.name, isKnown ? before : "no value", now);
  }
  return true;
}

bool checkProgram() {
  const CheckpointPlan &plan = checkpointPlan();
  if (current->state.text("program") == plan.identity)
    return true;
  if (plan.anyProgram) {
    noteOtherState("program");
    return true;
  }
  return refuse("was written by a program of another text, or compiled with "
                "other options; --resume-anyway goes on if its values have the "
                "same names and types");
}

bool restoreRun(int32_t &loop) {
  const JsonReader &state = current->state;
  int64_t seed, ordinal, drawn, clock, number;
  if (!readCount(state.text("random", "seed"), seed) ||
      !readCount(state.text("random", "ordinal"), ordinal) ||
      !readCount(state.text("random", "drawn"), drawn) ||
      !readScalar(state.text("clock"), CHIRT_F64, clock) ||
      !readCount(state.text("loop"), number))
    return refuseDamaged();
  uint64_t given = chirt_seed;
  bool isNew = isListed(checkpointPlan().mayChange, "seed");
  if (given != 0 && given != uint64_t(seed) && !isNew) {
    Text before, now;
    before << static_cast<unsigned long long>(seed);
    now << static_cast<unsigned long long>(given);
    return refuseParam("seed", before, now);
  }
  if (number < 1 || number > checkpointPlan().loops)
    return refuse("goes on in a loop that this program does not have");
  if (isNew && given != uint64_t(seed))
    noteOtherState("seed");
  setRandomState(
      {isNew ? given : uint64_t(seed), uint32_t(ordinal), uint64_t(drawn)});
  double then;
  memcpy(&then, &clock, sizeof(then));
  settings().clockShift += then - chirt_time_now();
  loop = int32_t(number);
  return true;
}

/// False after a failure; all else is given back.
bool openCheckpoint(int32_t &loop) {
  current = static_cast<Resumption *>(malloc(sizeof(Resumption)));
  if (!current)
    outOfMemory();
  new (current) Resumption(pathOf());
  if (readState() && checkProgram() && checkParams() && restoreRun(loop))
    return true;
  forgetFile();
  return false;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool failValue(const char *name, const char *why) {
  Text text;
  text << "does not fit the program: " << why << " `" << name << "`";
  return refuse(text.c_str());
}

/// Reads "512x64"; returns how many numbers there are, or -1.
int readExtents(std::string_view text, int64_t *extents) {
  int count = 0;
  while (!text.empty()) {
    size_t end = text.find('x');
    if (count == CHIRT_MAX_RANK ||
        !readNumber(slice(text, 0, end), extents[count++]))
      return -1;
    text = end == text.npos ? std::string_view() : slice(text, end + 1);
  }
  return count;
}

/// Reads the field that a member holds, with its gradient. Null after a
/// failure.
chirt_field *loadMember(std::string_view member) {
  for (const Loaded &each : current->fields)
    if (each.member == member)
      return each.field;
  Text desc, gradient;
  desc << current->state.text("fields", member, "type");
  int64_t extents[CHIRT_MAX_RANK];
  int rank =
      readExtents(current->state.text("fields", member, "shape"), extents);
  FieldType type;
  if (rank < 0 || !parseFieldType(desc.c_str(), type))
    return refuseDamaged(), nullptr;
  chirt_field *field = makeField(nullptr, type, rank, extents);
  if (!field)
    return nullptr;
  current->fields.push({member, field});
  if (!current->file.loadInto(nullptr, member, field))
    return nullptr;
  if (!current->state.has("fields", member, "gradient"))
    return field;
  gradient << member << ".grad";
  chirt_field *adjoint = gradientOf(nullptr, field);
  return adjoint && current->file.loadInto(nullptr, gradient, adjoint)
             ? field
             : nullptr;
}

/// The view of a field, as `describeHandle` wrote it. Null after a failure.
chirt_field *loadView(const char *name) {
  const JsonReader &state = current->state;
  chirt_field *base = loadMember(state.text("values", name, "view of"));
  if (!base)
    return nullptr;
  chirt_field like = {};
  like.rank = readExtents(state.text("values", name, "shape"), like.extents);
  int strides =
      readExtents(state.text("values", name, "strides"), like.strides);
  if (like.rank < 0 || strides != like.rank ||
      !readNumber(state.text("values", name, "offset"), like.offset))
    return refuseDamaged(), nullptr;
  int64_t last =
      like.offset + (componentsOf(base) - 1) * base->component_stride;
  bool isEmpty = false;
  for (int k = 0; k < like.rank; ++k) {
    isEmpty |= like.extents[k] == 0;
    last += (like.extents[k] - 1) * like.strides[k];
  }
  if (!isEmpty &&
      (like.offset < 0 || last >= base->elements * componentsOf(base)))
    return refuseDamaged(), nullptr;
  return makeViewLike(&like, base);
}

/// Whether scalars of two types are the same in a variable's type, which does
/// not tell unsigned integers from others.
bool isAlike(int32_t a, int32_t b) {
  return scalarBytes(a) == scalarBytes(b) && isFloatType(a) == isFloatType(b) &&
         (a == CHIRT_BOOL) == (b == CHIRT_BOOL);
}

/// Whether a field has the type of a variable: `desc` and `shape` are those of
/// chirt_restored_field.
bool fits(const chirt_field *field, const char *desc, std::string_view shape) {
  FieldType type;
  if (!parseFieldType(desc, type) || !isAlike(type.dtype, field->dtype) ||
      type.elementRank != field->element_rank || type.rows != field->rows ||
      type.columns != field->columns)
    return false;
  int axis = 0;
  while (!shape.empty()) {
    size_t end = shape.find('x');
    std::string_view part = slice(shape, 0, end);
    int64_t extent = 0;
    if (axis == field->rank ||
        (part != "?" &&
         (!readNumber(part, extent) || extent != field->extents[axis])))
      return false;
    ++axis;
    shape = end == shape.npos ? std::string_view() : slice(shape, end + 1);
  }
  return axis == field->rank;
}
} // namespace

} // namespace chirt

using namespace chirt;

int32_t chirt_checkpoint_start(const char *program, int32_t loops) {
  CheckpointPlan &plan = checkpointPlan();
  if (!plan.isActive())
    return -1;
  plan.identity.clear();
  plan.identity << program;
  plan.loops = loops;
  if (plan.resume.empty())
    return 0;
  int32_t loop = 0;
  if (!openCheckpoint(loop))
    leave();
  Text line;
  line << "checkpoint: the run goes on from " << plan.resume << '\n';
  writeError(line);
  return loop;
}

int64_t chirt_restored_scalar(const char *name, int32_t dtype) {
  int64_t bits = 0;
  std::string_view text = current->state.text("values", name);
  if (!readScalar(text, dtype, bits)) {
    failValue(name, text.data() ? "another type has" : "it has no");
    leave();
  }
  return bits;
}

const char *chirt_restored_str(const char *name) {
  std::string_view text = current->state.text("values", name);
  if (text.starts_with("str "))
    return makeStr(slice(text, 4));
  if (text.data() || !current->state.has("values", name)) {
    failValue(name, text.data() ? "another type has" : "it has no");
    leave();
  }
  return nullptr;
}

/// A new reference to the field of a variable, or null after a failure. Sets
/// `isNull` if it had none.
static chirt_field *findField(const char *name, const char *desc,
                              const char *shape, bool &isNull) {
  const JsonReader &state = current->state;
  bool isView = state.has("values", name, "view of");
  std::string_view member = state.text("values", name);
  isNull = !isView && !member.data() && state.has("values", name);
  if (isNull)
    return nullptr;
  if (!isView && !member.data())
    return failValue(name, "it has no"), nullptr;
  chirt_field *field = isView ? loadView(name) : loadMember(member);
  if (!field)
    return nullptr;
  if (!isView)
    chirt_field_retain(field);
  if (fits(field, desc, shape))
    return field;
  chirt_field_release(field);
  return failValue(name, "another type or shape has"), nullptr;
}

chirt_field *chirt_restored_field(const char *name, const char *desc,
                                  const char *shape) {
  bool isNull = false;
  chirt_field *field = findField(name, desc, shape, isNull);
  if (!field && !isNull)
    leave();
  return field;
}

void chirt_restored_memory(const char *name, int32_t dtype, int64_t count,
                           void *memory) {
  FieldType type;
  type.dtype = dtype;
  type.elementRank = 1;
  type.rows = int32_t(count);
  if (!current->file.loadValue(nullptr, name, type, false, memory))
    leave();
}

void chirt_restored_end(void) { forgetFile(); }
