/*===- fields.h - Fields, views, and memory of others -----------------------===
 * Part of chirt.h: the handle of a field, and what makes one of another's
 * memory.
 *===----------------------------------------------------------------------===*/
#ifndef CHIRT_FIELDS_H
#define CHIRT_FIELDS_H

#include "chirt/records.h"
#include <stdint.h>

/* Where a copy of a field's elements lies. */
enum chirt_where { CHIRT_AT_HOST = 1, CHIRT_AT_DEVICE = 2 };

/* What a copy is wanted for. All three make it current. */
enum chirt_acquire_mode {
  CHIRT_TO_READ,     /* the other copy stays what it is */
  CHIRT_TO_UPDATE,   /* the other one is current no longer */
  CHIRT_TO_OVERWRITE /* so too; all elements will be written, none is brought */
};

/* Component c of the element (i, j, …) lies `strides[0] * i + strides[1] * j +
 * …
 * + component_stride * c` scalars behind `data`. Where is_strided is zero, as
 * of each field that owns its memory, `is_soa` and `order` say the same:
 * scalars of an AoS element lie together, row-major in a matrix; an SoA field
 * has one block of `elements` scalars for each component; and the linear number
 * of an element follows `order` (outermost first). bool is a byte.
 *
 * A view is a field over some of the elements of another one, `base`, which is
 * no view: its memory, its copies at host and device, and which of these are
 * current are those of `base` (chirt_field_view).
 *
 * `data` is the host's copy. Whoever reads an element there sees to it that
 * `current` has CHIRT_AT_HOST, and who writes one that it has nothing else, by
 * chirt_field_acquire if need be. */
typedef struct chirt_field {
  void *data;                      /* 64-byte aligned; null if no elements */
  int64_t extents[CHIRT_MAX_RANK]; /* of the logical axes, 1 beyond rank */
  int64_t elements;                /* product of the extents */
  int32_t refcount;
  int32_t dtype; /* of the scalar */
  int32_t rank;
  int32_t rows, columns; /* vec: n, 1; mat: rows, columns; scalar: 1, 1 */
  int32_t element_rank;  /* 0 scalar, 1 vec, 2 mat */
  int32_t is_soa;
  int32_t order[CHIRT_MAX_RANK];
  int32_t current; /* the copies that are: chirt_where, or-ed */
  int64_t bytes;
  /* Foreign memory: called once, with `owner`, when the field goes. Null: the
   * memory at `data` is the field's own. */
  void (*release)(void *owner);
  void *owner;
  const struct chirt_device *device; /* where tasks over it run, or null */
  int64_t buffer; /* address of the device's copy, 0 before it is made */
  /* Single elements that host code has of a copy at the device
   * (chirt_field_element); null: none. */
  struct chirt_touched *touched;
  const chirt_site *made_at; /* null: not known */
  struct chirt_field *grad;  /* its gradient, once somebody asked for it */
  int64_t taped;             /* of chirt/tape: where the latest tape has it */
  int32_t has_grad;          /* made with ";grad": programs may ask for it */
  int32_t is_lent;           /* its address was given away */
  int32_t is_strided;        /* only `strides` say where elements lie */
  int32_t has_dual;          /* made with ";dual": programs may ask for it */
  int64_t strides[CHIRT_MAX_RANK]; /* in scalars, of the logical axes */
  int64_t component_stride;
  struct chirt_field *base;  /* of a view, with a reference; else null */
  int64_t offset;            /* of a view: scalars from the base's first */
  struct chirt_field *views; /* of a base: the first one; views: the next one */
  struct chirt_field *dual;  /* its tangents; null: they are zero */
  int64_t is_complex; /* made with ";complex": pairs of floats, each a number */
} chirt_field;

/* What a view has of an axis of its field: the elements begin, begin + step, …,
 * `count` of them. Negative: the element `begin` alone, and the view has no
 * such axis. */
typedef struct chirt_slice {
  int64_t begin, step, count;
} chirt_slice;

/* Of an axis in chirt_field_slice. */
enum chirt_slice_flag {
  CHIRT_SLICE_INDEX = 1, /* the element `begin` alone */
  CHIRT_SLICE_BEGIN = 2, /* not from the first element on */
  CHIRT_SLICE_END = 4    /* not to the last one */
};

/* How memory becomes a field (chirt_field_import). */
enum chirt_import_flag {
  CHIRT_IMPORT_COPY = 1 /* the field gets memory of its own, with the elements
                           of that: of any strides, also if it is read-only */
};

/* Of DLPack, as its header declares them; chirt/dlpack.h for hosts that have
 * no other. */
struct DLManagedTensorVersioned;
struct DLManagedTensor;

#endif /* CHIRT_FIELDS_H */
