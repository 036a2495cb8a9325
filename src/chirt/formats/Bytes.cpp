//===- Bytes.cpp - Files and fields as bytes ------------------------------===//
// What the readers and writers of the library's module `io` are made of.
#include "chirt/containers/Points.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Making.h"
#include "chirt/io/File.h"
#include "chirt/params/Value.h"
#include "chirt/text/Str.h"
#include <zlib.h>

namespace chirt {

namespace {
/// A new field of bytes; null after a failure.
chirt_field *makeBytes(const chirt_site *site, int64_t count) {
  FieldType type;
  type.dtype = CHIRT_U8;
  return makeField(site, type, 1, &count);
}

/// Whether the bytes from `from` to `to` are there; fails if not.
bool hasBytes(const chirt_site *site, const chirt_field *bytes, int64_t from,
              int64_t to) {
  return (from >= 0 && from <= to && to <= bytes->elements) ||
         failAt(site, WorldFault,
                "the file ends early: bytes %lld to %lld of %lld",
                static_cast<long long>(from), static_cast<long long>(to),
                static_cast<long long>(bytes->elements));
}

const char *shown(const char *path) { return path ? path : ""; }

bool failRead(const chirt_site *site, const char *path, int error) {
  return failAt(site, WorldFault, "cannot read `%s`: %s", shown(path),
                strerror(error));
}

/// A file whose size is not known (a pipe) takes what memory `most` needs.
chirt_field *readAll(const chirt_site *site, const char *path, int64_t most) {
  OpenFile file(shown(path));
  if (file.error())
    return failRead(site, path, file.error()), nullptr;
  int64_t size = file.size();
  if (size < 0) {
    failAt(site, WorldFault, "`%s` is no ordinary file", shown(path));
    return nullptr;
  }
  if (size > most) {
    failAt(site, WorldFault, "`%s` has %lld bytes, more than the %lld allowed",
           shown(path), static_cast<long long>(size),
           static_cast<long long>(most));
    return nullptr;
  }
  chirt_field *bytes = makeBytes(site, size);
  if (!bytes)
    return nullptr;
  if (file.read(hostCopyToOverwrite(bytes), size_t(size)) == size_t(size))
    return bytes;
  chirt_field_release(bytes);
  if (file.error())
    failRead(site, path, file.error());
  else
    failAt(site, WorldFault, "`%s` became shorter while it was read",
           shown(path));
  return nullptr;
}

bool writeAll(const chirt_site *site, const char *path, std::string_view head,
              std::string_view body, std::string_view tail) {
  NewFile file(shown(path));
  file.attachMaking();
  return (file.write(head.data(), head.size()) &&
          file.write(body.data(), body.size()) &&
          file.write(tail.data(), tail.size()) && file.commit()) ||
         file.fail(site);
}

/// A scalar as a file has it.
struct FileScalar {
  int32_t dtype;
  int size;
  bool isSwapped;

  FileScalar(const char *type, bool isSwapped)
      : dtype(dtypeOfName(shown(type))), size(scalarBytes(dtype)),
        isSwapped(isSwapped) {}
  /// Turns the bytes of one around, if need be.
  void arrange(char *bytes) const {
    for (int k = 0; isSwapped && k < size / 2; ++k)
      std::swap(bytes[k], bytes[size - 1 - k]);
  }
};

/// Whether the memory of a field is what a file has.
bool isAsFile(const chirt_field *field, const FileScalar &scalar) {
  return field->elements > 0 && field->dtype == scalar.dtype &&
         !scalar.isSwapped && !field->is_strided &&
         (!field->is_soa || componentsOf(field) == 1) &&
         isInLogicalOrder(field);
}

void pack(const chirt_field *field, const FileScalar &scalar, char *to) {
  const char *data = hostCopy(field);
  if (isAsFile(field, scalar)) {
    memcpy(to, data,
           size_t(field->elements * componentsOf(field) * scalar.size));
    return;
  }
  LogicalWalk walk(field);
  for (int64_t n = 0; n < field->elements; ++n, walk.next())
    for (int c = 0; c < componentsOf(field); ++c, to += scalar.size) {
      castScalars(field->dtype, data + scalarOffset(field, walk.storage(), c),
                  scalar.dtype, to, 1);
      scalar.arrange(to);
    }
}

void unpack(const char *from, int64_t stride, const FileScalar &scalar,
            chirt_field *field) {
  char *data = hostCopyToUpdate(field);
  int64_t element = componentsOf(field) * scalar.size;
  if (isAsFile(field, scalar)) {
    if (stride == element)
      memcpy(data, from, size_t(field->elements * element));
    else
      for (int64_t n = 0; n < field->elements; ++n)
        memcpy(data + n * element, from + n * stride, size_t(element));
    return;
  }
  LogicalWalk walk(field);
  for (int64_t n = 0; n < field->elements; ++n, walk.next(), from += stride)
    for (int c = 0; c < componentsOf(field); ++c) {
      char one[8];
      memcpy(one, from + c * scalar.size, size_t(scalar.size));
      scalar.arrange(one);
      castScalars(scalar.dtype, one, field->dtype,
                  data + scalarOffset(field, walk.storage(), c), 1);
    }
}

const char *textOf(std::string_view bytes) {
  Text text;
  for (char c : bytes)
    text << (static_cast<unsigned char>(c) < 128 && c ? c : '?');
  return makeStr(text);
}
} // namespace

} // namespace chirt

