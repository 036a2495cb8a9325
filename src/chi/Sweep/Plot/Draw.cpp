//===- Draw.cpp - Figures as pictures -------------------------------------===//
#include "chi/Sweep/Plot/Draw.h"
#include "chi/Sweep/Plot/Ticks.h"
#include <algorithm>
#include <cmath>

using namespace chi::sweep;

namespace {
struct Color {
  double red, green, blue;
};
/// Of Okabe and Ito (2008), distinct also without red or green.
constexpr Color kColors[] = {
    {0, .447, .698}, {.835, .369, 0},    {0, .62, .451}, {.8, .475, .655},
    {.902, .624, 0}, {.337, .706, .914}, {.2, .2, .2},   {.6, .55, .1}};
constexpr double kWidth = Drawing::kWidth, kHeight = Drawing::kHeight;
/// Of chirt/plot/Canvas.h.
enum CanvasOperation {
  CanvasColor = 0,
  CanvasPen = 1,
  CanvasPath = 3,
  CanvasRectangle = 5,
  CanvasCircle = 6,
  CanvasStroke = 7,
  CanvasFill = 8,
  CanvasText = 11
};
constexpr double kLeft = 92, kRight = 24, kTop = 44, kBottom = 64;

/// Draws one figure.
class Painter {
public:
  Painter(Drawing &drawing, const Figure &figure, const TextWidth &widthOf);
  void draw();

private:
  enum Align { Begin, Middle, End };
  /// An operation of chirt/plot/Canvas.h, and its operands.
  void add(std::initializer_list<double> numbers) {
    drawing.numbers.insert(drawing.numbers.end(), numbers);
  }
  void color(const Color &color, double alpha = 1) {
    add({CanvasColor, color.red, color.green, color.blue, alpha});
  }
  void pen(double width) { add({CanvasPen, width}); }
  void dot(double atX, double atY) {
    add({CanvasCircle, atX, atY, 3.4, CanvasFill});
  }
  double xOf(double value) const {
    return kLeft + x.place(value) * (kWidth - kLeft - kRight);
  }
  double yOf(double value) const {
    return kHeight - kBottom - y.place(value) * (kHeight - kTop - kBottom);
  }
  void text(double atX, double atY, const std::string &text, double size,
            Align align, bool isBold = false, double degrees = 0);
  void line(double fromX, double fromY, double toX, double toY);
  void drawTicks();
  void drawLabels();
  void drawCurve(const Curve &curve, const Color &paint);
  void drawLegend();

  Drawing &drawing;
  const Figure &figure;
  const TextWidth &widthOf;
  Scale x, y;
};
} // namespace

Painter::Painter(Drawing &drawing, const Figure &figure,
                 const TextWidth &widthOf)
    : drawing(drawing), figure(figure), widthOf(widthOf) {
  std::vector<double> xs, ys;
  for (const Curve &curve : figure.curves)
    for (auto [px, py] : curve.points) {
      xs.push_back(px);
      ys.push_back(py);
    }
  x = makeScale(xs, figure.isLogX, 8);
  y = makeScale(ys, figure.isLogY, 7);
}

void Painter::text(double atX, double atY, const std::string &text, double size,
                   Align align, bool isBold, double degrees) {
  add({CanvasText, double(drawing.texts.size()), atX, atY, size,
       int(align) / 2., double(isBold), degrees});
  drawing.texts.push_back(text);
}

void Painter::line(double fromX, double fromY, double toX, double toY) {
  add({CanvasPath, 2, fromX, fromY, toX, toY, CanvasStroke});
}

void Painter::drawTicks() {
  constexpr Color grid = {.85, .85, .85}, ink = {.1, .1, .1};
  double bottom = kHeight - kBottom, right = kWidth - kRight;
  pen(0.7);
  for (const Tick &tick : x.ticks) {
    color(grid, tick.label.empty() ? .5 : 1);
    line(xOf(tick.value), kTop, xOf(tick.value), bottom);
    color(ink);
    text(xOf(tick.value), bottom + 18, tick.label, 13, Middle);
  }
  for (const Tick &tick : y.ticks) {
    color(grid, tick.label.empty() ? .5 : 1);
    line(kLeft, yOf(tick.value), right, yOf(tick.value));
    color(ink);
    text(kLeft - 8, yOf(tick.value) + 4.5, tick.label, 13, End);
  }
  color(ink);
  pen(1);
  add({CanvasRectangle, kLeft, kTop, right - kLeft, bottom - kTop,
       CanvasStroke});
}

void Painter::drawLabels() {
  double middle = (kLeft + kWidth - kRight) / 2;
  text(middle, kHeight - 16, figure.xLabel, 15, Middle);
  text(22, (kTop + kHeight - kBottom) / 2, figure.yLabel, 15, Middle,
       /*isBold=*/false, /*degrees=*/-90);
  text(middle, 28, figure.title, 15, Middle, /*isBold=*/true);
}

void Painter::drawCurve(const Curve &curve, const Color &paint) {
  color(paint);
  pen(1.8);
  add({CanvasPath, double(curve.points.size())});
  for (auto [px, py] : curve.points)
    add({xOf(px), yOf(py)});
  add({CanvasStroke});
  for (auto [px, py] : curve.points)
    dot(xOf(px), yOf(py));
}

/// In the upper right corner; not more lines than fit.
void Painter::drawLegend() {
  constexpr double kLine = 20;
  auto most = size_t((kHeight - kTop - kBottom - 30) / kLine);
  if (figure.curves.size() < 2 && figure.curves.front().name.empty())
    return;
  size_t count = std::min(figure.curves.size(), most);
  double width = 0;
  for (const Curve &curve : figure.curves)
    width = std::max(width, widthOf(curve.name, 13));
  double left = kWidth - kRight - width - 52, top = kTop + 10;
  for (bool isEdge : {false, true}) {
    isEdge ? color({.6, .6, .6}) : color({1, 1, 1}, .85);
    pen(.7);
    add({CanvasRectangle, left, top, width + 42, double(count) * kLine + 8,
         double(isEdge ? CanvasStroke : CanvasFill)});
  }
  for (size_t k = 0; k < count; ++k) {
    double at = top + 14 + double(k) * kLine;
    color(kColors[k % std::size(kColors)]);
    pen(1.8);
    line(left + 8, at, left + 28, at);
    dot(left + 18, at);
    color({.1, .1, .1});
    text(left + 34, at + 4.5, figure.curves[k].name, 13, Begin);
  }
}

void Painter::draw() {
  drawTicks();
  drawLabels();
  for (size_t k = 0; k < figure.curves.size(); ++k)
    drawCurve(figure.curves[k], kColors[k % std::size(kColors)]);
  drawLegend();
}

Drawing chi::sweep::drawingOf(const Figure &figure, const TextWidth &widthOf) {
  Drawing drawing;
  Painter(drawing, figure, widthOf).draw();
  return drawing;
}
