//===- BufferPool.h - Memory of saves for the next tape ---------*- C++ -*-===//
// A descent opens a tape for each of its steps, which saves what the one before
// saved. Memory that the system got back in between would come as new pages,
// and be cleared.
#ifndef CHIRT_TAPE_BUFFERPOOL_H
#define CHIRT_TAPE_BUFFERPOOL_H

#include "chirt/chirt.h"
#include "chirt/text/Text.h"

namespace chirt {

/// Fields that nobody names, for saves to come.
class BufferPool {
public:
  BufferPool() = default;
  BufferPool(const BufferPool &) = delete;
  BufferPool &operator=(const BufferPool &) = delete;
  ~BufferPool();

  /// Takes over a reference.
  void give(chirt_field *field);
  /// Releases fields until those that are left have no more bytes.
  void keepAtMost(int64_t most);
  /// A field of the same shape and layout that holds anything, or null.
  chirt_field *take(const chirt_field *like);

private:
  /// The one that is wanted next is last.
  Array<chirt_field *> fields;
  int64_t bytes = 0;
  int64_t limit = -1; ///< of `bytes`; negative: not known yet
};

/// Two fields alike exchange what they hold.
void swapMemory(chirt_field *a, chirt_field *b);
/// May the field get other memory than it has?
bool ownsMemory(const chirt_field *field);

} // namespace chirt
#endif // CHIRT_TAPE_BUFFERPOOL_H
