//===- Memory.cpp - Pieces of blocks --------------------------------------===//
#include "chirt/vulkan/Memory.h"

#include "chirt/text/Text.h"
#include "chirt/vulkan/Queue.h"
#include <bit>
#include <cstdlib>
#include <new>

namespace chirt {

namespace {
constexpr int64_t kAlignment = 256;
/// Smaller pieces lie together in blocks of that size.
constexpr int64_t kSharedBytes = int64_t(4) << 20, kOwnFrom = kSharedBytes / 4;
/// Freed blocks of large pieces are kept up to so many bytes.
constexpr int64_t kKeptBytes = int64_t(256) << 20;
constexpr int kClasses = 256;

struct Pieces {
  Array<Piece *> used; ///< by their addresses
  Piece *free[kClasses] = {};
  int64_t keptBytes = 0; ///< of free pieces with blocks of their own
  Block shared;          ///< the block that small pieces are cut from
  int64_t sharedUsed = 0;
};
[[clang::no_destroy]] constinit Pieces pieces;

/// The class of sizes that holds so many bytes, four to each power of two.
int classOf(int64_t bytes) {
  auto units = uint64_t((bytes + kAlignment - 1) / kAlignment);
  if (units <= 4)
    return int(units);
  int log = std::bit_width(units - 1) - 1; // 2^log < units <= 2^(log+1)
  uint64_t step = (uint64_t(1) << log) / 4;
  uint64_t quarter = (units - (uint64_t(1) << log) + step - 1) / step;
  return 4 * (log - 1) + int(quarter);
}

int64_t bytesOfClass(int number) {
  if (number <= 4)
    return number * kAlignment;
  int log = (number - 1) / 4 + 1, quarter = number - 4 * (log - 1);
  return ((int64_t(1) << log) + (int64_t(1) << log) / 4 * quarter) * kAlignment;
}

/// Where an address is, or would be, among the used pieces.
size_t placeOf(uint64_t address) {
  size_t low = 0, high = pieces.used.size();
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (pieces.used[middle]->address() <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void noteUsed(Piece *piece) {
  size_t place = placeOf(piece->address());
  pieces.used.push(piece);
  for (size_t k = pieces.used.size() - 1; k > place; --k)
    pieces.used[k] = pieces.used[k - 1];
  pieces.used[place] = piece;
}

Piece *newPiece(const Block &block, int64_t at, int64_t bytes, bool ownsBlock) {
  void *memory = malloc(sizeof(Piece));
  if (!memory)
    outOfMemory();
  return new (memory) Piece{block, at, bytes, ownsBlock};
}

/// Of a block of its own, or cut from the one that small ones share.
Piece *makePiece(int64_t bytes) {
  if (bytes >= kOwnFrom) {
    Block block = makeBlock(bytes, BlockUse::Fields);
    if (!block.address)
      return nullptr;
    vulkan.fieldBytes += bytes;
    return newPiece(block, 0, bytes, true);
  }
  if (!pieces.shared.address ||
      pieces.sharedUsed + bytes > pieces.shared.bytes) {
    Block block = makeBlock(kSharedBytes, BlockUse::Fields);
    if (!block.address)
      return nullptr;
    vulkan.fieldBytes += kSharedBytes;
    pieces.shared = block; // what was left of the former is lost
    pieces.sharedUsed = 0;
  }
  Piece *made = newPiece(pieces.shared, pieces.sharedUsed, bytes, false);
  pieces.sharedUsed += bytes;
  return made;
}

/// One of the free pieces of a class that holds so many bytes, or null.
Piece *takeFree(int number, int64_t bytes) {
  for (Piece **link = &pieces.free[number]; *link; link = &(*link)->next)
    if (Piece *piece = *link; piece->bytes >= bytes) {
      *link = piece->next;
      pieces.keptBytes -= piece->ownsBlock ? piece->bytes : 0;
      return piece;
    }
  return nullptr;
}

/// Frees the blocks of pieces that nobody has.
void giveBackKept() {
  finishQueue();
  for (Piece *&first : pieces.free)
    while (first && first->ownsBlock) {
      Piece *piece = first;
      first = piece->next;
      freeBlock(piece->block);
      vulkan.fieldBytes -= piece->bytes;
      free(piece);
    }
  pieces.keptBytes = 0;
}
} // namespace

Piece *takePiece(int64_t bytes) {
  int number = classOf(bytes);
  // A block of its own is as large as was asked for.
  int64_t size = bytes >= kOwnFrom ? (bytes + kAlignment - 1) & -kAlignment
                                   : bytesOfClass(number);
  Piece *piece = takeFree(number, size);
  if (!piece)
    piece = makePiece(size);
  if (!piece && pieces.keptBytes > 0) {
    giveBackKept();
    piece = makePiece(size);
  }
  if (piece)
    noteUsed(piece);
  else
    vulkan.lacking = bytes;
  return piece;
}

void givePiece(uint64_t address) {
  size_t place = placeOf(address);
  Piece *piece = pieces.used[place - 1];
  for (size_t k = place; k < pieces.used.size(); ++k)
    pieces.used[k - 1] = pieces.used[k];
  pieces.used.pop();
  Piece *&first = pieces.free[classOf(piece->bytes)];
  piece->next = first;
  first = piece;
  if (!piece->ownsBlock)
    return;
  pieces.keptBytes += piece->bytes;
  if (pieces.keptBytes > kKeptBytes)
    giveBackKept();
}

Piece *findPiece(uint64_t address) {
  size_t place = placeOf(address);
  if (!place)
    return nullptr;
  Piece *piece = pieces.used[place - 1];
  return address < piece->address() + uint64_t(piece->bytes) ? piece : nullptr;
}

} // namespace chirt
