//===- Record.h - What files say of how they were made ----------*- C++ -*-===//
// The record is a JSON object in ASCII, of what decides the values of a file
// (docs/provenance.md). Two runs of one program with the same options and
// params write the same record, so that their files are equal byte for byte;
// time, host and folder go to an attribute of the file instead.
#ifndef CHIRT_PROVENANCE_RECORD_H
#define CHIRT_PROVENANCE_RECORD_H

#include "chirt/chirt.h"
#include "chirt/provenance/Sample.h"
#include "chirt/text/Text.h"

namespace chirt {

/// The keyword of the record in a PNG file, and its name in an npz file.
inline constexpr char kRecordName[] = "chi.provenance";
/// What follows the name of a file in that of the record beside it.
inline constexpr char kRecordExtension[] = ".chi.json";
/// The extended attribute with the time, the host and the folder.
inline constexpr char kMakingAttribute[] = "user.chi.made";

/// The script runs next, with what chirt_record_provenance said. Params need
/// not have their values yet. `words`: the arguments of the program.
void beginProvenance(const chirt_program *program, const chirt_options *options,
                     int32_t count, const char *const *words);
/// It has ended: nothing that is saved gets a record.
void endProvenance();

/// The state of the run comes from a run with another value of `what` (a
/// param, the seed, the program): the record says so.
void noteOtherState(std::string_view what);

/// Whether files that are saved get a record.
bool recordsProvenance();
/// Appends the record of the file that the program names `path`. `sample`: of
/// the file that the record is beside. Only if files get a record.
void appendRecord(Text &out, const char *path, FileSample sample = {});
/// Appends a JSON object with the time, the host and the folder. Only if files
/// get a record.
void appendMaking(Text &out);

/// Appends a JSON text with `\u` escapes for all that is no ASCII.
void appendAscii(Text &out, std::string_view json);

} // namespace chirt
#endif // CHIRT_PROVENANCE_RECORD_H
