//===- TextFiles.cpp - Text files -----------------------------------------===//
#include "chirt/containers/Object.h"
#include "chirt/containers/Points.h"
#include "chirt/failure/Failure.h"
#include "chirt/text/CodePoints.h"
#include "chirt/text/Str.h"
#include <cerrno>

namespace chirt {

/// A file that is open; one that is not raises.
static TextFile &opened(const chirt_site *site, chirt_object *object) {
  auto *file = static_cast<TextFile *>(object);
  if (file && file->stream)
    return *file;
  failAt(site, UserFault, "the file %s is closed",
         file ? file->path.c_str() : "");
  leave();
}

/// Whether a str can hold the text; else why not is recorded.
static bool checkText(const chirt_site *site, TextFile &file,
                      std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    uint32_t point = 0;
    size_t size = decodeUtf8(rest, point);
    if (size == 0 || point == 0)
      return failAt(site, WorldFault, "%s is no UTF-8 text: byte %zu is %d",
                    file.path.c_str(), size_t(rest.data() - text.data()),
                    int(static_cast<unsigned char>(rest[0])));
    rest = slice(rest, size);
  }
  return true;
}

/// Appends the next line with its end; false at the end of the file, or after a
/// failure, which is recorded.
static bool appendLine(const chirt_site *site, TextFile &file, Text &out,
                       bool &failed) {
  int c;
  bool any = false;
  while ((c = getc(file.stream)) != EOF) {
    any = true;
    if (c == '\r') { // \r\n and \r are \n
      int next = getc(file.stream);
      if (next != '\n' && next != EOF)
        ungetc(next, file.stream);
      c = '\n';
    }
    out << char(c);
    if (c == '\n')
      break;
  }
  if (ferror(file.stream))
    failed =
        !failAt(site, WorldFault, "%s: %s", file.path.c_str(), strerror(errno));
  return any && !failed;
}

/// The same, checked.
static bool readLine(const chirt_site *site, TextFile &file, Text &out,
                     bool &failed) {
  size_t before = out.size();
  if (!appendLine(site, file, out, failed))
    return false;
  failed = !checkText(site, file, slice(out, before));
  return !failed;
}

} // namespace chirt

using namespace chirt;

chirt_object *chirt_file_open(const chirt_site *site, const char *path,
                              const char *mode) {
  std::string_view wanted = viewOf(mode);
  bool isKnown =
      wanted == "r" || wanted == "w" || wanted == "a" || wanted == "x";
  if (!isKnown) {
    failAt(site, UserFault,
           "`%s` is no mode of `open`: there are \"r\", \"w\", \"a\", \"x\"",
           mode ? mode : "");
    leave();
  }
  FILE *stream = fopen(path ? path : "", wanted == "x"   ? "wxe"
                                         : wanted == "w" ? "we"
                                         : wanted == "a" ? "ae"
                                                         : "re");
  if (!stream) {
    failAt(site, WorldFault, "%s: %s", path ? path : "", strerror(errno));
    leave();
  }
  auto *file = makeObject<TextFile>();
  file->stream = stream;
  file->path << viewOf(path);
  return file;
}

const char *chirt_file_read(const chirt_site *site, chirt_object *object) {
  TextFile &file = opened(site, object);
  bool failed = false;
  const char *made = nullptr;
  {
    Text out;
    while (readLine(site, file, out, failed))
      ;
    made = failed ? nullptr : makeStr(out);
  }
  if (failed)
    leave();
  return made;
}

const char *chirt_file_line(const chirt_site *site, chirt_object *object) {
  TextFile &file = opened(site, object);
  bool failed = false;
  const char *made = nullptr;
  {
    Text out;
    readLine(site, file, out, failed);
    made = failed ? nullptr : makeStr(out);
  }
  if (failed)
    leave();
  return made;
}

chirt_object *chirt_file_lines(const chirt_site *site, chirt_object *object) {
  TextFile &file = opened(site, object);
  bool failed = false;
  List *list = makeStrList();
  {
    Text out;
    while (readLine(site, file, out, failed)) {
      pushStr(*list, makeStr(out));
      out.clear();
    }
  }
  if (failed) {
    chirt_object_release(list);
    leave();
  }
  return list;
}

void chirt_file_write(const chirt_site *site, chirt_object *object,
                      const char *text) {
  TextFile &file = opened(site, object);
  std::string_view all = viewOf(text);
  if (fwrite(all.data(), 1, all.size(), file.stream) == all.size())
    return;
  failAt(site, WorldFault, "%s: %s", file.path.c_str(), strerror(errno));
  leave();
}

void chirt_file_close(const chirt_site *site, chirt_object *object) {
  auto *file = static_cast<TextFile *>(object);
  if (!file || !file->stream)
    return;
  int status = fclose(file->stream);
  file->stream = nullptr;
  if (status == 0)
    return;
  failAt(site, WorldFault, "%s: %s", file->path.c_str(), strerror(errno));
  leave();
}
