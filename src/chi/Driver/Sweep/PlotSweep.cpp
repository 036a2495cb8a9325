//===- PlotSweep.cpp - Plots of sweeps ------------------------------------===//
#include "chi/Driver/Sweep/RunSweep.h"
#include "chi/Sweep/Plot/Draw.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Store/Database.h"
#include "chirt/chirt.h"
#include "chirt/operators.h"
#include <cstring>

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

/// What is asked of the run time's canvas. It is plain, since a failure leaves
/// the function that asks.
struct DrawRequest {
  const char *file;
  chirt_object *numbers, *texts;
  chirt_field *pixels;
};

static double widthOf(const std::string &text, double size) {
  return chirt_draw_width(nullptr, text.c_str(), size, /*is_bold=*/0);
}

/// Fails without cairo.
static void measure(void *) { chirt_draw_width(nullptr, "", 1, 0); }

static void drawByRunTime(void *context) {
  const auto &request = *static_cast<DrawRequest *>(context);
  chirt_draw(nullptr, request.file, sweep::Drawing::kWidth,
             sweep::Drawing::kHeight, request.numbers, request.texts,
             request.pixels);
}

/// The status of drawing; the texts live until then.
static int32_t run(const sweep::Drawing &drawing, const std::string &file) {
  DrawRequest request = {
      file.c_str(), chirt_list_new("d"), chirt_list_new("s"),
      chirt_field_new(nullptr, "u8", 1, 0, 0, 0, 0, 0, 0, 0, 0)};
  for (double number : drawing.numbers) {
    int64_t word;
    std::memcpy(&word, &number, sizeof(word));
    chirt_list_push(request.numbers, word);
  }
  for (const std::string &text : drawing.texts)
    chirt_list_push(request.texts, chirt_word_of_str(text.c_str()));
  int32_t status = chirt_guard(drawByRunTime, &request);
  chirt_field_release(request.pixels);
  chirt_object_release(request.texts);
  chirt_object_release(request.numbers);
  return status;
}

/// Draws with the canvas of the module `plot`: the file is whole, or not there.
static llvm::Error draw(const sweep::Figure &figure,
                        const std::string &output) {
  llvm::StringRef end = llvm::StringRef(output).rsplit('.').second;
  if (end != "png" && end != "svg" && end != "pdf")
    return sweep::failure("'" + output + "': a picture is .png, .svg or .pdf");
  chirt_silence_failures(true);
  int32_t status = chirt_guard(measure, nullptr);
  if (status == 0)
    status = run(sweep::drawingOf(figure, widthOf), output);
  chirt_silence_failures(false);
  if (status == 0)
    return llvm::Error::success();
  llvm::StringRef problem = llvm::StringRef(chirt_last_failure()).trim();
  problem.consume_front("error: ");
  return sweep::failure(problem);
}

int chi::driver::plotSweep(PlotWords words, DriverEnv &env) {
  if (words.output.empty())
    words.output = words.folder + "/plot.png";
  auto figure = figureOf(words);
  llvm::Error failed =
      figure ? draw(*figure, words.output) : figure.takeError();
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
