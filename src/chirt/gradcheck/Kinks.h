//===- Kinks.h - Where a tape lies on a kink --------------------*- C++ -*-===//
#ifndef CHIRT_GRADCHECK_KINKS_H
#define CHIRT_GRADCHECK_KINKS_H

#include "chirt/chirt.h"
#include "chirt/text/Text.h"

namespace chirt {

/// Forgets what the runs before noted.
void forgetKinks();
/// An operation lies on a kink while the tape with this number is open.
void noteKink(const chirt_site *site, int32_t tape);
/// The operations that the run before this one noted while the tape with this
/// number, from 1, was open: "`max` at soft.chi:7 (2 times), …". False if there
/// are none.
bool appendKinks(Text &out, int32_t tape);

} // namespace chirt
#endif // CHIRT_GRADCHECK_KINKS_H
