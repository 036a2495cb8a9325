//===- Npy.cpp - NumPy's array files --------------------------------------===//
#include "chirt/field/Making.h"
#include "chirt/io/Formats.h"
#include "chirt/io/NpyArray.h"
#include "chirt/provenance/Record.h"
#include "chirt/provenance/Sample.h"
#include "chirt/text/Output.h"

namespace chirt {

namespace {
ByteSink sinkTo(NewFile &file) {
  return {[](void *context, const void *data, size_t size) {
            return static_cast<NewFile *>(context)->write(data, size);
          },
          &file};
}

ByteSource sourceOf(OpenFile &file) {
  return {[](void *context, void *data, size_t size) {
            return static_cast<OpenFile *>(context)->read(data, size);
          },
          &file};
}
} // namespace

/// The format has no place for a record: it is in a file beside it, which says
/// whose it is. It need not outlive a power failure.
static bool writeRecordBeside(const chirt_site *site, const char *path,
                              const char *written) {
  Text name, record;
  name << path << kRecordExtension;
  appendRecord(record, path, sampleOf(written));
  record << '\n';
  NewFile file(name.c_str());
  file.attachMaking();
  return (file.write(record.view().data(), record.size()) &&
          file.commit(/*isDurable=*/false)) ||
         file.fail(site);
}

bool saveNpy(const chirt_site *site, const char *path,
             const chirt_field *field) {
  Text header, descr;
  int64_t extents[CHIRT_MAX_RANK + 2];
  appendNpyType(descr, field->dtype, field->is_complex != 0);
  int axes = npyAxes(field, extents);
  makeNpyHeader(header, descr, axes, extents);
  NewFile file(path);
  if (!file.write(header.view().data(), header.size()) ||
      !writeNpyValues(sinkTo(file), field) || !file.commit())
    return file.fail(site);
  return !recordsProvenance() || !file.isOrdinary() ||
         writeRecordBeside(site, path, file.name());
}

/// NumPy reads the values and ignores what follows them, as it must in a file
/// of several arrays; in a file of one array, it means that the header is
/// wrong.
static void warnOfRest(const chirt_site *site, const char *path,
                       const OpenFile &file) {
  int64_t rest = file.left();
  if (rest <= 0)
    return;
  Text text, out;
  text << '`' << path << "` has " << rest << (rest == 1 ? " byte" : " bytes")
       << " after the values that its header announces, which are ignored";
  describeFailure(out, site, "warning", text, nullptr);
  writeError(out);
}

chirt_field *loadNpy(const chirt_site *site, const char *path,
                     const FieldType &type, int rank, bool isCast) {
  OpenFile file(path);
  NpyHeader header;
  bool isRead = !file.error() && readNpyHeader(sourceOf(file), header);
  if (file.error()) {
    failAt(site, WorldFault, "cannot read `%s`: %s", path,
           strerror(file.error()));
    return nullptr;
  }
  if (!isRead) {
    failAt(site, WorldFault, "`%s` is not an npy file", path);
    return nullptr;
  }
  Text what;
  what << '`' << path << '`';
  if (!checkNpyType(site, what.c_str(), {&type, rank, false, isCast}, header))
    return nullptr;
  // Before memory is asked for: a header may claim anything.
  int64_t announced = header.bytes();
  if (announced < 0 || (file.size() >= 0 && announced > file.size())) {
    failAt(site, WorldFault,
           "`%s` ends before the values that its header announces", path);
    return nullptr;
  }
  chirt_field *field = makeField(site, type, rank, header.extents);
  if (!field)
    return nullptr;
  size_t done = readNpyValues(sourceOf(file), header, field);
  if (done == size_t(announced)) {
    warnOfRest(site, path, file);
    return field;
  }
  failAt(site, WorldFault, "`%s` ends after %zu of %zu bytes of values", path,
         done, size_t(announced));
  chirt_field_release(field);
  return nullptr;
}

} // namespace chirt
