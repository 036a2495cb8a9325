//===- Tasks.cpp - Checks, random numbers, text ---------------------------===//

#include "chi/Interp/Code.h"
#include "chi/Interp/Floats.h"

using namespace mlir;
using namespace chi;
using namespace chi::interp;

namespace {
struct CheckExtra {
  const chirt_site *site;
  chirt_unit unit; ///< of that site alone
  std::vector<Register> values;
  std::vector<Type> types;
  std::vector<bool> isUnsigned;
  size_t numShown = 0; ///< values before those of the message
  const struct TextExtra *message = nullptr;
};
/// One value, or a stretch of text, of a format.
struct TextPart {
  std::string text, spec;
  std::vector<Register> values;
  int32_t dtype = 0, rank = 0, rows = 1, columns = 1;
  unsigned bytes = 0;
  bool isText = false, isField = false;
  std::vector<std::string> texts; ///< a str is the number of one of them
};
struct TextExtra {
  std::vector<TextPart> parts;
};
} // namespace

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void gather(Frame &f, const TextExtra &extra) {
  std::vector<char> &memory = f.machine->packed;
  for (const TextPart &part : extra.parts) {
    if (part.isText) {
      chirt_fmt_text(part.text.data(), int64_t(part.text.size()));
      continue;
    }
    if (part.isField) {
      chirt_fmt_field(
          reinterpret_cast<const chirt_field *>(f.r[part.values[0]]));
      continue;
    }
    if (part.dtype == CHIRT_STR) {
      uint64_t value = f.r[part.values[0]];
      chirt_fmt_str(part.texts.empty() ? reinterpret_cast<const char *>(value)
                                       : part.texts[uint32_t(value)].c_str(),
                    part.spec.c_str());
      continue;
    }
    memory.resize(part.values.size() * part.bytes);
    for (size_t k = 0; k < part.values.size(); ++k)
      std::memcpy(memory.data() + k * part.bytes, &f.r[part.values[k]],
                  part.bytes);
    chirt_fmt_value(part.dtype, part.rank, part.rows, part.columns,
                    memory.data(), part.spec.c_str());
  }
}

static void print(Frame &f, const Instr &i) {
  gather(f, *static_cast<const TextExtra *>(i.extra));
  chirt_fmt_print();
}
static void format(Frame &f, const Instr &i) {
  gather(f, *static_cast<const TextExtra *>(i.extra));
  f.r[i.dst] = uint64_t(chirt_fmt_take());
}

static int32_t dtypeByName(StringRef name) {
  static constexpr const char *names[] = {"bool", "i8",  "i16", "i32", "i64",
                                          "u8",   "u16", "u32", "u64", "f16",
                                          "bf16", "f32", "f64", "str"};
  for (auto [code, known] : llvm::enumerate(names))
    if (name == known)
      return int32_t(code);
  llvm_unreachable("verified type name");
}

