//===- Cells.cpp - The cells of recorded kernels --------------------------===//
#include "chirt/field/Cells.h"

#include "chirt/chirt.h"
#include "chirt/support/ThreadEnd.h"
#include "chirt/text/Text.h"
#include <cstdlib>
#include <new>

namespace chirt {

namespace {
/// Made at a thread's first use; it goes with the thread.
thread_local constinit Array<chirt_field *> *cells = nullptr;

void dropCells(void *) {
  releaseCells(0);
  cells->~Array();
  free(cells);
  cells = nullptr;
}
} // namespace

size_t numCells() { return cells ? cells->size() : 0; }

void releaseCells(size_t count) {
  while (numCells() > count) {
    chirt_field_release((*cells)[cells->size() - 1]);
    cells->resize(cells->size() - 1);
  }
}

} // namespace chirt

using namespace chirt;

chirt_field *chirt_cell_push(const char *desc, int64_t rank, int64_t e0,
                             int64_t e1, int64_t e2, int64_t e3, int64_t e4,
                             int64_t e5, int64_t e6, int64_t e7) {
  if (!cells) {
    void *memory = malloc(sizeof(*cells));
    if (!memory)
      outOfMemory();
    cells = new (memory) Array<chirt_field *>();
    atThreadEnd(dropCells, nullptr);
  }
  chirt_field *cell =
      chirt_field_new(nullptr, desc, rank, e0, e1, e2, e3, e4, e5, e6, e7);
  cells->push(cell);
  return cell;
}

void chirt_cell_pop(int64_t count) {
  size_t all = numCells();
  releaseCells(size_t(count) < all ? all - size_t(count) : 0);
}
