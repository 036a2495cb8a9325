/*===- derivatives.h - What tasks and tapes say of derivatives --------------===
 * Part of chirt.h, and of its ABI.
 *===----------------------------------------------------------------------===*/
#ifndef CHIRT_DERIVATIVES_H
#define CHIRT_DERIVATIVES_H

#include <stdint.h>

/* A symbol of a sum in chirt_task::boxes. */
enum chirt_box_symbol {
  CHIRT_BOX_FIRST,  /* the least index on a domain's axis */
  CHIRT_BOX_LAST,   /* the greatest one */
  CHIRT_BOX_SCALAR, /* an argument */
  CHIRT_BOX_EXTENT  /* of an argument, along an axis */
};

/* What a tape makes for an adjoint task, or for a recorder. */
enum chirt_workspace_kind {
  CHIRT_WORKSPACE_FILL,    /* a field like argument `of`, of scalars `bits` */
  CHIRT_WORKSPACE_ADJOINT, /* a copy of the adjoint of argument `of` */
  /* Of a recorder, made where that runs and kept for the adjoint: of each
   * iteration where its results begin (the counter left how many there are),
   * then where the last ones end; */
  CHIRT_WORKSPACE_STARTS,
  /* results: `bits` of each iteration, or by the starts that extra `of` is. */
  CHIRT_WORKSPACE_RESULTS
};

/* One of its fields. */
typedef struct chirt_workspace_field {
  int64_t kind; /* chirt_workspace_kind */
  int64_t of; /* the number of an argument of the primal, or of an extra; -1 */
  int64_t dtype;
  int64_t bits;
} chirt_workspace_field;

/* How chirt_tape_begin records. */
enum chirt_tape_flag {
  CHIRT_TAPE_KEEP = 1,      /* the loss is not set to zero */
  CHIRT_TAPE_ACCUMULATE = 2 /* gradients are added to what is there */
};

/* What chirt_tape_statistics counts, of all tapes of the process. */
enum chirt_tape_statistic {
  CHIRT_TAPE_ENTRIES,
  CHIRT_TAPE_SAVED_BYTES,  /* of contents that were kept for later */
  CHIRT_TAPE_COPIES,       /* by copying them */
  CHIRT_TAPE_ROTATIONS,    /* by giving the field other memory */
  CHIRT_TAPE_ADJOINTS,     /* adjoint tasks launched */
  CHIRT_TAPE_RESULT_BYTES, /* for results of atomic operations */
  CHIRT_TAPE_REPLAYS,      /* turns of loops that were run again */
  CHIRT_TAPE_NUM_STATISTICS
};

#endif /* CHIRT_DERIVATIVES_H */
