/*===- host.h - The run time of Chi programs: for `chic` --------------------===
 * What the compiler's command line needs beyond chirt.h. No compiled program
 * relies on it.
 *===----------------------------------------------------------------------===*/
#ifndef CHIRT_HOST_H
#define CHIRT_HOST_H

#include "chirt/chirt.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The outcome of one test, for whoever writes reports. */
typedef struct chirt_test_result {
  const char *name;
  int32_t status; /* 0: passed */
  double seconds;
  const char *message; /* what was printed of its failure; "" if none */
} chirt_test_result;

/* Of a flag that other verbs take ("deterministic"): what to use instead.
 * Null for any other. */
const char *chirt_later_flag(const char *name);

/* How gradients are compared with differences. */
typedef struct chirt_gradcheck {
  double tolerance; /* relative */
  int32_t samples;  /* elements of a field; all if it has no more */
  int32_t passes;   /* tapes of each `with Tape` */
  int32_t tape;     /* this tape alone, from 1; 0: see passes */
  int32_t races;    /* not 0: nothing is compared; where the program tells its
                       accesses (--check=races), so many tapes are watched */
  int32_t tapes;    /* with `races`: how many `with Tape` the program has; when
                       each was watched it ends. 0: not known */
  double effort;    /* seconds for comparisons, or with `races` for watching;
                       after that only samples. 0: no limit */
  int32_t orders;   /* what forward mode is compared with, too: bit 0: the
                       gradients; bit 1: their differences (Hessians) */
} chirt_gradcheck;

/* Lets the next chirt_run check the gradients of its tapes; it prints what it
 * found in the place of what the program prints, and its status tells. The
 * program's floats must be f64, and it must run on one thread. */
void chirt_check_gradients(const chirt_gradcheck *options);

/* What is said of the machine in place of what the system tells; 0: nothing. */
typedef struct chirt_machine {
  int32_t cores;      /* that threads share */
  int64_t last_cache; /* bytes */
} chirt_machine;

/* Describes the machine of the next chirt_run. */
void chirt_describe_machine(chirt_machine machine);

/* When a run keeps its state in a file, and from which it goes on. */
typedef struct chirt_checkpoints {
  const char *path;   /* of the file; null: none is written */
  double interval;    /* seconds between two checkpoints; 0: only at a signal */
  const char *resume; /* the file to go on from, or null */
  int32_t any_program; /* not 0: the file may be of another program's text, if
                          all values are there with their types and shapes */
  const char *may_change; /* "steps,dt": params that may have other values than
                             when the file was written; or null */
} chirt_checkpoints;

/* Of the next chirt_run; its texts are copied. */
void chirt_plan_checkpoints(const chirt_checkpoints *plan);

/* The seconds that a text like "90s", "10min", "1h30min", "500ms" or "2.5" (s)
 * names; negative if it is none. */
double chirt_read_duration(const char *text);

/* A device that tasks can run on. */
typedef struct chirt_device_facts {
  const char *name;      /* as its driver has it; "" where there is none */
  const char *abilities; /* "f64, f16, …": what not all devices have */
  int64_t memory;        /* bytes; 0: not known */
  double in, out;        /* bytes a second that are copied there, and back;
                            0: not measured */
  const char *problem;   /* why it cannot be used, a sentence, or null */
} chirt_device_facts;

/* Describes a device by its kind ("vulkan") and its number, starting it to
 * measure it: a process can do that once for each kind. Texts live as long as
 * the process. Returns how many of that kind there are; if none, `problem` says
 * why. */
int32_t chirt_describe_device(const char *kind, int32_t number,
                              chirt_device_facts *facts);

/* The kind that `--arch=auto` stands for: that of a GPU if there is one, else
 * "cpu". */
const char *chirt_best_device(void);

/* Starts a device, as --arch and --device name it. Null, and what its code is
 * made for ("sm_90"; "" if it is the same for all), or a sentence that says why
 * there is none. */
const char *chirt_start_device(const char *name, int32_t number,
                               const char **architecture);

