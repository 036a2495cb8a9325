//===- Png.cpp - Pictures -------------------------------------------------===//
// libpng reports by longjmp: functions that call it own nothing.
#include "chirt/field/Copies.h"
#include "chirt/field/Making.h"
#include "chirt/io/Formats.h"
#include "chirt/provenance/Record.h"
#include "chirt/support/Memory.h"

#include <climits>
#include <csetjmp>
#include <cstdio>
#include <png.h>

namespace chirt {

namespace {
/// A picture in memory, row 0 on top.
struct Picture {
  int64_t width = 0, height = 0;
  int channels = 1, depth = 8;
  Array<unsigned char> pixels;

  size_t rowBytes() const {
    return size_t(width) * size_t(channels) * size_t(depth / 8);
  }
};

/// Where element (i, j) of a field of `rows` x `columns` stands.
struct Placement {
  bool isXY;
  int64_t height;
  size_t pixel(const Picture &p, int64_t i, int64_t j) const {
    int64_t row = isXY ? height - 1 - j : i, column = isXY ? i : j;
    return size_t(row * p.width + column) * size_t(p.channels);
  }
};

/// 0..1 to 0..255; what is outside is clamped, nan is 0.
unsigned char toByte(double value) {
  if (!(value > 0))
    return 0;
  return value >= 1 ? 255 : static_cast<unsigned char>(value * 255 + 0.5);
}

/// Big-endian, as PNG stores 16 bits.
void putSample(Picture &picture, size_t sample, int32_t dtype,
               const char *memory) {
  unsigned char *to = picture.pixels.data();
  if (dtype == CHIRT_U16) {
    uint16_t value;
    memcpy(&value, memory, 2);
    to[2 * sample] = static_cast<unsigned char>(value >> 8);
    to[2 * sample + 1] = static_cast<unsigned char>(value);
  } else if (dtype == CHIRT_U8) {
    to[sample] = static_cast<unsigned char>(*memory);
  } else if (dtype == CHIRT_BOOL) {
    to[sample] = *memory ? 255 : 0;
  } else {
    to[sample] = toByte(scalarAsDouble(dtype, memory));
  }
}

void paint(const chirt_field *field, bool isXY, Picture &picture) {
  Placement place{isXY, picture.height};
  const char *data = hostCopy(field);
  LogicalWalk walk(field);
  for (int64_t n = 0; n < field->elements; ++n, walk.next()) {
    size_t pixel = place.pixel(picture, walk.indices()[0], walk.indices()[1]);
    for (int c = 0; c < picture.channels; ++c)
      putSample(picture, pixel + size_t(c), field->dtype,
                data + scalarOffset(field, walk.storage(), c));
  }
}

/// Whether a field of that type can be a picture.
bool checkPicture(const chirt_site *site, const char *path, int32_t dtype,
                  int elementRank, int rows, int columns, int rank) {
  Text element;
  appendElementType(element, dtype, elementRank, rows, columns);
  if (rank != 2)
    return failAt(
        site, UserFault,
        "`%s`: an image needs a field with 2 axes, but this one has %d", path,
        rank);
  bool isPixel =
      elementRank == 0 || (elementRank == 1 && (rows == 3 || rows == 4));
  bool isSample = dtype == CHIRT_BOOL || dtype == CHIRT_U8 ||
                  dtype == CHIRT_U16 || isFloatType(dtype);
  if (!isPixel || !isSample)
    return failAt(site, UserFault,
                  "`%s`: %s cannot be stored as a pixel; use scalars, vec3 or "
                  "vec4 of floats (0 to 1), u8, u16 or bool",
                  path, element.c_str());
  return true;
}

/// What is read of a file, from its beginning as often as one likes until it is
/// let go.
struct PngBytes {
  explicit PngBytes(OpenFile &file) : file(file) {}
  size_t read(unsigned char *to, size_t size);
  void goBack(bool keepsMore) { at = 0, keeps = keepsMore; }

