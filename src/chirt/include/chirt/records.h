/*===- records.h - What fails and is told, by numbers -----------------------===
 * Part of chirt.h: the places that can fail, the texts that tasks make, and the
 * records that they leave of both.
 *===----------------------------------------------------------------------===*/
#ifndef CHIRT_RECORDS_H
#define CHIRT_RECORDS_H

#include <stdint.h>

/* Axes of a field, and of a domain. */
#define CHIRT_MAX_RANK 8

enum chirt_site_kind {
  CHIRT_SITE_BOUNDS,
  CHIRT_SITE_DIVIDE,
  CHIRT_SITE_ASSERT,
  CHIRT_SITE_OVERFLOW,
  CHIRT_SITE_POWER,
  CHIRT_SITE_SHAPE,
  CHIRT_SITE_NAN,
  CHIRT_SITE_CALL,
  CHIRT_SITE_GRAD /* the gradient of the field `what` */
};

/* A place in the source that can fail, emitted by the compiler. */
typedef struct chirt_site {
  const char *file;
  int32_t line, column, end_column; /* from 1; end_column is past the range */
  int32_t kind;                     /* chirt_site_kind */
  const char *what;           /* field name, asserted text, … ; never null */
  int32_t axis;               /* of a bounds check */
  int32_t num_values;         /* raw values passed to chirt_fail */
  const uint8_t *value_types; /* chirt_dtype each */
  const char *kernel;         /* null in host code */
  int32_t num_axes;           /* of the iteration index; 0 in host code */
  int32_t format;             /* of the message, in the unit's table, or -1 */
  const char *axes;           /* "i, j" */
} chirt_site;

/* A piece of a text that tasks print, or of the message of an assertion: a
 * literal text, or a value as chirt_fmt_value and chirt_fmt_str write it. */
typedef struct chirt_format_part {
  const char *text;    /* the literal, or the value's format spec */
  int32_t dtype;       /* of the value's scalars; -1 of a literal */
  int32_t rank;        /* 0 scalar, 1 vec, 2 mat */
  int32_t rows, columns; /* of a literal, rows is its length */
  const char *const *choices; /* the texts that an integer numbers, or null */
  int32_t num_choices;
} chirt_format_part;
typedef struct chirt_format {
  const chirt_format_part *parts;
  int32_t num_parts;
  int32_t num_words; /* all values, one word a scalar */
} chirt_format;

/* What the tasks of a unit can tell. A task names a site or a format by its
 * number here, so that a device can. */
typedef struct chirt_unit {
  const chirt_site *sites;
  const chirt_format *formats;
  int32_t num_sites, num_formats;
} chirt_unit;

/* The failures of a launch that are kept. */
#define CHIRT_MAX_RECORDS 64
/* Values of a record: those of its check, then those of its message. */
#define CHIRT_RECORD_WORDS 24

/* One failed check of a task. Words are raw: integers sign- or zero-extended,
 * floats as f64; their types are those of the site and of its format. */
typedef struct chirt_record {
  int32_t site;     /* in the unit's table */
  int32_t num_axes; /* of `iteration`; 0 if that is not known */
  int64_t iteration[CHIRT_MAX_RANK];
  int64_t words[CHIRT_RECORD_WORDS];
} chirt_record;

#endif /* CHIRT_RECORDS_H */