/* Keeps the code that a device's driver makes of a program's, from one run to
 * the next. `target` says for what. */
typedef struct chirt_code_cache {
  void *context;
  /* In memory that `free` takes; null if there is nothing. */
  void *(*find)(void *context, const char *target, const void *image,
                int64_t image_bytes, int64_t *bytes);
  void (*keep)(void *context, const char *target, const void *image,
               int64_t image_bytes, const void *made, int64_t made_bytes);
} chirt_code_cache;
/* From now on; null: no more. */
void chirt_keep_code(const chirt_code_cache *cache);

/* Keeps what launches measured of the choices of tasks (chirt_choose), from one
 * run to the next. */
typedef struct chirt_choice_store {
  void *context;
  /* What was kept, in memory that `free` takes; null if there is nothing. */
  char *(*find)(void *context);
  void (*keep)(void *context, const char *text);
  /* Not 0: what was kept does not decide, but stays unless it is measured. */
  int32_t measures_again;
} chirt_choice_store;
/* Of the next chirt_run; null: nothing is kept. */
void chirt_keep_choices(const chirt_choice_store *store);

/* What is known of one choice. */
typedef struct chirt_choice_result {
  const chirt_site *site; /* of the task's loop; null: it was not launched */
  int64_t bytes;          /* that a launch uses */
  int32_t choice;         /* chirt_choice */
  int32_t options;        /* how many it has */
  int32_t usual;          /* the option that the model takes */
  int32_t kept;           /* the option that is kept; -1: not settled */
  const int32_t *counts;  /* of each option: how often it was measured */
  const double *least;    /* and its least time in seconds, if it was */
} chirt_choice_result;
/* Calls `take` for each choice that the process knows. No program may run. */
void chirt_each_choice(void (*take)(void *context,
                                    const chirt_choice_result *result),
                       void *context);
/* How often the next chirt_run measures each option of a choice; 0: it takes
 * those of the model. Otherwise it is CHI_TUNE in the environment ("off", or a
 * number), or 3. */
void chirt_measure_choices(int32_t rounds);
/* Nothing is known of any choice. No program may run. */
void chirt_forget_choices(void);

/* How progress(range) shows how far a loop is. */
enum chirt_progress_mode {
  CHIRT_PROGRESS_AUTO, /* as a bar if standard error is a terminal */
  CHIRT_PROGRESS_OFF,  /* not at all */
  CHIRT_PROGRESS_BAR,  /* as a bar, whatever standard error is */
  CHIRT_PROGRESS_LINES /* as lines of text on standard error */
};
/* Of the next chirt_run. */
void chirt_show_progress(int32_t mode);
/* The mode that a word of --progress names; -1: none. */
int32_t chirt_progress_named(const char *word);

/* The exit status of a program that its time limit ended. */
#define CHIRT_TIME_LIMIT_STATUS 124
/* Ends the next chirt_run so many seconds after its start, with
 * CHIRT_TIME_LIMIT_STATUS and a message that names the place; 0: no limit. */
void chirt_limit_time(double seconds);

/* Bytes of an amount of memory ("64MB", "2GiB", "4096"); negative: none. */
int64_t chirt_read_bytes(const char *text);
/* How many bytes each tape of the next chirt_run may take, whatever the program
 * says; negative: what it says. */
