//===- Draw.cpp - Figures as pictures -------------------------------------===//
#include "chi/Sweep/Plot/Figure.h"
#include "chi/Sweep/Plot/Ticks.h"
#include <algorithm>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
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
constexpr double kWidth = 800, kHeight = 560; // of a picture, in points
constexpr double kLeft = 92, kRight = 24, kTop = 44, kBottom = 64;

/// Draws one figure.
class Painter {
public:
  Painter(cairo_t *cairo, const Figure &figure);
  void draw();

private:
  enum Align { Begin, Middle, End };
  void color(const Color &color, double alpha = 1) {
    cairo_set_source_rgba(cairo, color.red, color.green, color.blue, alpha);
  }
  double xOf(double value) const {
    return kLeft + x.place(value) * (kWidth - kLeft - kRight);
  }
  double yOf(double value) const {
    return kHeight - kBottom - y.place(value) * (kHeight - kTop - kBottom);
  }
  double widthOf(const std::string &text);
  void text(double atX, double atY, const std::string &text, Align align);
  void line(double fromX, double fromY, double toX, double toY);
  void drawTicks();
  void drawLabels();
  void drawCurve(const Curve &curve, const Color &paint);
  void drawLegend();

  cairo_t *cairo;
  const Figure &figure;
  Scale x, y;
};
} // namespace

Painter::Painter(cairo_t *cairo, const Figure &figure)
    : cairo(cairo), figure(figure) {
  std::vector<double> xs, ys;
  for (const Curve &curve : figure.curves)
    for (auto [px, py] : curve.points) {
      xs.push_back(px);
      ys.push_back(py);
    }
  x = makeScale(xs, figure.isLogX, 8);
  y = makeScale(ys, figure.isLogY, 7);
}

double Painter::widthOf(const std::string &text) {
  cairo_text_extents_t extents;
  cairo_text_extents(cairo, text.c_str(), &extents);
  return extents.x_advance;
}

void Painter::text(double atX, double atY, const std::string &text,
                   Align align) {
  cairo_move_to(cairo, atX - widthOf(text) * int(align) / 2, atY);
  cairo_show_text(cairo, text.c_str());
}

void Painter::line(double fromX, double fromY, double toX, double toY) {
  cairo_move_to(cairo, fromX, fromY);
  cairo_line_to(cairo, toX, toY);
  cairo_stroke(cairo);
}

void Painter::drawTicks() {
  constexpr Color grid = {.85, .85, .85}, ink = {.1, .1, .1};
  double bottom = kHeight - kBottom, right = kWidth - kRight;
  cairo_set_font_size(cairo, 13);
  cairo_set_line_width(cairo, 0.7);
  for (const Tick &tick : x.ticks) {
    color(grid, tick.label.empty() ? .5 : 1);
    line(xOf(tick.value), kTop, xOf(tick.value), bottom);
    color(ink);
    text(xOf(tick.value), bottom + 18, tick.label, Middle);
  }
  for (const Tick &tick : y.ticks) {
    color(grid, tick.label.empty() ? .5 : 1);
    line(kLeft, yOf(tick.value), right, yOf(tick.value));
    color(ink);
    text(kLeft - 8, yOf(tick.value) + 4.5, tick.label, End);
  }
  color(ink);
  cairo_set_line_width(cairo, 1);
  cairo_rectangle(cairo, kLeft, kTop, right - kLeft, bottom - kTop);
  cairo_stroke(cairo);
}

void Painter::drawLabels() {
  cairo_set_font_size(cairo, 15);
  text((kLeft + kWidth - kRight) / 2, kHeight - 16, figure.xLabel, Middle);
  cairo_save(cairo);
  cairo_translate(cairo, 22, (kTop + kHeight - kBottom) / 2);
  cairo_rotate(cairo, -M_PI / 2);
  text(0, 0, figure.yLabel, Middle);
  cairo_restore(cairo);
  cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         CAIRO_FONT_WEIGHT_BOLD);
  text((kLeft + kWidth - kRight) / 2, 28, figure.title, Middle);
  cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         CAIRO_FONT_WEIGHT_NORMAL);
}

void Painter::drawCurve(const Curve &curve, const Color &paint) {
  color(paint);
  cairo_set_line_width(cairo, 1.8);
  cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
  cairo_new_path(cairo);
  for (auto [px, py] : curve.points)
    cairo_line_to(cairo, xOf(px), yOf(py));
  cairo_stroke(cairo);
  for (auto [px, py] : curve.points) {
    cairo_arc(cairo, xOf(px), yOf(py), 3.4, 0, 2 * M_PI);
    cairo_fill(cairo);
  }
}

/// In the upper right corner; not more lines than fit.
void Painter::drawLegend() {
  constexpr double kLine = 20;
  auto most = size_t((kHeight - kTop - kBottom - 30) / kLine);
  if (figure.curves.size() < 2 && figure.curves.front().name.empty())
    return;
  cairo_set_font_size(cairo, 13);
  size_t count = std::min(figure.curves.size(), most);
  double width = 0;
  for (const Curve &curve : figure.curves)
    width = std::max(width, widthOf(curve.name));
  double left = kWidth - kRight - width - 52, top = kTop + 10;
  cairo_rectangle(cairo, left, top, width + 42, double(count) * kLine + 8);
  color({1, 1, 1}, .85);
  cairo_fill_preserve(cairo);
  color({.6, .6, .6});
  cairo_set_line_width(cairo, .7);
  cairo_stroke(cairo);
  for (size_t k = 0; k < count; ++k) {
    double at = top + 14 + double(k) * kLine;
    color(kColors[k % std::size(kColors)]);
    cairo_set_line_width(cairo, 1.8);
    line(left + 8, at, left + 28, at);
    cairo_arc(cairo, left + 18, at, 3.4, 0, 2 * M_PI);
    cairo_fill(cairo);
    color({.1, .1, .1});
    text(left + 34, at + 4.5, figure.curves[k].name, Begin);
  }
}

void Painter::draw() {
  color({1, 1, 1});
  cairo_paint(cairo);
  cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         CAIRO_FONT_WEIGHT_NORMAL);
  drawTicks();
  drawLabels();
  for (size_t k = 0; k < figure.curves.size(); ++k)
    drawCurve(figure.curves[k], kColors[k % std::size(kColors)]);
  drawLegend();
}

static bool endsWith(const std::string &text, const std::string &end) {
  return text.size() > end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

extern "C" __attribute__((visibility("default"))) void
chic_plot(const Figure &figure, const std::string &file, std::string &problem) {
  constexpr double kPixels = 2; // of a PNG, for a point
  bool isPng = endsWith(file, ".png");
  cairo_surface_t *surface =
      isPng ? cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                         int(kWidth * kPixels),
                                         int(kHeight * kPixels))
      : endsWith(file, ".svg")
          ? cairo_svg_surface_create(file.c_str(), kWidth, kHeight)
          : cairo_pdf_surface_create(file.c_str(), kWidth, kHeight);
  cairo_t *cairo = cairo_create(surface);
  if (isPng)
    cairo_scale(cairo, kPixels, kPixels);
  Painter(cairo, figure).draw();
  cairo_status_t status = cairo_status(cairo);
  cairo_destroy(cairo);
  if (isPng && status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png(surface, file.c_str());
  cairo_surface_finish(surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  if (status != CAIRO_STATUS_SUCCESS)
    problem = cairo_status_to_string(status);
}
