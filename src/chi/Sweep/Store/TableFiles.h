//===- TableFiles.h - Tables as text, CSV, JSON and NPZ ---------*- C++ -*-===//
#ifndef CHI_SWEEP_STORE_TABLEFILES_H
#define CHI_SWEEP_STORE_TABLEFILES_H

#include "chi/Sweep/Store/Table.h"
#include "llvm/Support/raw_ostream.h"

namespace chi::sweep {

/// Columns for readers, numbers to the right.
void writeText(const Table &table, llvm::raw_ostream &out);
/// RFC 4180 with a line of names, and LF at the ends of lines.
void writeCsv(const Table &table, llvm::raw_ostream &out);
/// An array of objects; NaN and infinities are strings, as JSON has none.
void writeJson(const Table &table, llvm::raw_ostream &out);
/// The bytes of an NPZ file with one vector for each column: i8 where all
/// values are whole, f8 where all are numbers (NaN where there is none), else
/// U.
std::string npzOf(const Table &table);

} // namespace chi::sweep
#endif // CHI_SWEEP_STORE_TABLEFILES_H