  OpenFile &file;
  Array<unsigned char> kept;
  size_t at = 0;
  bool keeps = true;
};

size_t PngBytes::read(unsigned char *to, size_t size) {
  size_t again = size < kept.size() - at ? size : kept.size() - at;
  if (again > 0)
    memcpy(to, kept.data() + at, again);
  size_t fresh = size > again ? file.read(to + again, size - again) : 0;
  if (keeps)
    kept.append(to + again, fresh);
  at += again + (keeps ? fresh : 0);
  return again + fresh;
}

/// libpng's callbacks; its `ptr`s are ours.
void onWrite(png_structp png, png_bytep data, size_t size) {
  if (!static_cast<NewFile *>(png_get_io_ptr(png))->write(data, size))
    png_error(png, "write");
}
void onFlush(png_structp) {}
void onRead(png_structp png, png_bytep data, size_t size) {
  if (static_cast<PngBytes *>(png_get_io_ptr(png))->read(data, size) != size)
    png_error(png, "the file ends early");
}
/// Keeps the message and goes back to the setjmp.
[[noreturn]] void onError(png_structp png, png_const_charp message) {
  char *text = static_cast<char *>(png_get_error_ptr(png));
  strncpy(text, message, 127);
  longjmp(png_jmpbuf(png), 1);
}
void onWarning(png_structp, png_const_charp) {}

constexpr int colorTypes[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                              PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};

/// `record`: of how the file is made; null: it gets none.
bool writePng(NewFile &file, const Picture &picture, const char *record,
              char *message) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, message,
                                            onError, onWarning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info)
    outOfMemory();
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, &file, onWrite, onFlush);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_compression_level(png, 4);
  png_set_IHDR(png, info, png_uint_32(picture.width),
               png_uint_32(picture.height), picture.depth,
               colorTypes[picture.channels], PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (record) {
    png_text text = {};
    text.compression = PNG_TEXT_COMPRESSION_NONE;
    text.key = const_cast<char *>(kRecordName);
    text.text = const_cast<char *>(record);
    png_set_text(png, info, &text, 1);
  }
  png_write_info(png, info);
  for (int64_t row = 0; row < picture.height; ++row)
    png_write_row(png,
                  picture.pixels.data() + size_t(row) * picture.rowBytes());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return true;
}
} // namespace

bool savePng(const chirt_site *site, const char *path, const chirt_field *field,
             bool isXY) {
  if (!checkPicture(site, path, field->dtype, field->element_rank, field->rows,
                    field->columns, field->rank))
    return false;
  Picture picture;
  picture.height = field->extents[isXY ? 1 : 0];
  picture.width = field->extents[isXY ? 0 : 1];
  picture.channels = componentsOf(field);
  picture.depth = field->dtype == CHIRT_U16 ? 16 : 8;
  if (picture.width < 1 || picture.height < 1 || picture.width > INT_MAX / 16 ||
      picture.height > INT_MAX / 16) {
    Text shape;
    appendShape(shape, field->rank, field->extents);
    return failAt(site, UserFault, "`%s`: an image cannot have the shape %s",
                  path, shape.c_str());
  }
  picture.pixels.resize(picture.rowBytes() * size_t(picture.height));
  paint(field, isXY, picture);
  char message[128] = "";
  NewFile file(path);
  Text record;
  if (recordsProvenance())
    appendRecord(record, path);
  file.attachMaking();
  if (!writePng(file, picture, record.empty() ? nullptr : record.c_str(),
                message) ||
      !file.commit())
    return file.fail(site);
  return true;
}

namespace {
/// Size and kind of the picture in `png`, as it will be delivered.
void readInfo(png_structp png, png_infop info, int channels, int depth,
              Picture &picture) {
  png_read_info(png, info);
  picture.width = png_get_image_width(png, info);
  picture.height = png_get_image_height(png, info);
  int color = png_get_color_type(png, info);
  png_set_expand(png);
  if (depth == 16)
    png_set_expand_16(png), png_set_swap(png);
  else
    png_set_scale_16(png);
  bool isColored = color & (PNG_COLOR_MASK_COLOR | PNG_COLOR_MASK_PALETTE);
  if (channels >= 3 && !isColored)
    png_set_gray_to_rgb(png);
  if (channels == 1 && isColored)
    png_set_rgb_to_gray(png, PNG_ERROR_ACTION_NONE, -1, -1);
  if (channels == 4)
    png_set_add_alpha(png, depth == 16 ? 0xffff : 0xff, PNG_FILLER_AFTER);
  else
    png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  picture.channels = channels;
  picture.depth = depth;
}

/// Checks a row of a picture with a palette of `colours`.
void checkColours(png_structp png, const Array<unsigned char> &row,
                  int64_t number, int colours) {
  for (size_t column = 0; column < row.size(); ++column) {
    if (row[column] < colours)
      continue;
    char text[128];
    snprintf(text, sizeof(text),
             "the pixel in row %lld, column %zu has the colour %d, and the "
             "palette has %d",
             static_cast<long long>(number), column, int(row[column]), colours);
    png_error(png, text);
  }
}

/// libpng takes a colour that the palette does not have for black. `row` is
/// memory for one.
bool checkPalette(PngBytes &bytes, Array<unsigned char> &row, char *message) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, message,
                                           onError, onWarning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info)
    outOfMemory();
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, nullptr);
    return false;
  }
  png_set_read_fn(png, &bytes, onRead);
  png_read_info(png, info);
  png_colorp palette;
  int colours = 0;
  bool isIndexed = png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE &&
                   png_get_PLTE(png, info, &palette, &colours);
  if (isIndexed && colours < 1 << png_get_bit_depth(png, info)) {
    row.resize(png_get_image_width(png, info));
    png_set_packing(png);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    // A pixel that a pass leaves out is one that was checked.
    for (int pass = 0; pass < passes; ++pass)
      for (int64_t k = 0; k < png_get_image_height(png, info); ++k) {
        png_read_row(png, row.data(), nullptr);
        checkColours(png, row, k, colours);
      }
  }
  png_destroy_read_struct(&png, &info, nullptr);
  return true;
}

