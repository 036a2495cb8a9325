//===- ChiDialect.td - The dialect and its attributes ------*- tablegen -*-===//
#ifndef CHI_DIALECT_TD
#define CHI_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def Chi_Dialect : Dialect {
  let name = "chi";
  let cppNamespace = "::chi::ir";
  let summary = "Parallel numerical programs over fields";
  let description = [{
    The representation in which a Chi program is checked, optimised,
    differentiated and split over devices. Values in the dialect are scalars: a
    vector of a Chi program is represented by its components, and only fields
    and local arrays group scalars.
  }];
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerTypes();
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::math::MathDialect"];
}

def Chi_AccumKind : I32EnumAttr<"AccumKind", "operation of an accumulation", [
    I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"mul", 1>,
    I32EnumAttrCase<"min", 2>, I32EnumAttrCase<"max", 3>,
    I32EnumAttrCase<"minu", 4>, I32EnumAttrCase<"maxu", 5>,
    I32EnumAttrCase<"bitAnd", 6, "and">, I32EnumAttrCase<"bitOr", 7, "or">,
    I32EnumAttrCase<"bitXor", 8, "xor">]> {
  let cppNamespace = "::chi::ir";
  let genSpecializedAttr = 0;
}
def Chi_AccumKindAttr : EnumAttr<Chi_Dialect, Chi_AccumKind, "accum_kind">;

def Chi_AtomicKind : I32EnumAttr<"AtomicKind", "an atomic operation", [
    I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"sub", 1>,
    I32EnumAttrCase<"min", 2>, I32EnumAttrCase<"max", 3>,
    I32EnumAttrCase<"minu", 4>, I32EnumAttrCase<"maxu", 5>,
    I32EnumAttrCase<"bitAnd", 6, "and">, I32EnumAttrCase<"bitOr", 7, "or">,
    I32EnumAttrCase<"bitXor", 8, "xor">, I32EnumAttrCase<"exchange", 9>,
    I32EnumAttrCase<"cas", 10>,
    I32EnumAttrCase<"load", 11>]> {
  let cppNamespace = "::chi::ir";
  let genSpecializedAttr = 0;
}
def Chi_AtomicKindAttr : EnumAttr<Chi_Dialect, Chi_AtomicKind, "atomic_kind">;

def Chi_AccumStrategy : I32EnumAttr<"AccumStrategy", "implementation of an accumulation", [
    I32EnumAttrCase<"plain", 0>, I32EnumAttrCase<"deterministic", 1>,
    I32EnumAttrCase<"privatized", 2>, I32EnumAttrCase<"atomic", 3>,
    I32EnumAttrCase<"panel", 4>, I32EnumAttrCase<"gather", 5>]> {
  let cppNamespace = "::chi::ir";
  let genSpecializedAttr = 0;
}
def Chi_AccumStrategyAttr : EnumAttr<Chi_Dialect, Chi_AccumStrategy, "accum_strategy">;

def Chi_AccessKind : I32EnumAttr<"AccessKind", "effect of an access on a scalar", [
    I32EnumAttrCase<"load", 0>, I32EnumAttrCase<"store", 1>,
    I32EnumAttrCase<"accum", 2>, I32EnumAttrCase<"atomic", 3>]> {
  let cppNamespace = "::chi::ir";
  let genSpecializedAttr = 0;
}

def Chi_Buffer : I32EnumAttr<"Buffer", "how the buffer of a store is written to memory", [
    I32EnumAttrCase<"plain", 0>,        // by ordinary stores
    I32EnumAttrCase<"streaming", 1>]> { // past the caches, where whole lines are written
  let cppNamespace = "::chi::ir";
  let genSpecializedAttr = 0;
}
def Chi_BufferAttr : EnumAttr<Chi_Dialect, Chi_Buffer, "buffer">;

