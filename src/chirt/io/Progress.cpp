//===- Progress.cpp - progress(range): a bar, or lines of text ------------===//
#include "chirt/io/Progress.h"

#include "chirt/host.h"
#include "chirt/support/Settings.h"
#include "chirt/text/Output.h"
#include "chirt/text/Text.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace chirt {

namespace {
/// The progress of the outermost loop that shows it; inner ones show nothing.
struct Bar {
  int depth = 0;
  bool isShown = false, isDrawn = false;
  bool isLines = false; ///< in place of a bar
  int64_t lastPart = 0; ///< of the latest line, in twentieths
  int64_t total = 0, done = 0;
  int64_t nextLook = 0; ///< the step at which the clock is read again
  double start = 0, lastDrawn = 0;
};
constinit Bar bar;

constexpr double interval = 0.1;

void toTerminal(const char *text, size_t size) { (void)!write(2, text, size); }

/// Called under the lock of the output.
void hideBar() {
  if (!bar.isDrawn)
    return;
  bar.isDrawn = false;
  toTerminal("\r\033[K", 4);
}

void appendClock(Text &out, double seconds) {
  auto all = static_cast<long long>(seconds + 0.5);
  if (all >= 3600)
    out.appendf("%lld:%02lld:%02lld", all / 3600, all / 60 % 60, all % 60);
  else
    out.appendf("%02lld:%02lld", all / 60, all % 60);
}

int terminalWidth() {
  winsize size = {};
  if (ioctl(2, TIOCGWINSZ, &size) != 0 || size.ws_col < 20)
    return 80;
  return size.ws_col < 120 ? size.ws_col : 120;
}

/// The part that is done, at most 1.
double donePart() {
  double part = bar.total > 0 ? double(bar.done) / double(bar.total) : 1;
  return part > 1 ? 1 : part;
}

/// Steps a second, on average; 0: not known.
double rateAt(double now) {
  double spent = now - bar.start;
  return spent > 0 ? double(bar.done) / spent : 0;
}

/// "  45% |########          | 900/2000 [00:01<00:01, 812.3/s]"
void draw(double now) {
  double spent = now - bar.start, rate = rateAt(now), part = donePart();
  Text before, after, line;
  before.appendf("\r%4d%% |", int(part * 100));
  after << "| " << static_cast<long long>(bar.done) << '/'
        << static_cast<long long>(bar.total) << " [";
  appendClock(after, spent);
  after << '<';
  if (rate > 0)
    appendClock(after, double(bar.total - bar.done) / rate);
  else
    after << '?';
  after.appendf(rate >= 100 ? ", %.0f/s]" : ", %.2f/s]", rate);
  int room = terminalWidth() - int(before.size() + after.size());
  room = room > 60 ? 60 : room;
  line << before;
  for (int k = 0; k < room; ++k)
    line << (double(k) + 0.5 < part * room ? "█" : " ");
  line << after << "\033[K";
  toTerminal(line.view().data(), line.size());
  bar.isDrawn = true;
  bar.lastDrawn = now;
}

/// "progress: 45% (900/2000), 00:01 spent, 00:01 left, 812.3/s"
void printLine(double now) {
  double rate = rateAt(now);
  Text line;
  line.appendf("progress: %d%% (%lld/%lld), ", int(donePart() * 100),
               static_cast<long long>(bar.done),
               static_cast<long long>(bar.total));
  appendClock(line, now - bar.start);
  line << " spent, ";
  if (rate > 0)
    appendClock(line, double(bar.total - bar.done) / rate);
  else
    line << '?';
  line.appendf(rate >= 100 ? " left, %.0f/s\n" : " left, %.2f/s\n", rate);
  writeError(line);
  bar.lastDrawn = now;
  bar.lastPart = static_cast<int64_t>(donePart() * 20);
}

bool isLineDueAt(double now) {
  auto part = static_cast<int64_t>(donePart() * 20);
  return isLineDue(now - bar.lastDrawn, part - bar.lastPart);
}

/// Reads the clock, draws if it is time, and decides when to look again.
void look() {
  double now = chirt_time_now();
  if (bar.isLines && isLineDueAt(now))
    printLine(now);
  if (!bar.isLines && now - bar.lastDrawn >= interval)
    draw(now);
  auto ahead = static_cast<int64_t>(rateAt(now) * interval / 4);
  bar.nextLook = bar.done + (ahead < 1 ? 1 : ahead);
}

bool isShownAtAll() {
  if (settings().isQuiet || settings().progress == CHIRT_PROGRESS_OFF)
    return false;
  return settings().progress != CHIRT_PROGRESS_AUTO || isatty(2);
}
} // namespace

bool isLineDue(double secondsSince, int64_t partsSince) {
  return secondsSince >= (partsSince > 0 ? 2 : 60);
}

} // namespace chirt

using namespace chirt;

int32_t chirt_progress_named(const char *word) {
  constexpr const char *words[] = {"auto", "off", "bar", "lines"};
  for (int32_t mode = 0; mode < 4; ++mode)
    if (strcmp(word, words[mode]) == 0)
      return mode;
  return -1;
}

void chirt_progress_begin(int64_t total) {
  if (bar.depth++ > 0)
    return;
  bar.isShown = isShownAtAll();
  bar.isLines = settings().progress == CHIRT_PROGRESS_LINES;
  bar.lastPart = 0;
  bar.total = total, bar.done = 0, bar.nextLook = 1;
  if (!bar.isShown)
    return;
  bar.start = bar.lastDrawn = chirt_time_now();
  if (!bar.isLines)
    setBarHider(hideBar);
}

void chirt_progress_step(void) {
  if (bar.depth != 1 || !bar.isShown)
    return;
  if (++bar.done >= bar.nextLook)
    look();
}

void chirt_progress_end(void) {
  if (bar.depth == 0 || --bar.depth > 0 || !bar.isShown)
    return;
  if (bar.isLines)
    return printLine(chirt_time_now());
  flushOut();
  draw(chirt_time_now());
  toTerminal("\n", 1);
  bar.isDrawn = false;
  setBarHider(nullptr);
}
