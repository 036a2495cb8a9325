//===- Draw.cpp - Drawings as files ---------------------------------------===//
#include "chirt/containers/Points.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/io/File.h"
#include "chirt/plot/Canvas.h"

namespace chirt {

namespace {
constexpr double kPixels = 2; // of a PNG, for a point

enum class Kind { Png, Svg, Pdf, Unknown };

Kind kindOf(const char *path) {
  const char *dot = strrchr(path, '.');
  return !dot                           ? Kind::Unknown
         : strcasecmp(dot, ".png") == 0 ? Kind::Png
         : strcasecmp(dot, ".svg") == 0 ? Kind::Svg
         : strcasecmp(dot, ".pdf") == 0 ? Kind::Pdf
                                        : Kind::Unknown;
}

cairo_status_t put(void *file, const unsigned char *data, unsigned size) {
  return static_cast<NewFile *>(file)->write(data, size)
             ? CAIRO_STATUS_SUCCESS
             : CAIRO_STATUS_WRITE_ERROR;
}

struct Size {
  double width, height;
};

cairo_surface_t *makeSurface(const Cairo &cairo, Kind kind, Size size,
                             NewFile &file) {
  switch (kind) {
  case Kind::Svg:
    return cairo.svg_surface_create_for_stream(put, &file, size.width,
                                               size.height);
  case Kind::Pdf:
    return cairo.pdf_surface_create_for_stream(put, &file, size.width,
                                               size.height);
  default:
    return cairo.image_surface_create(CAIRO_FORMAT_RGB24,
                                      int(size.width * kPixels),
                                      int(size.height * kPixels));
  }
}

bool drawTo(const chirt_site *site, const char *path, Size size,
            const Drawing &drawing) {
  Kind kind = kindOf(path);
  if (kind == Kind::Unknown)
    return failAt(site, UserFault, "`%s`: a plot is a .png, .svg or .pdf",
                  path);
  Cairo cairo;
  if (!loadCairo(site, cairo))
    return false;
  NewFile file(path);
  file.attachMaking();
  cairo_surface_t *surface = makeSurface(cairo, kind, size, file);
  cairo_t *to = cairo.create(surface);
  if (kind == Kind::Png)
    cairo.scale(to, kPixels, kPixels);
  draw(cairo, to, drawing);
  cairo_status_t status = cairo.status(to);
  cairo.destroy(to);
  if (kind == Kind::Png && status == CAIRO_STATUS_SUCCESS)
    status = cairo.surface_write_to_png_stream(surface, put, &file);
  cairo.surface_finish(surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo.surface_status(surface);
  cairo.surface_destroy(surface);
  if (status != CAIRO_STATUS_SUCCESS && status != CAIRO_STATUS_WRITE_ERROR)
    return failAt(site, WorldFault, "`%s`: cairo says: %s", path,
                  cairo.status_to_string(status));
  return (status == CAIRO_STATUS_SUCCESS && file.commit()) || file.fail(site);
}

bool measure(const chirt_site *site, const char *text, double size, bool isBold,
             double &width) {
  Cairo cairo;
  if (!loadCairo(site, cairo))
    return false;
  cairo_surface_t *surface =
      cairo.image_surface_create(CAIRO_FORMAT_RGB24, 1, 1);
  cairo_t *to = cairo.create(surface);
  setFont(cairo, to, size, isBold);
  width = widthOf(cairo, to, text);
  cairo.destroy(to);
  cairo.surface_destroy(surface);
  return true;
}
} // namespace

} // namespace chirt

using namespace chirt;

void chirt_draw(const chirt_site *site, const char *path, double width,
                double height, const chirt_object *numbers,
                const chirt_object *texts, const chirt_field *pixels) {
  const auto *bytes = reinterpret_cast<const unsigned char *>(hostCopy(pixels));
  Drawing drawing{listOf(numbers), listOf(texts), bytes, pixels->elements / 4};
  if (!drawTo(site, path ? path : "", {width, height}, drawing))
    leave();
}

double chirt_draw_width(const chirt_site *site, const char *text, double size,
                        int32_t is_bold) {
  double width = 0;
  if (!measure(site, text ? text : "", size, is_bold != 0, width))
    leave();
  return width;
}
