//===- Lines.h - Lines at the end of files ----------------------*- C++ -*-===//
#ifndef CHIRT_IO_LINES_H
#define CHIRT_IO_LINES_H

#include "chirt/text/Text.h"

namespace chirt {

/// Appends a text to a file, which is made if it is not there, by one write.
/// Returns 0, or an errno.
int appendToFile(const char *path, std::string_view text);

/// A file at whose end lines are appended, by several processes in turn.
class LineFile {
public:
  /// Opens the file, or makes it; others wait until it is closed.
  explicit LineFile(const char *path);
  ~LineFile();
  LineFile(const LineFile &) = delete;

  /// 0, or the errno of what failed first.
  int error() const { return failure; }
  bool isEmpty() const { return size == 0; }
  /// Appends the first line, without its end. Lines of more than 1 MiB are cut.
  void readFirst(Text &line);
  /// Whether the last line has an end: it has none if its writer was killed.
  bool isEnded();
  /// Appends a text by one write.
  void append(std::string_view text);

private:
  int fd;
  int failure = 0;
  int64_t size = 0;
};

} // namespace chirt
#endif // CHIRT_IO_LINES_H