void chirt_limit_tapes(int64_t bytes);
/* A loop that a tape met. */
typedef struct chirt_tape_loop_plan {
  const chirt_site *site;
  int64_t times; /* it began */
  int64_t turns; /* of all these times together */
} chirt_tape_loop_plan;
/* What a tape takes, and how it would keep to its budget. */
typedef struct chirt_tape_plan {
  const chirt_site *site; /* of the `with Tape` */
  int64_t entries;        /* launches, copies and stores */
  int64_t turns;          /* steps between which it may begin again */
  const chirt_tape_loop_plan *loops;
  int64_t num_loops;
  /* Bytes without a budget: all, and of these log, saves and adjoints. */
  int64_t full, log, saves, adjoints;
  int64_t least;  /* budget that does */
  int64_t budget; /* negative: none */
  /* With that budget: does all fit, so that nothing runs again? Or is it too
   * small? What follows is 0 then. */
  int32_t fits, is_too_small;
  int64_t state;     /* bytes of one snapshot */
  int64_t snapshots; /* most at a time behind the tape's end, with that of its
                        beginning */
  int64_t spilled;   /* bytes of the file that they are in, or 0 */
  int64_t replays;   /* turns that run again */
  int64_t bytes;     /* the most that it takes */
} chirt_tape_plan;
typedef struct chirt_tape_planner {
  int32_t count; /* how many `with Tape` the program has; when each was planned
                    the run ends. 0: not known */
  void *context;
  void (*take)(void *context, const chirt_tape_plan *plan);
} chirt_tape_planner;
/* Of the next chirt_run: each `with Tape`, when it is met for the first time,
 * runs forward, saves nothing and is not run backward: its plan is taken. The
 * program prints and writes nothing. The planner lives until the run ends. */
void chirt_plan_tapes(const chirt_tape_planner *planner);

/* One launch of a task that has ended. */
typedef struct chirt_launch_record {
  const chirt_task *task;
  const int64_t *words; /* its arguments */
  const chirt_domain *domain;
  double begin, seconds; /* as chirt_time_now() counts; on a device the time of
                            the host from the call to the end of the launch */
} chirt_launch_record;
/* Takes each launch of a run. `take` runs in the thread that launched. */
typedef struct chirt_launch_sink {
  void *context;
  void (*take)(void *context, const chirt_launch_record *record);
} chirt_launch_sink;
/* Of the next chirt_run, whose launches wait for their end; null: none. */
void chirt_observe_launches(const chirt_launch_sink *sink);

/* Whether files that a run saves get a record of how they were made. */
enum chirt_provenance_mode {
  CHIRT_PROVENANCE_OFF, /* no file gets one */
  CHIRT_PROVENANCE_ON,  /* of all that decides what the file holds, so that two
                           runs of one program write the same bytes; time, host
                           and folder are an attribute of the file */
  CHIRT_PROVENANCE_FULL /* time, host and folder are in the record, too */
};
/* The mode that a word of --provenance names; -1: none. */
int32_t chirt_provenance_named(const char *word);
/* The mode without --provenance: CHI_PROVENANCE in the environment, else on. */
int32_t chirt_usual_provenance(void);
/* What the run time does not know of itself. */
typedef struct chirt_provenance {
  int32_t mode;        /* chirt_provenance_mode */
  const char *program; /* members of a JSON object without its braces, which
                          the compiler made (Driver/Provenance/Facts.h); null:
                          files get no record */
  const char *arch;    /* as --arch names it */
  void *context;
  /* More such members, in memory that `free` takes; null if there are none.
   * Called when the first file is saved. May be null. */
  char *(*more)(void *context);
} chirt_provenance;
/* Of the next chirt_run; lives until it ends. Without it files get no
 * record. */
void chirt_record_provenance(const chirt_provenance *provenance);
/* Reads the record of a file. 0: `text` is a JSON object; 1: the file has no
 * record that can be read; 2: the file cannot be read. Else `text` is a
 * sentence. In memory that `free` takes. */
int32_t chirt_read_record(const char *path, char **text);
/* What is known of when and where a file was made: a JSON object, in memory
 * that `free` takes; null: nothing. */
char *chirt_read_making(const char *path);
/* Compares what two files hold, without their records: 0: the same; 1: not;
 * 2: a file cannot be read. `text`: sentences that say what differs, a line
 * each, in memory that `free` takes. */
int32_t chirt_compare_files(const char *path, const char *other, char **text);

/* The flags of `chic run` without their dashes, null-ended: what a misspelt
 * parameter may have meant. */
extern const char *const chirt_run_flags[];

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif /* CHIRT_HOST_H */