def Chi_ChunkUnit : I32EnumAttr<"ChunkUnit", "unit in which a launch is split", [
    I32EnumAttrCase<"iterations", 0>,
    I32EnumAttrCase<"rows", 1>,      // of the innermost axis
    I32EnumAttrCase<"slices", 2>,    // of the outermost one
    // rows where a launch has many of them, or where they are short
    I32EnumAttrCase<"many_rows", 3>]> {
  let cppNamespace = "::chi::ir";
  let genSpecializedAttr = 0;
}

def Chi_DeviceAttr : AttrDef<Chi_Dialect, "Device"> {
  let mnemonic = "device";
  let summary = "description of the target processor";
  let description = [{
    `chi-attach-device` sets it on the module as `chi.device`. Without it passes
    assume a processor with the default values.

    - `vectorBytes`: size of the vector registers; 0: no vectorisation;
    - `vectorRegisters`: number of vector registers;
    - `hasMasks`: loads, stores and arithmetic take masks at no extra cost;
    - `castsLongs`: one instruction converts vectors of i64 to floats;
    - `l1Bytes`: size of the first-level data cache of one core;
    - `l2Bytes`: size of the second-level cache of one core;
    - `cacheBytes`: size of the last-level cache;
    - `lineBytes`: size of a cache line.

    Example: `#chi.device<vectorBytes = 32, vectorRegisters = 16, hasMasks = false>`
  }];
  let parameters = (ins DefaultValuedParameter<"int64_t", "64">:$vectorBytes,
                        DefaultValuedParameter<"int64_t", "32">:$vectorRegisters,
                        DefaultValuedParameter<"bool", "true">:$hasMasks,
                        DefaultValuedParameter<"bool", "true">:$castsLongs,
                        DefaultValuedParameter<"int64_t", "32768">:$l1Bytes,
                        DefaultValuedParameter<"int64_t", "524288">:$l2Bytes,
                        DefaultValuedParameter<"int64_t", "33554432">:$cacheBytes,
                        DefaultValuedParameter<"int64_t", "64">:$lineBytes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Chi_CheckKind : I32EnumAttr<"CheckKind", "kind of a check", [
    I32EnumAttrCase<"bounds", 0>,    // values: index, extent
    I32EnumAttrCase<"divide", 1>,    // integer division by zero; values: dividend
    I32EnumAttrCase<"assert", 2>,    // values: both sides of a comparison, or none
    I32EnumAttrCase<"overflow", 3>,  // values: both operands
    I32EnumAttrCase<"power", 4>,     // negative integer exponent; values: it
    I32EnumAttrCase<"shape", 5>,     // values: extent, extent
    I32EnumAttrCase<"nan", 6>]> {
  let cppNamespace = "::chi::ir";
  let genSpecializedAttr = 0;
}
def Chi_CheckKindAttr : EnumAttr<Chi_Dialect, Chi_CheckKind, "check_kind">;

def Chi_OverflowKind : I32EnumAttr<"OverflowKind", "an operation that may overflow", [
    I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"sub", 1>, I32EnumAttrCase<"mul", 2>]> {
  let cppNamespace = "::chi::ir";
  let genSpecializedAttr = 0;
}
def Chi_OverflowKindAttr : EnumAttr<Chi_Dialect, Chi_OverflowKind, "overflow_kind">;

//===----------------------------------------------------------------------===//
// Kernels of devices
//===----------------------------------------------------------------------===//

// Each is a word of 8 bytes, whatever its type: CUDA takes the addresses of the
// words, Vulkan the words themselves.
def Chi_KernelParam : I32EnumAttr<"KernelParam", "parameter of a kernel", [
    I32EnumAttrCase<"data", 0>,      // address of the elements of field `number`; where `axis` is
                                     // CHIRT_DATA_OF_BASE, of those of its base
    I32EnumAttrCase<"extent", 1>,    // of field `number`, along `axis`
    I32EnumAttrCase<"scalar", 2>,    // argument `number`, its bits
    I32EnumAttrCase<"from", 3>,      // where axis `number` of the domain starts
    I32EnumAttrCase<"count", 4>,     // iterations along axis `number`
    I32EnumAttrCase<"seed", 5>,      // of the run's random numbers
    I32EnumAttrCase<"failures", 6>,  // address of an i32: number of failed iterations
    I32EnumAttrCase<"records", 7>,   // address of CHIRT_MAX_RECORDS `chirt_record`s
    I32EnumAttrCase<"partials", 8>,  // of reductions: address, from `number` bytes a block of
                                     // iterations on
    I32EnumAttrCase<"numPartials", 9>,      // how many of them a kernel joins
    I32EnumAttrCase<"stride", 10>,          // their distance
    I32EnumAttrCase<"first", 11>,    // number of the first iteration of a partial launch
    I32EnumAttrCase<"last", 12>,     // and the one after its last
    I32EnumAttrCase<"logSize", 13>,  // address of an i32: number of logged words
    I32EnumAttrCase<"log", 14>,      // address of CHIRT_DEVICE_LOG_WORDS words for prints
    I32EnumAttrCase<"arena", 15>,    // address of memory that threads take (CHIRT_ARENA_…)
    I32EnumAttrCase<"resume", 16>,   // address of an i64 a thread: the iteration where it goes on
    I32EnumAttrCase<"restarted", 17>,       // whether threads go on there
    I32EnumAttrCase<"ended", 18>,    // address of an i32 that is set if the driver has ended a loop
    I32EnumAttrCase<"probeIterations", 19>, // of the loop that finds that out
    I32EnumAttrCase<"fieldStride", 20>]> {  // of field `number`, along `axis`, in scalars; also the
                                            // axes CHIRT_STRIDE_OF_COMPONENTS and CHIRT_OFFSET_IN_BASE
  let cppNamespace = "::chi::ir";
  let genSpecializedAttr = 0;
}

def Chi_KernelABIAttr : AttrDef<Chi_Dialect, "KernelABI"> {
  let mnemonic = "kernel_abi";
  let summary = "what a launch of a kernel must provide";
  let description = [{
    `chi-to-gpu` sets it on each kernel, as `chi.kernel_abi`. The code that a
    device loads contains it (`chirt_device_code`), and the run time launches the
    kernel by it. Functions that kernels call have none.

    - `params`: the parameters, in order: a KernelParam, and in parentheses,
      where it has them, the number of an argument of the task or of an axis of
      its domain, and an axis of that argument;
    - `perThread`: the minimum number of iterations of a thread, if there are as
      many; 1;
    - `partialBytes`: bytes of partial sums for each block of a reduction's
      iterations;
    - `logWords`: the maximum number of words that an iteration logs; negative:
      unknown;
    - `arenaBytes`: bytes that a thread takes of the arena at first; 0: it never
      takes any;
    - `restartsAll`: an iteration may run out of arena memory after it has
      stored;
    - `hasLarge`: there is a second kernel, for large launches
      (`chirt_device_code::large`);
    - `shortIndices`: the numbers of iterations and elements have 32 bits;
    - `smallLaunches`: launches are as small, but the kernel counts in 64 bits
      where a device's 64-bit integers are as fast: kernels that join reductions;
    - `task`: where the name of a kernel is one of PTX, the name of its task.

    Example: `#chi.kernel_abi<params = [data(0), extent(0, 1), scalar(1), failures, records], perThread = 8>`
  }];
  let parameters = (ins ArrayRefParameter<"::chi::ir::KernelParameter">:$params,
                        "int64_t":$perThread, "int64_t":$partialBytes,
                        "int64_t":$logWords, "int64_t":$arenaBytes,
                        "bool":$restartsAll, "bool":$hasLarge,
                        "bool":$shortIndices, "bool":$smallLaunches,
                        OptionalParameter<"::mlir::StringAttr">:$task);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // CHI_DIALECT_TD
