//===- Canvas.cpp ---------------------------------------------------------===//
#include "chirt/plot/Canvas.h"

#include <cmath>

namespace chirt {

namespace {
/// Reads a drawing, number by number.
class Painter {
public:
  Painter(const Cairo &cairo, cairo_t *to, const Drawing &drawing)
      : cairo(cairo), to(to), drawing(drawing) {}
  void draw();

private:
  bool isAtEnd() const { return at >= drawing.numbers.size(); }
  /// 0 behind the last one.
  double take() {
    double number = 0;
    if (!isAtEnd())
      memcpy(&number, drawing.numbers.at(at++), sizeof(number));
    return number;
  }
  int64_t takeCount() {
    double number = take();
    return number >= 0 && number < 1e15 ? int64_t(number) : 0;
  }
  void drawPart(int operation);
  void addPath();
  void setDashes();
  void clip();
  void drawText();
  void drawImage();
  void fillImage(cairo_surface_t *surface, int64_t first, int columns,
                 int rows);

  const Cairo &cairo;
  cairo_t *to;
  const Drawing &drawing;
  int64_t at = 0;
  int numClips = 0;
};
} // namespace

void Painter::addPath() {
  int64_t count = takeCount();
  for (int64_t k = 0; k < count && !isAtEnd(); ++k) {
    double x = take(), y = take();
    k ? cairo.line_to(to, x, y) : cairo.move_to(to, x, y);
  }
}

void Painter::setDashes() {
  constexpr int64_t kMost = 8;
  double lengths[kMost];
  int64_t count = takeCount();
  for (int64_t k = 0; k < count && k < kMost; ++k)
    lengths[k] = take();
  cairo.set_dash(to, lengths, int(count < kMost ? count : kMost), 0);
}

void Painter::clip() {
  double x = take(), y = take(), width = take(), height = take();
  cairo.save(to);
  cairo.rectangle(to, x, y, width, height);
  cairo.clip(to);
  ++numClips;
}

void Painter::drawText() {
  int64_t number = takeCount();
  double x = take(), y = take(), size = take(), part = take();
  bool isBold = take() != 0;
  double degrees = take();
  if (number >= drawing.texts.size())
    return;
  const char *text = chirt_str_of_word(*drawing.texts.at(number));
  if (!text)
    return;
  cairo.save(to);
  setFont(cairo, to, size, isBold);
  cairo.translate(to, x, y);
  cairo.rotate(to, degrees * M_PI / 180);
  cairo.move_to(to, -part * widthOf(cairo, to, text), 0);
  cairo.show_text(to, text);
  cairo.restore(to);
  cairo.new_path(to);
}

/// Cairo's pixels are words, with the colours times alpha.
void Painter::fillImage(cairo_surface_t *surface, int64_t first, int columns,
                        int rows) {
  cairo.surface_flush(surface);
  unsigned char *data = cairo.image_surface_get_data(surface);
  int stride = cairo.image_surface_get_stride(surface);
  for (int row = 0; data && row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const unsigned char *from =
          drawing.pixels + 4 * (first + int64_t(row) * columns + column);
      uint32_t alpha = from[3], word = alpha << 24;
      for (int c = 0; c < 3; ++c)
        word |= ((from[c] * alpha + 127) / 255) << (16 - 8 * c);
      memcpy(data + int64_t(row) * stride + 4 * column, &word, 4);
    }
  cairo.surface_mark_dirty(surface);
}

void Painter::drawImage() {
  int64_t first = takeCount(), columns = takeCount(), rows = takeCount();
  double x = take(), y = take(), width = take(), height = take();
  bool isSmooth = take() != 0;
  constexpr int64_t kMost = 32767; // of cairo
  if (columns < 1 || rows < 1 || columns > kMost || rows > kMost ||
      first + columns * rows > drawing.numPixels)
    return;
  cairo_surface_t *surface =
      cairo.image_surface_create(CAIRO_FORMAT_ARGB32, int(columns), int(rows));
  fillImage(surface, first, int(columns), int(rows));
  cairo.save(to);
  cairo.translate(to, x, y);
  cairo.scale(to, width / double(columns), height / double(rows));
  cairo.set_source_surface(to, surface, 0, 0);
  cairo.pattern_set_filter(cairo.get_source(to), isSmooth
                                                     ? CAIRO_FILTER_BILINEAR
                                                     : CAIRO_FILTER_NEAREST);
  cairo.rectangle(to, 0, 0, double(columns), double(rows));
  cairo.fill(to);
  cairo.restore(to);
  cairo.surface_destroy(surface);
}

void Painter::drawPart(int operation) {
  double numbers[4];
  auto takeSome = [&](int count) {
    for (int k = 0; k < count; ++k)
      numbers[k] = take();
  };
  switch (operation) {
  case CanvasColor:
    takeSome(4);
    return cairo.set_source_rgba(to, numbers[0], numbers[1], numbers[2],
                                 numbers[3]);
  case CanvasPen:
    return cairo.set_line_width(to, take());
  case CanvasDashes:
    return setDashes();
  case CanvasPath:
    return addPath();
  case CanvasClose:
    return cairo.close_path(to);
  case CanvasRectangle:
    takeSome(4);
    return cairo.rectangle(to, numbers[0], numbers[1], numbers[2], numbers[3]);
  case CanvasCircle:
    takeSome(3);
    cairo.move_to(to, numbers[0] + numbers[2], numbers[1]);
    return cairo.arc(to, numbers[0], numbers[1], numbers[2], 0, 2 * M_PI);
  case CanvasStroke:
    return cairo.stroke(to);
  case CanvasFill:
    return cairo.fill(to);
  case CanvasClip:
    return clip();
  case CanvasUnclip:
    return numClips > 0 ? (--numClips, cairo.restore(to)) : void();
  case CanvasText:
    return drawText();
  case CanvasImage:
    return drawImage();
  default:
    at = drawing.numbers.size();
  }
}

void Painter::draw() {
  cairo.set_source_rgba(to, 1, 1, 1, 1);
  cairo.paint(to);
  cairo.set_line_join(to, CAIRO_LINE_JOIN_ROUND);
  while (!isAtEnd())
    drawPart(int(takeCount()));
}

void draw(const Cairo &cairo, cairo_t *to, const Drawing &drawing) {
  Painter(cairo, to, drawing).draw();
}

void setFont(const Cairo &cairo, cairo_t *to, double size, bool isBold) {
  cairo.select_font_face(to, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         isBold ? CAIRO_FONT_WEIGHT_BOLD
                                : CAIRO_FONT_WEIGHT_NORMAL);
  cairo.set_font_size(to, size);
}

double widthOf(const Cairo &cairo, cairo_t *to, const char *text) {
  cairo_text_extents_t extents;
  cairo.text_extents(to, text, &extents);
  return extents.x_advance;
}

} // namespace chirt
