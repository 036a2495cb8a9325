//===- NpzWrite.cpp - Members written through minizip ---------------------===//
#include "chirt/io/Npz.h"

#include "chirt/text/CodePoints.h"
#include "chirt/text/Write.h"
#include <cstdio>
#include <minizip/zip.h>

namespace chirt {

/// What minizip writes goes to the new file. It goes back only to fill in what
/// it could not know before a member ended.
struct ZipToFile {
  static NpzWriter &of(void *context) {
    return *static_cast<NpzWriter *>(context);
  }
  static void *open(void *context, const void *, int) { return context; }
  static uLong read(void *, void *, void *, uLong) { return 0; }
  static uLong write(void *context, void *, const void *data, uLong size) {
    NpzWriter &writer = of(context);
    uint64_t end = writer.file.size();
    bool isDone = writer.position == end
                      ? writer.file.write(data, size)
                      : writer.file.overwrite(writer.position, data, size);
    writer.position += size;
    return isDone ? size : 0;
  }
  static ZPOS64_T tell(void *context, void *) { return of(context).position; }
  static long seek(void *context, void *, ZPOS64_T offset, int origin) {
    NpzWriter &writer = of(context);
    uint64_t from = origin == ZLIB_FILEFUNC_SEEK_CUR   ? writer.position
                    : origin == ZLIB_FILEFUNC_SEEK_END ? writer.file.size()
                                                       : 0;
    writer.position = from + offset;
    return writer.position <= writer.file.size() ? 0 : -1;
  }
  static int close(void *, void *) { return 0; }
  static int error(void *, void *) { return 0; }
};

NpzWriter::NpzWriter(const char *path) : file(path) {
  zlib_filefunc64_def calls = {
      ZipToFile::open, ZipToFile::read,  ZipToFile::write, ZipToFile::tell,
      ZipToFile::seek, ZipToFile::close, ZipToFile::error, this};
  zip = zipOpen2_64(path, APPEND_STATUS_CREATE, nullptr, &calls);
  if (!zip)
    outOfMemory();
}

NpzWriter::~NpzWriter() {
  if (zip)
    zipClose(zip, nullptr);
}

bool NpzWriter::beginMember(std::string_view member, int64_t bytes) {
  constexpr size_t longest = 60000; // the format has 16 bits for a length
  if (isBad || member.size() > longest)
    return !(isBad = true);
  Text name;
  name << member;
  zip_fileinfo facts = {};
  facts.tmz_date = {0, 0, 0, 1, 0, 1980}; // the first day that a ZIP can name
  facts.external_fa = 0100644u << 16;     // a file that all may read
  // Headers included, a member of more has to be of the form for 64 bits.
  constexpr int64_t limit = INT64_C(0xffffffff) - 4096;
  constexpr uLong system = 3 << 8, version = 20, isUtf8 = 1 << 11;
  isBad = zipOpenNewFileInZip4_64(
              zip, name.c_str(), &facts, nullptr, 0, nullptr, 0, nullptr,
              /*method=*/0, /*level=*/0, /*raw=*/0, -MAX_WBITS, DEF_MEM_LEVEL,
              Z_DEFAULT_STRATEGY, nullptr, 0, system | version, isUtf8,
              bytes > limit) != ZIP_OK;
  return !isBad;
}

bool NpzWriter::write(const void *data, size_t size) {
  const char *bytes = static_cast<const char *>(data);
  while (size > 0 && !isBad) {
    size_t chunk = size < kChunkBytes ? size : kChunkBytes;
    isBad = zipWriteInFileInZip(zip, bytes, unsigned(chunk)) != ZIP_OK;
    bytes += chunk, size -= chunk;
  }
  return !isBad;
}

bool NpzWriter::endMember() {
  isBad = isBad || zipCloseFileInZip(zip) != ZIP_OK;
  return !isBad;
}

bool NpzWriter::beginArray(std::string_view name, std::string_view descr,
                           int axes, const int64_t *extents, int64_t bytes) {
  Text member, header;
  member << name << ".npy";
  makeNpyHeader(header, descr, axes, extents);
  return beginMember(member, int64_t(header.size()) + bytes) &&
         write(header.view().data(), header.size());
}

bool NpzWriter::add(std::string_view name, const chirt_field *field) {
  int64_t extents[CHIRT_MAX_RANK + 2];
  int axes = npyAxes(field, extents);
  Text descr;
  appendNpyType(descr, field->dtype, field->is_complex != 0);
  ByteSink sink = {[](void *context, const void *data, size_t size) {
                     return static_cast<NpzWriter *>(context)->write(data,
                                                                     size);
                   },
                   this};
  return beginArray(name, descr, axes, extents, npyBytes(field)) &&
         writeNpyValues(sink, field) && endMember();
}

bool NpzWriter::add(std::string_view name, int32_t dtype, int axes,
                    const int64_t *extents, const void *values,
                    bool isComplex) {
  int64_t bytes = scalarBytes(dtype) * (isComplex ? 2 : 1);
  for (int k = 0; k < axes; ++k)
    bytes *= extents[k];
  Text descr;
  appendNpyType(descr, dtype, isComplex);
  return beginArray(name, descr, axes, extents, bytes) &&
         write(values, size_t(bytes)) && endMember();
}

bool NpzWriter::addText(std::string_view name, std::string_view text) {
  Array<uint32_t> points;
  appendCodePoints(points, text);
  if (points.empty()) // as NumPy, for which a type of no bytes has any size
    points.push(0);
  Text descr;
  descr << "<U" << points.size();
  size_t bytes = points.size() * sizeof(uint32_t);
  return beginArray(name, descr, 0, nullptr, int64_t(bytes)) &&
         write(points.data(), bytes) && endMember();
}

bool NpzWriter::addAscii(std::string_view name, std::string_view bytes) {
  Text descr;
  descr << "|S" << bytes.size();
  return beginArray(name, descr, 0, nullptr, int64_t(bytes.size())) &&
         write(bytes.data(), bytes.size()) && endMember();
}

bool NpzWriter::addBytes(std::string_view member, std::string_view bytes) {
  return beginMember(member, int64_t(bytes.size())) &&
         write(bytes.data(), bytes.size()) && endMember();
}

bool NpzWriter::commit() {
  if (zipClose(std::exchange(zip, nullptr), nullptr) != ZIP_OK)
    isBad = true;
  return !isBad && file.commit();
}

} // namespace chirt