/// Reads the picture with that many channels of that depth (16 bits in the
/// machine's order). `memory` gets it, from allocateUncleared.
bool readPng(PngBytes &bytes, int channels, int depth, Picture &picture,
             char *message, char *volatile &memory) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, message,
                                           onError, onWarning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info)
    outOfMemory();
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, nullptr);
    return false;
  }
  png_set_read_fn(png, &bytes, onRead);
  readInfo(png, info, channels, depth, picture);
  if (png_get_rowbytes(png, info) != picture.rowBytes())
    png_error(png, "its pixels cannot be converted");
  size_t size = picture.rowBytes() * size_t(picture.height);
  memory = static_cast<char *>(size <= freeMemory() ? allocateUncleared(size)
                                                    : nullptr);
  if (!memory)
    png_error(png, "it does not fit in memory");
  int passes = png_get_interlace_type(png, info) == PNG_INTERLACE_ADAM7 ? 7 : 1;
  for (int pass = 0; pass < passes; ++pass)
    for (int64_t row = 0; row < picture.height; ++row)
      png_read_row(png,
                   reinterpret_cast<png_bytep>(memory) +
                       size_t(row) * picture.rowBytes(),
                   nullptr);
  png_read_end(png, nullptr);
  png_destroy_read_struct(&png, &info, nullptr);
  return true;
}

/// How many bits of a sample a field takes. Floats take all that there are.
int depthFor(int32_t dtype) {
  return dtype == CHIRT_U16 || isFloatType(dtype) ? 16 : 8;
}

/// A sample of the picture as a scalar of the field. One of 8 bits, v, comes
/// as 257 v in 16: 257 v / 65535 is v / 255.
void takeSample(const char *from, int32_t dtype, char *to) {
  auto byte = static_cast<unsigned char>(*from);
  uint16_t word = 0;
  if (depthFor(dtype) == 16)
    memcpy(&word, from, 2);
  if (dtype == CHIRT_U16) {
    memcpy(to, &word, 2);
  } else if (dtype == CHIRT_U8) {
    *to = char(byte);
  } else if (dtype == CHIRT_BOOL) {
    *to = byte >= 128;
  } else if (dtype == CHIRT_F16) {
    Half half = doubleToHalf(double(word) / 65535);
    memcpy(to, &half, sizeof(half));
  } else if (dtype == CHIRT_BF16) {
    Brain brain = doubleToBrain(double(word) / 65535);
    memcpy(to, &brain, sizeof(brain));
  } else if (dtype == CHIRT_F32) {
    float value = float(word) / 65535;
    memcpy(to, &value, sizeof(value));
  } else {
    double value = double(word) / 65535;
    memcpy(to, &value, sizeof(value));
  }
}

void take(const char *pixels, const Picture &picture, chirt_field *field) {
  LogicalWalk walk(field);
  char *data = hostCopyToOverwrite(field);
  size_t bytes = size_t(picture.depth / 8);
  for (int64_t n = 0; n < field->elements; ++n, walk.next())
    for (int c = 0; c < picture.channels; ++c)
      takeSample(pixels +
                     (size_t(n) * size_t(picture.channels) + size_t(c)) * bytes,
                 field->dtype, data + scalarOffset(field, walk.storage(), c));
}
} // namespace

chirt_field *loadPng(const chirt_site *site, const char *path,
                     const FieldType &type, int rank) {
  if (!checkPicture(site, path, type.dtype, type.elementRank, type.rows,
                    type.columns, rank))
    return nullptr;
  OpenFile file(path);
  if (file.error()) {
    failAt(site, WorldFault, "cannot read `%s`: %s", path,
           strerror(file.error()));
    return nullptr;
  }
  Picture picture;
  char message[128] = "";
  char *volatile memory = nullptr;
  chirt_field *field = nullptr;
  PngBytes bytes(file);
  Array<unsigned char> row;
  bool isGood = checkPalette(bytes, row, message);
  bytes.goBack(/*keepsMore=*/false);
  if (isGood && readPng(bytes, type.rows * type.columns, depthFor(type.dtype),
                        picture, message, memory)) {
    int64_t extents[] = {picture.height, picture.width};
    field = makeField(site, type, 2, extents);
    if (field)
      take(memory, picture, field);
  } else {
    failAt(site, WorldFault, "`%s` is not a readable png file: %s", path,
           message);
  }
  releaseMemory(memory);
  return field;
}

} // namespace chirt