using namespace chirt;

chirt_field *chirt_bytes_read(const chirt_site *site, const char *path,
                              int64_t most) {
  chirt_field *bytes = readAll(site, path, most);
  if (!bytes)
    leave();
  return bytes;
}

void chirt_bytes_write(const chirt_site *site, const char *path,
                       const char *head, const chirt_field *bytes,
                       int64_t count, const char *tail) {
  if (!hasBytes(site, bytes, 0, count) ||
      !writeAll(site, path, viewOf(head), {hostCopy(bytes), size_t(count)},
                viewOf(tail)))
    leave();
}

const char *chirt_bytes_text(const chirt_site *site, const chirt_field *bytes,
                             int64_t from, int64_t to) {
  if (!hasBytes(site, bytes, from, to))
    leave();
  return textOf({hostCopy(bytes) + from, size_t(to - from)});
}

double chirt_bytes_number(const chirt_site *site, const chirt_field *bytes,
                          int64_t from, int64_t to) {
  if (!hasBytes(site, bytes, from, to))
    leave();
  std::string_view text(hostCopy(bytes) + from, size_t(to - from));
  if (text.size() > 1 && text[0] == '+' && text[1] != '-')
    text = slice(text, 1);
  ParamScalar scalar;
  bool isNumber =
      text.find('_') == text.npos && parseScalar(text, CHIRT_F64, scalar);
  return isNumber ? scalar.real : __builtin_nan("");
}

chirt_field *chirt_bytes_of(const chirt_site *site, const chirt_field *field,
                            const char *type, int32_t swaps) {
  FileScalar scalar(type, swaps != 0);
  chirt_field *bytes =
      makeBytes(site, field->elements * componentsOf(field) * scalar.size);
  if (!bytes)
    leave();
  pack(field, scalar, hostCopyToOverwrite(bytes));
  return bytes;
}

void chirt_bytes_to(const chirt_site *site, const chirt_field *bytes,
                    int64_t at, int64_t stride, const char *type, int32_t swaps,
                    chirt_field *field) {
  FileScalar scalar(type, swaps != 0);
  int64_t last = 0, end = 0, element = componentsOf(field) * scalar.size;
  bool isFar = __builtin_mul_overflow(field->elements - 1, stride, &last) ||
               __builtin_add_overflow(at + element, last, &end);
  if (field->elements == 0)
    return;
  if (!hasBytes(site, bytes, at, isFar ? INT64_MAX : end))
    leave();
  unpack(hostCopy(bytes) + at, stride, scalar, field);
}

chirt_field *chirt_bytes_deflate(const chirt_site *site,
                                 const chirt_field *bytes, int64_t count) {
  if (!hasBytes(site, bytes, 0, count))
    leave();
  uLongf size = compressBound(uLong(count));
  auto *memory = static_cast<Bytef *>(malloc(size ? size : 1));
  constexpr int kLevel = 6;
  if (!memory ||
      compress2(memory, &size, reinterpret_cast<const Bytef *>(hostCopy(bytes)),
                uLong(count), kLevel) != Z_OK)
    outOfMemory();
  chirt_field *made = makeBytes(site, int64_t(size));
  if (made)
    memcpy(hostCopyToOverwrite(made), memory, size);
  free(memory);
  if (!made)
    leave();
  return made;
}

void chirt_file_refuse(const chirt_site *site, const char *path,
                       const char *problem) {
  failAt(site, WorldFault, "%s: %s", shown(path), shown(problem));
  leave();
}
