//===- RunSweep.h - Begins and goes on with sweeps --------------*- C++ -*-===//
#ifndef CHI_DRIVER_SWEEP_RUNSWEEP_H
#define CHI_DRIVER_SWEEP_RUNSWEEP_H

#include "chi/Driver/DriverEnv.h"
#include "chi/Driver/Sweep/Words.h"

namespace chi::driver {

/// `chic sweep FILE --over …` and `chic sweep --resume DIR`. Returns the exit
/// status: 0, 1 if a point failed, 2 if the sweep cannot run, 128 + the number
/// of a signal that stopped it.
int runSweep(const SweepWords &words, DriverEnv &env);

/// What a script of Slurm runs: a task of the batch in this folder.
int runWorkerOf(const std::string &batch, DriverEnv &env);

/// `chic sweep status DIR`.
int showStatus(const std::string &folder, DriverEnv &env);

/// How `chic sweep table` prints.
struct TableWords {
  std::string folder, where, npz;
  bool isCsv = false, isJson = false, isFull = false;
};
/// `chic sweep table DIR`.
int showTable(const TableWords &words, DriverEnv &env);

/// What `chic sweep plot` draws; columns and a file that are "" are chosen.
struct PlotWords {
  std::string folder, x, y, by, log, title, where, output;
};
/// `chic sweep plot DIR`: writes a PNG, SVG or PDF.
int plotSweep(PlotWords words, DriverEnv &env);

} // namespace chi::driver
#endif // CHI_DRIVER_SWEEP_RUNSWEEP_H
