//===- KernelWords.h - What a device hands to a kernel ----------*- C++ -*-===//
// The parameters of a kernel are words of 8 bytes, one a parameter, whatever
// their types: CUDA takes the addresses of the words, Vulkan the words
// themselves. Which word holds what stands on the kernel's function.
//===----------------------------------------------------------------------===//
#ifndef CHI_DIALECT_CHI_KERNELWORDS_H
#define CHI_DIALECT_CHI_KERNELWORDS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace chi::ir {

/// Of a kernel: an array of i32, three for each parameter: its WordKind, the
/// number of an argument of the task or of an axis of its domain, and an axis
/// of that argument. What a kind does not need is 0.
inline constexpr llvm::StringLiteral kWordsAttr = "chi.words";

enum class WordKind : int32_t {
  data,     ///< address of the elements of field `number`
  extent,   ///< of field `number`, along `axis`
  scalar,   ///< argument `number`, its bits
  from,     ///< where axis `number` of the domain starts
  count,    ///< iterations along axis `number`
  seed,     ///< of the run's random numbers
  failures, ///< address of an i32: how many iterations failed
  records,  ///< address of CHIRT_MAX_RECORDS `chirt_record`s
  partials, ///< of trees: address, from `number` bytes a block of iterations on
  parts,    ///< how many of them a kernel joins
  stride,   ///< how far they lie apart
  first,    ///< number of the first iteration of a launch of some of them
  last,     ///< and the one behind its last
  lines,    ///< address of an i32: number of logged words
  told,     ///< address of CHIRT_TOLD_WORDS words of what is printed
  arena,    ///< address of memory that threads take (CHIRT_ARENA_…)
  resume,   ///< address of an i64 a thread: the iteration where it goes on
  again,    ///< whether threads go on there
  ended,    ///< address of an i32 that is set if the driver has ended a loop
  turns,    ///< of the loop that finds that out
};
inline constexpr int32_t kNumWordKinds = 20;

/// Of a kernel: a dictionary of what its launches need besides, all integers.
/// Missing: what is said there.
inline constexpr llvm::StringLiteral kLaunchAttr = "chi.launch";
/// Iterations that a thread does at least, if there are so many; 1.
inline constexpr llvm::StringLiteral kPerThread = "per_thread";
/// Bytes of partial sums for each block of a tree's iterations; 0.
inline constexpr llvm::StringLiteral kPartialBytes = "partial_bytes";

/// Most words that an iteration logs; 0. Negative: unknown.
inline constexpr llvm::StringLiteral kToldWords = "told_words";
/// Bytes that a thread takes of the arena at first; 0: nothing ever.
inline constexpr llvm::StringLiteral kArenaBytes = "arena_bytes";
/// Not 0: an iteration may find too little of it when it has stored already.
inline constexpr llvm::StringLiteral kBeginsAnew = "begins_anew";

/// Not 0: there is a kernel for large launches beside it, whose name has
/// kLargeSuffix behind (chirt_device_code::large).
inline constexpr llvm::StringLiteral kHasLarge = "has_large";

/// Of a kernel whose numbers of iterations and elements have 32 bits.
inline constexpr llvm::StringLiteral kShortAttr = "chi.short_indices";

/// Of a kernel whose launches are as small, and which counts in 64 bits where
/// those of a device are as good: what joins trees.
inline constexpr llvm::StringLiteral kSmallAttr = "chi.small_launches";

/// Of the barrier that a thread goes to when its iteration failed, so that the
/// other threads do not wait for ever.
inline constexpr llvm::StringLiteral kMeetingAttr = "chi.meeting";

/// Of a check of a kernel that asks for memory: where it fails, the thread goes
/// on at its value, an iteration, in another launch.
inline constexpr llvm::StringLiteral kAgainAttr = "chi.again";

/// Of a kernel whose name is one of PTX: the name of its task.
inline constexpr llvm::StringLiteral kTaskNameAttr = "chi.task_name";

/// Of a task: a dictionary of the constants that have its code for a device
/// (chirt_device_code), by the device's name: vulkan, cuda.
inline constexpr llvm::StringLiteral kDeviceCodeAttr = "chi.device_code";

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_KERNELWORDS_H
