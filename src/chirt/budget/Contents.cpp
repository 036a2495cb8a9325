//===- Contents.cpp - What snapshots hold ---------------------------------===//
#include "chirt/budget/Contents.h"

#include "chirt/cpu/FieldOps.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include "chirt/field/Making.h"
#include "chirt/support/Memory.h"
#include <cerrno>
#include <cstdlib>
#include <unistd.h>

namespace chirt {

/// What the system's allocator needs beside a chunk.
static constexpr int64_t kChunkCost = 16;
/// Smaller fields go to the host: a field of the device costs more.
static constexpr int64_t kLeastAtDevice = int64_t(1) << 16;

Contents::~Contents() {
  clear();
  if (file >= 0)
    close(file);
}

bool Contents::spillTo(const char *folder) {
  isInFile = true;
  if (isCounted)
    return true;
  Text name;
  name << folder << "/chi-tape-XXXXXX";
  Array<char> path;
  path.append(name.c_str(), name.size() + 1);
  file = mkstemp(path.data());
  if (file < 0)
    return false;
  // It goes with the process, however that ends.
  unlink(path.data());
  return true;
}

int64_t Contents::costOf(int64_t size) const {
  return int64_t(sizeof(Content)) + (isInFile ? 0 : size + kChunkCost);
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// A free part of the file: most contents have one of few sizes.
int64_t Contents::placeFor(int64_t size) {
  for (size_t k = holes.size(); k-- > 0;)
    if (holes[k].size == size) {
      int64_t place = holes[k].place;
      holes.removeAt(k);
      return place;
    }
  end += size;
  return end - size;
}

void Contents::write(const chirt_site *site, Content &content,
                     const char *bytes) {
  content.place = placeFor(content.size);
  for (int64_t done = 0; done < content.size;) {
    ssize_t written = pwrite(file, bytes + done, size_t(content.size - done),
                             off_t(content.place + done));
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      failAt(site, WorldFault,
             "cannot write a snapshot of a tape to its file: %s",
             strerror(errno));
      leave();
    }
    done += written;
  }
}

static void read(const chirt_site *site, int file, const Content &content,
                 char *bytes) {
  for (int64_t done = 0; done < content.size;) {
    ssize_t taken = pread(file, bytes + done, size_t(content.size - done),
                          off_t(content.place + done));
    if (taken < 0 && errno == EINTR)
      continue;
    if (taken <= 0) {
      failAt(site, WorldFault,
             "cannot read a snapshot of a tape from its file: %s",
             taken ? strerror(errno) : "it is too short");
      leave();
    }
    done += taken;
  }
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

void Contents::keep(const chirt_site *site, int32_t number, chirt_field *field,
                    int64_t behind, int64_t to) {
  Content made = {number, behind, to, nullptr, nullptr, 0, field->bytes};
  if (isCounted) {
    made.place = isInFile ? placeFor(made.size) : 0;
  } else if (isInFile) {
    write(site, made, hostCopy(field));
  } else if (hasOwnCopy(field) && field->bytes >= kLeastAtDevice) {
    made.copy = makeField(site, typeOf(field), field->rank, field->extents);
    if (!made.copy)
      leave();
    copyField(made.copy, field);
  } else {
    made.bytes = fitsInMemory(field->bytes)
                     ? static_cast<char *>(malloc(size_t(field->bytes) + 1))
                     : nullptr;
    if (!made.bytes) {
      Text text;
      text << "out of memory: a snapshot of a tape, a field";
      appendNeed(text, field->rank, field->extents, field->bytes);
      failAt(site, WorldFault, "%s", text.c_str());
      leave();
    }
    if (field->bytes > 0)
      memcpy(made.bytes, hostCopy(field), size_t(field->bytes));
  }
  held += costOf(made.size);
  contents.push(made);
}

bool Contents::has(int32_t number, int64_t step) const {
  for (size_t k = contents.size(); k-- > 0;)
    if (contents[k].field == number && contents[k].behind < step &&
        step <= contents[k].to)
      return true;
  return false;
}

void Contents::putBack(const chirt_site *site, const Content &content,
                       chirt_field *field) const {
  if (content.copy)
    return copyField(field, content.copy);
  if (content.size == 0 || isCounted)
    return;
  char *data = hostCopyToOverwrite(field);
  if (content.bytes)
    memcpy(data, content.bytes, size_t(content.size));
  else
    read(site, file, content, data);
}

void Contents::drop(Content &content) {
  held -= costOf(content.size);
  chirt_field_release(content.copy);
  free(content.bytes);
  if (isInFile)
    holes.push({content.place, content.size});
}

void Contents::dropUnused(int64_t step, const Snapshots &snapshots) {
  for (size_t k = contents.size(); k-- > 0;)
    if (Content &each = contents[k];
        each.behind < step && step <= each.to &&
        !snapshots.hasIn(each.behind + 1, each.to)) {
      drop(each);
      contents.removeAt(k);
    }
}

void Contents::clear() {
  for (Content &content : contents)
    drop(content);
  contents.clear();
}

} // namespace chirt
