//===- Jpeg.cpp - Pictures of JPEG ----------------------------------------===//
// By libturbojpeg, which is loaded when it is needed: its handles are opaque,
// so that nothing of its headers is compiled in, unlike libjpeg's.
#include "chirt/containers/Points.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Making.h"
#include "chirt/io/File.h"
#include <dlfcn.h>

namespace chirt {

namespace {
/// Of turbojpeg.h, from version 1.4 on.
constexpr int kGray = 6, kRgb = 0;         // TJPF_GRAY, TJPF_RGB
constexpr int kSampGray = 3, kSamp444 = 0; // TJSAMP_GRAY, TJSAMP_444
struct TurboJpeg {
  void *(*initDecompress)();
  void *(*initCompress)();
  int (*header)(void *, const unsigned char *, unsigned long, int *, int *,
                int *, int *);
  int (*decompress)(void *, const unsigned char *, unsigned long,
                    unsigned char *, int, int, int, int, int);
  int (*compress)(void *, const unsigned char *, int, int, int, int,
                  unsigned char **, unsigned long *, int, int, int);
  char *(*message)(void *);
  void (*give)(unsigned char *);
  int (*destroy)(void *);
};

template <typename F> bool find(void *library, const char *name, F &function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

/// Fails without the library.
bool load(const chirt_site *site, const char *path, TurboJpeg &jpeg) {
  void *library = dlopen("libturbojpeg.so.0", RTLD_NOW | RTLD_LOCAL);
  return (library && find(library, "tjInitDecompress", jpeg.initDecompress) &&
          find(library, "tjInitCompress", jpeg.initCompress) &&
          find(library, "tjDecompressHeader3", jpeg.header) &&
          find(library, "tjDecompress2", jpeg.decompress) &&
          find(library, "tjCompress2", jpeg.compress) &&
          find(library, "tjGetErrorStr2", jpeg.message) &&
          find(library, "tjFree", jpeg.give) &&
          find(library, "tjDestroy", jpeg.destroy)) ||
         failAt(site, WorldFault,
                "`%s`: pictures of JPEG need libturbojpeg.so.0, which was not "
                "found (package libturbojpeg0)",
                path);
}

bool readFile(const chirt_site *site, const char *path, Array<char> &bytes) {
  OpenFile file(path);
  constexpr int64_t kMost = int64_t(1) << 30;
  int64_t size = file.error() ? 0 : file.size();
  if (!file.error() && size >= 0 && size <= kMost) {
    bytes.resize(size_t(size));
    if (file.read(bytes.data(), bytes.size()) == bytes.size())
      return true;
  }
  return failAt(site, WorldFault, "cannot read `%s`: %s", path,
                file.error() ? strerror(file.error())
                             : "it is no ordinary file of at most 1 GiB");
}

/// The picture in `bytes`; null after a failure.
chirt_field *decode(const chirt_site *site, const char *path,
                    const TurboJpeg &jpeg, void *decoder,
                    const Array<char> &bytes) {
  const auto *data = reinterpret_cast<const unsigned char *>(bytes.data());
  int width = 0, height = 0, sampling = 0, space = 0;
  auto fail = [&] {
    failAt(site, WorldFault, "`%s`: %s", path, jpeg.message(decoder));
    return nullptr;
  };
  if (jpeg.header(decoder, data, bytes.size(), &width, &height, &sampling,
                  &space) != 0)
    return fail();
  constexpr int64_t kMostPixels = int64_t(1) << 28;
  if (int64_t(width) * height > kMostPixels) {
    failAt(site, WorldFault, "`%s` has %d x %d pixels, more than 2^28", path,
           width, height);
    return nullptr;
  }
  int channels = sampling == kSampGray ? 1 : 3;
  int64_t extents[] = {height, width, channels};
  FieldType type;
  type.dtype = CHIRT_U8;
  chirt_field *picture = makeField(site, type, 3, extents);
  if (!picture)
    return nullptr;
  auto *pixels =
      reinterpret_cast<unsigned char *>(hostCopyToOverwrite(picture));
  // A warning, such as that of a file that ends early, is an error too.
  if (jpeg.decompress(decoder, data, bytes.size(), pixels, width, 0, height,
                      channels == 1 ? kGray : kRgb, 0) == 0)
    return picture;
  chirt_field_release(picture);
  return fail();
}

chirt_field *read(const chirt_site *site, const char *path) {
  TurboJpeg jpeg;
  Array<char> bytes;
  if (!load(site, path, jpeg) || !readFile(site, path, bytes))
    return nullptr;
  void *decoder = jpeg.initDecompress();
  if (!decoder)
    outOfMemory();
  chirt_field *picture = decode(site, path, jpeg, decoder, bytes);
  jpeg.destroy(decoder);
  return picture;
}

bool write(const chirt_site *site, const char *path, const chirt_field *picture,
           int quality) {
  TurboJpeg jpeg;
  if (!load(site, path, jpeg))
    return false;
  void *coder = jpeg.initCompress();
  if (!coder)
    outOfMemory();
  bool isGray = picture->extents[2] == 1;
  unsigned char *bytes = nullptr;
  unsigned long size = 0;
  bool isDone =
      jpeg.compress(coder,
                    reinterpret_cast<const unsigned char *>(hostCopy(picture)),
                    int(picture->extents[1]), 0, int(picture->extents[0]),
                    isGray ? kGray : kRgb, &bytes, &size,
                    isGray ? kSampGray : kSamp444, quality, 0) == 0 ||
      failAt(site, WorldFault, "`%s`: %s", path, jpeg.message(coder));
  if (isDone) {
    NewFile file(path);
    file.attachMaking();
    isDone = (file.write(bytes, size) && file.commit()) || file.fail(site);
  }
  jpeg.give(bytes);
  jpeg.destroy(coder);
  return isDone;
}
} // namespace

} // namespace chirt

using namespace chirt;

chirt_field *chirt_jpeg_read(const chirt_site *site, const char *path) {
  chirt_field *picture = read(site, path ? path : "");
  if (!picture)
    leave();
  return picture;
}

void chirt_jpeg_write(const chirt_site *site, const char *path,
                      const chirt_field *picture, int32_t quality) {
  if (!write(site, path ? path : "", picture, quality))
    leave();
}
