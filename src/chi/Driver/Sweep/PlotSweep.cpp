//===- PlotSweep.cpp - Plots of sweeps ------------------------------------===//
#include "chi/Driver/Sweep/RunSweep.h"
#include "chi/Sweep/Plot/Figure.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Store/Database.h"
#include "llvm/Support/FileSystem.h"
#include <dlfcn.h>

using namespace chi;
using namespace chi::driver;

/// "dt: time step, s": the name of a column, and what its param says.
static std::string labelOf(sweep::Database &database, const std::string &name) {
  auto doc = database.property("doc " + name);
  if (doc && !doc->empty())
    return name + ": " + *doc;
  if (!doc)
    llvm::consumeError(doc.takeError());
  return name == "seconds" ? "run time, s" : name;
}

static std::string programName(sweep::Database &database) {
  auto text = database.property("request");
  if (!text) {
    llvm::consumeError(text.takeError());
    return "";
  }
  auto request = sweep::readRequest(*text);
  if (!request) {
    llvm::consumeError(request.takeError());
    return "";
  }
  return request->program.substr(request->program.rfind('/') + 1);
}

/// Fills in the columns of `words` that were not given.
static llvm::Expected<sweep::Figure> figureOf(PlotWords &words) {
  auto opened =
      sweep::Database::open(words.folder + "/sweep.db", sweep::Database::Read);
  if (!opened)
    return opened.takeError();
  auto rows = (*opened)->rows();
  if (!rows)
    return rows.takeError();
  sweep::Table table = sweep::makeTable(*rows, /*isFull=*/true);
  if (!words.where.empty())
    if (llvm::Error wrong = sweep::filter(table, words.where))
      return std::move(wrong);
  llvm::StringRef log = words.log;
  sweep::FigureWords columns =
      sweep::chooseColumns(table, {words.x, words.y, words.by,
                                   log.contains('x'), log.contains('y')});
  words.x = columns.x;
  words.y = columns.y;
  words.by = columns.by;
  auto figure = sweep::makeFigure(table, columns);
  if (!figure)
    return figure;
  figure->xLabel = labelOf(**opened, words.x);
  figure->yLabel = labelOf(**opened, words.y);
  figure->title = words.title.empty() ? programName(**opened) : words.title;
  return figure;
}

/// Draws into a file beside, which then gets the name: no half picture.
static llvm::Error draw(const sweep::Figure &figure, const std::string &output,
                        const DriverEnv &env) {
  llvm::StringRef end = llvm::StringRef(output).rsplit('.').second;
  if (end != "png" && end != "svg" && end != "pdf")
    return sweep::failure("'" + output + "': a picture is .png, .svg or .pdf");
  std::string path = env.host.binaryFolder + "/../lib/libchic-plot.so";
  void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto *entry = library ? reinterpret_cast<decltype(&chic_plot)>(
                              ::dlsym(library, "chic_plot"))
                        : nullptr;
  if (!entry)
    return sweep::failure(llvm::Twine("cannot load the drawing: ") +
                          ::dlerror());
  std::string beside = output + ".new." + end.str(), problem;
  entry(figure, beside, problem);
  if (problem.empty())
    if (std::error_code failed = llvm::sys::fs::rename(beside, output))
      problem = failed.message();
  if (problem.empty())
    return llvm::Error::success();
  llvm::sys::fs::remove(beside);
  return sweep::failure("'" + output + "': " + problem);
}

int chi::driver::plotSweep(PlotWords words, DriverEnv &env) {
  if (words.output.empty())
    words.output = words.folder + "/plot.png";
  auto figure = figureOf(words);
  llvm::Error failed =
      figure ? draw(*figure, words.output, env) : figure.takeError();
  if (failed) {
    env.err << "chic sweep plot: " << llvm::toString(std::move(failed)) << "\n";
    return ExitWorld;
  }
  if (figure->numLeftOut)
    env.err << "chic sweep plot: " << figure->numLeftOut
            << " points without such numbers are left out\n";
  env.out << "'" << words.output << "': " << words.y << " over " << words.x;
  if (!words.by.empty())
    env.out << ", a curve for each " << words.by;
  env.out << "\n";
  return ExitGood;
}
