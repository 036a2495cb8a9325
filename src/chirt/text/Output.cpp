//===- Output.cpp ---------------------------------------------------------===//
#include "chirt/text/Output.h"

#include "chirt/chirt.h"
#include "chirt/text/Text.h"
#include "chirt/text/Write.h"
#include <cerrno>
#include <pthread.h>
#include <unistd.h>

namespace chirt {

namespace {
/// The process's standard output. Fixed memory, so that a signal handler may
/// read it.
struct Output {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  size_t used = 0;
  double lastFlush = 0;
  int terminal = -1;
  void (*hideBar)() = nullptr;
  bool mutesResults = false, mutesErrors = false;
  Text *captured = nullptr;
};
constinit Output output;
char buffer[1 << 16];

[[noreturn]] void cannotWrite() {
  Text text;
  text << "error: cannot write to standard output: " << strerror(errno) << '\n';
  writeFully(2, text.view().data(), text.size());
  _exit(2);
}

/// Needs the lock.
void flushLocked() {
  size_t size = output.used;
  output.used = 0;
  if (size > 0 && !writeFully(1, buffer, size))
    cannotWrite();
}

void hideBar() {
  if (output.hideBar)
    output.hideBar();
}
} // namespace

/// Needs the lock.
static void writeOutLocked(std::string_view text) {
  hideBar();
  if (output.terminal < 0)
    output.terminal = isatty(1);
  if (output.used + text.size() > sizeof(buffer))
    flushLocked();
  if (text.size() > sizeof(buffer)) {
    if (!writeFully(1, text.data(), text.size()))
      cannotWrite();
  } else {
    memcpy(buffer + output.used, text.data(), text.size());
    output.used += text.size();
  }
  // A reader of a pipe shall see what a slow program prints as it goes.
  double now = chirt_time_now();
  if (output.terminal || now - output.lastFlush > 0.1) {
    output.lastFlush = now;
    flushLocked();
  }
}

void writeOut(std::string_view text) {
  if (text.empty()) // whose place may be null
    return;
  pthread_mutex_lock(&output.lock);
  if (output.captured)
    *output.captured << text;
  else if (!output.mutesResults)
    writeOutLocked(text);
  pthread_mutex_unlock(&output.lock);
}

void flushOut() {
  pthread_mutex_lock(&output.lock);
  flushLocked();
  pthread_mutex_unlock(&output.lock);
}

void flushOutInSignal() {
  if (pthread_mutex_trylock(&output.lock) != 0)
    return;
  writeInSignal(1, buffer, output.used);
  output.used = 0;
  pthread_mutex_unlock(&output.lock);
}

void writeError(std::string_view text) {
  pthread_mutex_lock(&output.lock);
  hideBar();
  flushLocked();
  if (!output.mutesErrors)
    writeFully(2, text.data(), text.size());
  pthread_mutex_unlock(&output.lock);
}

void muteOutput(bool results, bool errors) {
  pthread_mutex_lock(&output.lock);
  output.mutesResults = results, output.mutesErrors = errors;
  pthread_mutex_unlock(&output.lock);
}

void beginCapture() {
  pthread_mutex_lock(&output.lock);
  if (!output.captured) {
    void *memory = malloc(sizeof(Text));
    if (!memory)
      outOfMemory();
    output.captured = new (memory) Text();
  }
  output.captured->clear();
  pthread_mutex_unlock(&output.lock);
}

Text takeCapture() {
  pthread_mutex_lock(&output.lock);
  Text *captured = std::exchange(output.captured, nullptr);
  pthread_mutex_unlock(&output.lock);
  if (!captured)
    return Text();
  Text taken = std::move(*captured);
  free(captured);
  return taken;
}

void setBarHider(void (*hide)()) {
  pthread_mutex_lock(&output.lock);
  output.hideBar = hide;
  pthread_mutex_unlock(&output.lock);
}

} // namespace chirt
