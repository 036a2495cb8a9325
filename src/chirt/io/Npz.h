//===- Npz.h - Several arrays in one file -----------------------*- C++ -*-===//
// A ZIP file with an npy file `u.npy` for each array `u`, as numpy.savez writes
// it. Members are stored as they are; those that are read may be compressed.
#ifndef CHIRT_IO_NPZ_H
#define CHIRT_IO_NPZ_H

#include "chirt/field/Field.h"
#include "chirt/io/File.h"
#include "chirt/io/NpyArray.h"
#include "chirt/io/ZipReader.h"

namespace chirt {

/// Writes members one after the other. The file appears under its name when it
/// is committed (NewFile). The same members make the same bytes: a file holds
/// no time. Errors are kept: after the first one all functions return false,
/// and `fail` describes it.
class NpzWriter {
public:
  explicit NpzWriter(const char *path);
  ~NpzWriter();
  NpzWriter(const NpzWriter &) = delete;

  /// Adds the array `name` with the values of a field, its axes followed by
  /// those of a vec or mat. No name is added twice.
  bool add(std::string_view name, const chirt_field *field);
  /// Adds an array of numbers that lie row-major in `values`; pairs of them, if
  /// they are complex numbers.
  bool add(std::string_view name, int32_t dtype, int axes,
           const int64_t *extents, const void *values, bool isComplex = false);
  /// Adds a text in UTF-8 as an array without axes of NumPy's type `<U`.
  bool addText(std::string_view name, std::string_view text);
  /// Adds bytes that are ASCII as an array without axes of NumPy's type `|S`.
  bool addAscii(std::string_view name, std::string_view bytes);
  /// Adds a member that is no array; its name is complete ("state.json").
  bool addBytes(std::string_view member, std::string_view bytes);
  /// Says when and where the file is made (NewFile).
  void attachMaking() { file.attachMaking(); }
  /// Ends the file, brings it to the disk and gives it its name.
  bool commit();
  /// Fails at `site` with what went wrong. Returns false.
  bool fail(const chirt_site *site) const { return file.fail(site); }

private:
  bool beginMember(std::string_view member, int64_t bytes);
  bool beginArray(std::string_view name, std::string_view descr, int axes,
                  const int64_t *extents, int64_t bytes);
  bool write(const void *data, size_t size);
  bool endMember();

  NewFile file;
  void *zip = nullptr; ///< minizip's handle
  bool isBad = false;
  uint64_t position = 0; ///< where minizip writes next
  friend struct ZipToFile;
};

/// Reads members by their names. Its functions fail at `site` and return false
/// or null: what cannot be read or is damaged (each member has a checksum) is
/// the world's fault, a missing member or another type or shape the program's.
class NpzReader {
public:
  explicit NpzReader(const char *given) : path(given), zip(given) {}

  /// Reads the list of members. Before all others.
  bool open(const chirt_site *site);
  /// The number of members, and their complete names ("u.npy"), in order.
  size_t size() const { return zip.size(); }
  std::string_view name(size_t k) const { return zip.name(k); }
  /// Whether there is a member of that complete name.
  bool has(std::string_view member) const { return find(member) != kNone; }

  /// The array `name` as a new field of `rank` axes. `isCast`: numbers of
  /// another type are converted.
  chirt_field *load(const chirt_site *site, std::string_view name,
                    const FieldType &type, int rank, bool isCast);
  /// Reads the array `name` into a field of its type and shape. After a failure
  /// the values of the field are not known.
  bool loadInto(const chirt_site *site, std::string_view name,
                chirt_field *field);
  /// Reads the scalar, vec or mat `name` as scalars of `type` to `values`.
  bool loadValue(const chirt_site *site, std::string_view name,
                 const FieldType &type, bool isCast, void *values);
  /// Appends the text `name`, in UTF-8.
  bool loadText(const chirt_site *site, std::string_view name, Text &text);
  /// Appends the bytes of a member, whose name is complete.
  bool loadBytes(const chirt_site *site, std::string_view member, Text &bytes);

private:
  static constexpr size_t kNone = size_t(-1);
  size_t find(std::string_view member) const;
  bool begin(const chirt_site *site, std::string_view member);
  bool beginArray(const chirt_site *site, std::string_view name,
                  NpyHeader &header);
  bool checkSize(const chirt_site *site, const NpyHeader &header);
  bool end(const chirt_site *site);
  bool failDamaged(const chirt_site *site);
  void failMissing(const chirt_site *site, std::string_view member);
  ByteSource source();

  const char *path;
  ZipReader zip;
  Text what; ///< names the current member in messages
};

} // namespace chirt
#endif // CHIRT_IO_NPZ_H
