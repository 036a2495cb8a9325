/*===- ordered.h - Tasks whose sums have an order -------------------------===*/
#ifndef CHIRT_ORDERED_H
#define CHIRT_ORDERED_H

/* More of chirt_task::flags, beside chirt_task_flag. */
enum chirt_order_flag {
  /* Sums are in the order of the iterations: one worker of the host takes
   * them, whatever the device. */
  CHIRT_TASK_ORDERED = 4,
  /* The same where two of its fields are one, of which one is written. */
  CHIRT_TASK_ORDERED_SAME = 8,
  /* It prints, or uses the result of an atomic operation: a tape that runs its
   * launches again does not run this one, but keeps what it wrote. */
  CHIRT_TASK_ONCE = 16
};

#endif /* CHIRT_ORDERED_H */
