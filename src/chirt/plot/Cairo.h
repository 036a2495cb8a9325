//===- Cairo.h - Cairo's functions, loaded when needed ----------*- C++ -*-===//
#ifndef CHIRT_PLOT_CAIRO_H
#define CHIRT_PLOT_CAIRO_H

#include "chirt/chirt.h"
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

namespace chirt {

/// The functions that a canvas calls, each without its `cairo_`.
#define CHIRT_CAIRO(Each)                                                      \
  Each(create) Each(destroy) Each(status) Each(status_to_string) Each(save)    \
      Each(restore) Each(scale) Each(translate) Each(rotate) Each(paint)       \
          Each(set_source_rgba) Each(set_line_width) Each(set_line_join) Each( \
              set_dash) Each(move_to) Each(line_to) Each(close_path)           \
              Each(new_path) Each(stroke) Each(fill) Each(rectangle) Each(arc) \
                  Each(clip) Each(select_font_face) Each(set_font_size) Each(  \
                      text_extents) Each(show_text) Each(set_source_surface)   \
                      Each(get_source) Each(pattern_set_filter) Each(          \
                          surface_destroy) Each(surface_finish)                \
                          Each(surface_status) Each(surface_flush) Each(       \
                              surface_mark_dirty) Each(image_surface_create)   \
                              Each(image_surface_get_data)                     \
                                  Each(image_surface_get_stride)               \
                                      Each(surface_write_to_png_stream) Each(  \
                                          svg_surface_create_for_stream)       \
                                          Each(pdf_surface_create_for_stream)

struct Cairo {
#define CHIRT_MEMBER(Name) decltype(&cairo_##Name) Name;
  CHIRT_CAIRO(CHIRT_MEMBER)
#undef CHIRT_MEMBER
};

/// Loads the library; fails at `site` if it is not there. The functions live as
/// long as the process.
bool loadCairo(const chirt_site *site, Cairo &cairo);

} // namespace chirt
#endif // CHIRT_PLOT_CAIRO_H
