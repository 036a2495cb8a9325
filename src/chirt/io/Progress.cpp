//===- Progress.cpp - progress(range): a bar on the terminal --------------===//
#include "chirt/chirt.h"
#include "chirt/support/Settings.h"
#include "chirt/text/Output.h"
#include "chirt/text/Text.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace chirt {

namespace {
/// The bar of the outermost loop with progress; inner ones show nothing.
struct Bar {
  int depth = 0;
  bool isShown = false, isDrawn = false;
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

/// "  45% |########          | 900/2000 [00:01<00:01, 812.3/s]"
void draw(double now) {
  double spent = now - bar.start;
  double rate = spent > 0 ? double(bar.done) / spent : 0;
  double part = bar.total > 0 ? double(bar.done) / double(bar.total) : 1;
  part = part > 1 ? 1 : part;
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

/// Reads the clock, draws if it is time, and decides when to look again.
void look() {
  double now = chirt_time_now();
  if (now - bar.lastDrawn >= interval)
    draw(now);
  double spent = now - bar.start;
  double rate = spent > 0 ? double(bar.done) / spent : 0;
  auto ahead = static_cast<int64_t>(rate * interval / 4);
  bar.nextLook = bar.done + (ahead < 1 ? 1 : ahead);
}
} // namespace

} // namespace chirt

using namespace chirt;

void chirt_progress_begin(int64_t total) {
  if (bar.depth++ > 0)
    return;
  bar.isShown = !settings().isQuiet && isatty(2);
  bar.total = total, bar.done = 0, bar.nextLook = 1;
  if (!bar.isShown)
    return;
  bar.start = bar.lastDrawn = chirt_time_now();
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
  flushOut();
  draw(chirt_time_now());
  toTerminal("\n", 1);
  bar.isDrawn = false;
  setBarHider(nullptr);
}