static TextExtra *textExtra(Translator &t, ArrayAttr parts,
                            ArrayRef<Value> values) {
  auto *extra = t.extra<TextExtra>();
  size_t next = 0;
  for (Attribute attr : parts) {
    TextPart part;
    if (auto text = dyn_cast<StringAttr>(attr)) {
      part.isText = true;
      part.text = text.getValue().str();
      extra->parts.push_back(part);
      continue;
    }
    auto value = cast<DictionaryAttr>(attr);
    StringRef type = value.getAs<StringAttr>("type").getValue();
    part.isField = type == "field";
    part.dtype = part.isField ? 0 : dtypeByName(type);
    if (auto texts = value.getAs<ArrayAttr>(ir::kTextsAttr))
      for (Attribute text : texts)
        part.texts.push_back(cast<StringAttr>(text).getValue().str());
    part.spec = value.getAs<StringAttr>("spec").getValue().str();
    int64_t count = 1;
    auto shape = value.getAs<DenseI64ArrayAttr>("shape").asArrayRef();
    for (int64_t extent : shape)
      count *= extent;
    part.rank = int32_t(shape.size());
    part.rows = shape.empty() ? 1 : int32_t(shape[0]);
    part.columns = shape.empty() ? 1 : int32_t(count / shape[0]);
    for (int64_t k = 0; k < count; ++k) {
      Value operand = values[next++];
      part.values.push_back(t.reg(operand));
      if (operand.getType().isIntOrFloat())
        part.bytes = byteSize(operand.getType());
    }
    extra->parts.push_back(part);
  }
  return extra;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static void check(Frame &f, const Instr &i) {
  if (f.r[i.a] & 1)
    return;
  auto &extra = *static_cast<const CheckExtra *>(i.extra);
  int64_t values[8] = {};
  for (size_t k = 0; k < extra.numShown && k < 8; ++k) {
    uint64_t raw = f.r[extra.values[k]];
    Type type = extra.types[k];
    unsigned bits = type.getIntOrFloatBitWidth();
    if (isa<FloatType>(type)) {
      double real = withFloat(widthOf(type), [&](auto zero) {
        using T = decltype(zero);
        return double(Computed<T>(fromBits<T>(raw)));
      });
      values[k] = int64_t(toBits(real));
    } else {
      values[k] = extra.isUnsigned[k] ? int64_t(raw) : signExtend(raw, bits);
    }
  }
  if (extra.message)
    gather(f, *extra.message);
  if (!f.task)
    chirt_raise(extra.site, values);
  chirt_fail(&extra.unit, 0, values, f.iteration);
  f.machine->leaveLaunch();
}

/// The innermost place of the source in a location.
static FileLineColRange positionOf(Location loc) {
  if (auto range = dyn_cast<FileLineColRange>(loc))
    return range;
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return positionOf(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (FileLineColRange position = positionOf(part))
        return position;
  if (auto name = dyn_cast<NameLoc>(loc))
    return positionOf(name.getChildLoc());
  return {};
}

const chirt_site *interp::makeSite(Translator &t, Location loc, int32_t kind,
                                   StringRef what, int32_t axis,
                                   ArrayRef<uint8_t> types) {
  Machine &machine = t.machine;
  chirt_site &site = machine.sites.emplace_back();
  site = {};
  site.format = -1;
  site.file = "";
  if (FileLineColRange position = positionOf(loc)) {
    site.file = machine.keep(position.getFilename().getValue());
    site.line = int32_t(position.getStartLine());
    site.column = int32_t(position.getStartColumn());
    site.end_column = position.getEndLine() == position.getStartLine()
                          ? int32_t(position.getEndColumn())
                          : site.column + 1;
  }
  site.kind = kind;
  site.what = machine.keep(what);
  site.axis = axis;
  site.num_values = int32_t(types.size());
  machine.bytes.emplace_back(types.begin(), types.end());
  site.value_types = machine.bytes.back().data();
  if (t.task) {
    site.kernel = machine.keep(t.task->kernel);
    site.num_axes = int32_t(t.task->rank);
    site.axes = machine.keep(t.task->axes);
  }
  return &site;
}

static CheckExtra *checkExtra(Translator &t, ir::CheckOp op) {
  auto *extra = t.extra<CheckExtra>();
  ArrayAttr parts = op.getPartsAttr();
  size_t numMessage = 0;
  if (parts)
    for (Attribute part : parts)
      if (auto value = dyn_cast<DictionaryAttr>(part)) {
        size_t count = 1;
        for (int64_t extent :
             value.getAs<DenseI64ArrayAttr>("shape").asArrayRef())
          count *= size_t(extent);
        numMessage += count;
      }
  std::vector<Value> operands(op.getValues().begin(), op.getValues().end());
  extra->numShown = operands.size() - numMessage;
  bool isUnsigned = op.getIsUnsigned();
  std::vector<uint8_t> types;
  for (size_t k = 0; k < extra->numShown; ++k) {
    extra->values.push_back(t.reg(operands[k]));
    extra->types.push_back(operands[k].getType());
    extra->isUnsigned.push_back(isUnsigned);
    types.push_back(uint8_t(ir::dtypeOf(operands[k].getType(), isUnsigned)));
  }
  if (parts)
    extra->message = textExtra(
        t, parts, ArrayRef<Value>(operands).drop_front(extra->numShown));
  extra->site = makeSite(t, op.getLoc(), int32_t(op.getKind()), op.getWhat(),
                         int32_t(op.getAxis()), types);
  extra->unit = {extra->site, nullptr, 1, 0};
  return extra;
}

/// For run-time calls that can fail.
const chirt_site *callSite(Translator &t, Operation *op, StringRef what) {
  return makeSite(t, op->getLoc(), CHIRT_SITE_CALL, what, 0, {});
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

/// One block of Philox 4x32-10 (Salmon et al., SC 2011): the low two words.
static uint64_t philox(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3,
                       uint32_t k0, uint32_t k1) {
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = uint64_t(0xD2511F53u) * c0;
    uint64_t p1 = uint64_t(0xCD9E8D57u) * c2;
    uint32_t n0 = uint32_t(p1 >> 32) ^ c1 ^ k0;
    uint32_t n2 = uint32_t(p0 >> 32) ^ c3 ^ k1;
    c1 = uint32_t(p1), c3 = uint32_t(p0), c0 = n0, c2 = n2;
    k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
  }
  return c0 | uint64_t(c1) << 32;
}

namespace {
struct RandomExtra {
  Register ordinal, launch, iteration, draw;
  uint32_t loop;
};
} // namespace

static void random(Frame &f, const Instr &i) {
  auto &extra = *static_cast<const RandomExtra *>(i.extra);
  uint64_t iteration = f.r[extra.iteration];
  uint32_t draw = uint32_t(f.r[extra.draw]);
  f.r[i.dst] =
      philox(uint32_t(iteration), draw + (uint32_t(iteration >> 32) << 20),
             uint32_t(f.r[extra.ordinal]), uint32_t(f.r[extra.launch]),
             uint32_t(chirt_seed),
             uint32_t(chirt_seed >> 32) + extra.loop * 0x9E3779B9u);
}

static void ordinal(Frame &f, const Instr &i) {
  f.r[i.dst] = chirt_next_ordinal();
}

static void iteration(Frame &f, const Instr &i) {
  f.r[i.dst] = uint64_t(f.linear);
}

//===----------------------------------------------------------------------===//
// Translation
//===----------------------------------------------------------------------===//

static void noteKink(Frame &, const Instr &i) {
  chirt_note_kink(static_cast<const chirt_site *>(i.extra));
}

bool Translator::translateTask(Operation *op, Code &code) {
  if (isa<ir::LaunchOp, ir::CellOp>(op))
    return translateLaunch(op, code);
  if (auto typed = dyn_cast<ir::CheckOp>(op)) {
    auto *made = checkExtra(*this, typed);
    Register ok = reg(typed.getOk());
    Instr &instr = emit(code, check);
    instr.a = ok, instr.extra = made;
    return true;
  }
  if (auto typed = dyn_cast<ir::NoteKinkOp>(op)) {
    emit(code, noteKink).extra =
        makeSite(*this, op->getLoc(), CHIRT_SITE_CALL, typed.getWhat(), 0, {});
    return true;
  }
  if (auto typed = dyn_cast<ir::PrintOp>(op)) {
    std::vector<Value> values(typed.getValues().begin(),
                              typed.getValues().end());
    emit(code, print).extra = textExtra(*this, typed.getParts(), values);
    return true;
  }
  if (auto typed = dyn_cast<ir::FormatOp>(op)) {
    std::vector<Value> values(typed.getValues().begin(),
                              typed.getValues().end());
    auto *made = textExtra(*this, typed.getParts(), values);
    Register dst = reg(typed.getResult());
    Instr &instr = emit(code, format);
    instr.dst = dst, instr.extra = made;
    return true;
  }
  if (auto typed = dyn_cast<ir::RandomOp>(op)) {
    if (!typed.getLoop())
      return false;
    function.draws |= task != nullptr;
    auto *made = extra<RandomExtra>();
    *made = {reg(typed.getOrdinal()), reg(typed.getLaunchIndex()),
             reg(typed.getIteration()), reg(typed.getDraw()),
             uint32_t(*typed.getLoop())};
    Register dst = reg(typed.getBits());
    Instr &instr = emit(code, random);
    instr.dst = dst, instr.extra = made;
    return true;
  }
  if (isa<ir::OrdinalOp, ir::IterationOp>(op)) {
    Register dst = reg(op->getResult(0));
    emit(code, isa<ir::OrdinalOp>(op) ? ordinal : iteration).dst = dst;
    return true;
  }
  return false;
}
