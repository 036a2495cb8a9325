//===- Patterns.h - What equal launches have in common ----------*- C++ -*-===//
// A loop over time launches the same tasks over the same fields again and
// again. What a tape finds out about such a launch from its descriptor, its
// fields and its domain is found out once: a pattern. What depends on anything
// else (versions, what is needed, contents, scalars) is asked at each launch.
// The tape holds a reference to each field that a pattern's task uses, so that
// a handle stands for one field, with one number and one shape.
#ifndef CHIRT_TAPE_PATTERNS_H
#define CHIRT_TAPE_PATTERNS_H

#include "chirt/tape/Boxes.h"
#include "chirt/tape/InternedTuples.h"

namespace chirt {

/// A field that a task uses.
struct PatternUse {
  const chirt_task *by; ///< the primal, or what runs backward
  int32_t argument;     ///< among those of the task
  int32_t field;        ///< its number on the tape
  /// Where the box that may be touched is; -1: it depends on scalars.
  int32_t box;
  /// TapedField::drops, when all of the box was noted as needed; -1: it never
  /// was.
  int32_t noted;
  bool isWritten, isOverwritten, hasFloats;
};

/// A run of items of one of the arrays of Patterns.
struct PatternRun {
  int32_t from = -1, to = -1;
  /// Whether the run was computed.
  bool isMade() const { return from >= 0; }
};

/// An argument of an adjoint task that stands for the adjoint of a field.
struct PatternAdjoint {
  int32_t argument; ///< of the primal
  int32_t field;    ///< its number; -1: the task does not look at it
  int32_t first;    ///< number of an equal one before it, or -1
};

/// What runs backward for those launches of a pattern at which the same fields
/// are active.
struct PatternWay {
  const chirt_task *adjoint;
  int32_t next;     ///< number of another one of the pattern, or -1
  PatternRun needs; ///< of the adjoint and what runs before it
  PatternRun takes; ///< arguments of the adjoint; made late
};

/// The launches of a task over the same fields and domain.
struct Pattern {
  const chirt_task *task;
  uint64_t hash;
  int64_t tuple;     ///< words and domain of its latest launch (InternedTuples)
  int32_t follower;  ///< number of the one that was launched behind it, or -1
  int32_t below;     ///< number of another one with such a hash, or -1
  int32_t way;       ///< number of the latest backward launch, or -1
  PatternRun reads;  ///< fields of floats: they make it active
  PatternRun writes; ///< of any fields
  bool hasResult;    ///< does it write floats?
};

/// The patterns of a tape.
class Patterns {
public:
  /// The number of a launch's pattern; -1: there is none yet.
  int32_t find(const InternedTuples &tuples, const chirt_task *task,
               const int64_t *words, const chirt_domain *domain);
  /// Makes one, of which `tuple` is the latest launch.
  int32_t make(const chirt_task *task, const int64_t *words,
               const chirt_domain *domain, int64_t tuple);

  /// The box of a use that has one.
  int32_t keepBox(const Box &box, int rank);
  /// The box whose bounds are stored at a number.
  Box boxAt(int32_t offset, int rank) const {
    Box box;
    const int64_t *at = bounds.data() + offset;
    for (int k = 0; k < rank; ++k)
      box.from[k] = at[2 * k], box.to[k] = at[2 * k + 1];
    return box;
  }

  Pattern &operator[](int32_t number) { return patterns[size_t(number)]; }
  const Pattern &operator[](int32_t number) const {
    return patterns[size_t(number)];
  }
  Array<PatternUse> uses;
  Array<PatternAdjoint> adjoints;
  Array<PatternWay> ways;

private:
  bool has(const InternedTuples &tuples, int32_t number, const chirt_task *task,
           const int64_t *words, const chirt_domain *domain) const;
  void rehash();

  Array<Pattern> patterns;
  Array<int64_t> bounds;
  Array<int32_t> byHash; ///< 1 + number of the last one made with such a hash
  int32_t latest = -1;   ///< of the launch before
  int32_t leader = -1;   ///< of the one before a launch that was not found
};

/// Does a pack hold these words?
bool isTupleOf(const int64_t *tuple, const chirt_task *task,
               const int64_t *words, const chirt_domain *domain);
/// The domain that a pack tells.
chirt_domain domainOf(const int64_t *tuple, const chirt_task *task);
/// The words of a pack of a task.
inline int64_t tupleSize(const chirt_task *task) {
  return task->num_arguments + 2 * task->rank + 2;
}

} // namespace chirt
#endif // CHIRT_TAPE_PATTERNS_H
