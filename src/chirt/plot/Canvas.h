//===- Canvas.h - What a picture is drawn of --------------------*- C++ -*-===//
#ifndef CHIRT_PLOT_CANVAS_H
#define CHIRT_PLOT_CANVAS_H

#include "chirt/containers/Object.h"
#include "chirt/plot/Cairo.h"

namespace chirt {

/// The operations of a drawing, each a number before its operands. Lengths are
/// points, from the upper left corner. stdlib/internal/canvas.chi writes them.
enum CanvasOperation : int {
  CanvasColor,     ///< red, green, blue, alpha
  CanvasPen,       ///< width
  CanvasDashes,    ///< how many lengths, and these
  CanvasPath,      ///< how many points, x and y of each: a further part
  CanvasClose,     ///< joins the last point with the first
  CanvasRectangle, ///< x, y, width, height: a further part of the path
  CanvasCircle,    ///< x, y, radius: a further part of the path
  CanvasStroke,    ///< the path, which is empty then
  CanvasFill,      ///< the same
  CanvasClip,      ///< x, y, width, height: only there, up to CanvasUnclip
  CanvasUnclip,    ///< each ends one
  CanvasText,  ///< text number, x, y, size, part of its width that lies left of
               ///< x, whether it is bold, degrees
  CanvasImage, ///< first pixel, columns, rows, x, y, width, height, whether it
               ///< is smoothed
};

/// What a drawing names by numbers.
struct Drawing {
  const List &numbers; ///< of f64
  const List &texts;
  const unsigned char *pixels; ///< red, green, blue, alpha
  int64_t numPixels;
};

/// Draws; what is no drawing ends it.
void draw(const Cairo &cairo, cairo_t *to, const Drawing &drawing);

/// The size and face of the text that is drawn next.
void setFont(const Cairo &cairo, cairo_t *to, double size, bool isBold);
/// The width of a text.
double widthOf(const Cairo &cairo, cairo_t *to, const char *text);

} // namespace chirt
#endif // CHIRT_PLOT_CANVAS_H
