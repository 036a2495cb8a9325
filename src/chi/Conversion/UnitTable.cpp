//===- UnitTable.cpp - What the tasks of a unit can tell ------------------===//

#include "chi/Conversion/UnitTable.h"
#include "chi/Conversion/Text.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

static constexpr llvm::StringLiteral kUnit = "chi.unit";
static constexpr llvm::StringLiteral kSites = "chi.sites";
static constexpr llvm::StringLiteral kFormats = "chi.formats";

/// The number of an existing entry, or the next one.
static int32_t numberOf(llvm::MapVector<Attribute, int32_t> &known,
                        Attribute members) {
  return known.insert({members, int32_t(known.size())}).first->second;
}

int32_t UnitTable::siteNumber(Emitter &emit, const Site &site) {
  return numberOf(sites, siteMembers(emit, site));
}

/// A constant whose members are given as attributes.
static void makeGlobal(OpBuilder &builder, StringRef name, Type type,
                       ArrayAttr members) {
  auto global = LLVM::GlobalOp::create(
      builder, UnknownLoc::get(builder.getContext()), type,
      /*isConstant=*/true, LLVM::Linkage::Internal, name, Attribute());
  global->setDiscardableAttr(ir::kMembersAttr, members);
}

static StringRef textOf(DictionaryAttr part, StringRef name) {
  auto text = part.getAs<StringAttr>(name);
  return text ? text.getValue() : StringRef();
}

/// The texts that an integer numbers, as an array of their addresses.
static Attribute choicesOf(Emitter &emit, ArrayAttr texts) {
  SmallVector<Attribute> members;
  std::string content;
  for (Attribute text : texts) {
    members.push_back(textSymbol(emit, cast<StringAttr>(text).getValue()));
    content += cast<FlatSymbolRefAttr>(members.back()).getValue();
  }
  return constantArray(emit, "chi.choices.", content, emit.ptrType(),
                       emit.builder.getArrayAttr(members));
}

/// The members of a chirt_format_part.
static ArrayAttr partMembers(Emitter &emit, StringRef text, int32_t dtype,
                             ArrayRef<int64_t> shape, ArrayAttr choices) {
  OpBuilder &b = emit.builder;
  auto number = [&](int64_t value) { return b.getI32IntegerAttr(value); };
  return b.getArrayAttr({textSymbol(emit, text), number(dtype),
                         number(shape.size()),
                         number(shape.empty() ? 1 : shape[0]),
                         number(shape.size() > 1 ? shape[1] : 1),
                         choices ? choicesOf(emit, choices) : b.getUnitAttr(),
                         number(choices ? choices.size() : 0)});
}

static ArrayAttr literalMembers(Emitter &emit, StringRef text) {
  return partMembers(emit, text, -1, {int64_t(text.size())}, nullptr);
}

/// `value`: the first of those that the part takes.
static ArrayAttr valueMembers(Emitter &emit, DictionaryAttr part, Value value) {
  StringRef type = textOf(part, "type");
  ArrayAttr choices;
  if (type == "str" && value.getType().isInteger())
    choices = part.getAs<ArrayAttr>(ir::kTextsAttr);
  ArrayRef<int64_t> shape;
  if (auto extents = part.getAs<DenseI64ArrayAttr>("shape"))
    shape = extents.asArrayRef();
  return partMembers(emit, textOf(part, "spec"),
                     ir::dtypeNamed(type).value_or(CHIRT_STR), shape, choices);
}

int32_t UnitTable::formatNumber(Emitter &emit, ArrayAttr parts,
                                ValueRange values, size_t mostWords) {
  SmallVector<Attribute> members;
  std::string content;
  size_t taken = 0;
  for (Attribute part : parts) {
    if (auto text = dyn_cast<StringAttr>(part)) {
      members.push_back(literalMembers(emit, text.getValue()));
      continue;
    }
    auto value = cast<DictionaryAttr>(part);
    size_t count = countOfPart(value);
    if (taken + count > mostWords) {
      members.push_back(literalMembers(emit, "…"));
      break;
    }
    members.push_back(valueMembers(emit, value, values[taken]));
    taken += count;
  }
  OpBuilder &b = emit.builder;
  Attribute all = b.getArrayAttr(members);
  llvm::raw_string_ostream(content) << all;
  FlatSymbolRefAttr array =
      constantArray(emit, "chi.parts.", content,
                    llvmTypeOf(emit.context(), RuntimeStruct::FormatPart),
                    cast<ArrayAttr>(all));
  return numberOf(formats,
                  b.getArrayAttr({array, b.getI32IntegerAttr(members.size()),
                                  b.getI32IntegerAttr(taken)}));
}

Value UnitTable::address(Emitter &emit) {
  isUsed = true;
  return LLVM::AddressOfOp::create(emit.builder, emit.loc, emit.ptrType(),
                                   (kUnit + suffix).str());
}

/// An array of the numbered entries; null if there are none.
static Attribute makeArray(OpBuilder &builder, StringRef name, Type element,
                           const llvm::MapVector<Attribute, int32_t> &items) {
  if (items.empty())
    return builder.getUnitAttr();
  SmallVector<Attribute> members;
  for (auto &[item, number] : items)
    members.push_back(item);
  makeGlobal(builder, name, LLVM::LLVMArrayType::get(element, members.size()),
             builder.getArrayAttr(members));
  return FlatSymbolRefAttr::get(builder.getContext(), name);
}

void UnitTable::finish(ModuleOp module) {
  if (!isUsed && sites.empty() && formats.empty())
    return;
  MLIRContext *context = module.getContext();
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  Attribute siteArray =
      makeArray(builder, (kSites + suffix).str(),
                llvmTypeOf(context, RuntimeStruct::Site), sites);
  Attribute formatArray =
      makeArray(builder, (kFormats + suffix).str(),
                llvmTypeOf(context, RuntimeStruct::Format), formats);
  makeGlobal(builder, (kUnit + suffix).str(),
             llvmTypeOf(context, RuntimeStruct::Unit),
             builder.getArrayAttr({siteArray, formatArray,
                                   builder.getI32IntegerAttr(sites.size()),
                                   builder.getI32IntegerAttr(formats.size())}));
}
