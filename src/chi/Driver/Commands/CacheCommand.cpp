//===- CacheCommand.cpp - chic cache --------------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Launch/Cache.h"
#include "llvm/Support/Format.h"

using namespace chi;
using namespace chi::driver;

namespace {
struct CacheOptions {
  bool clear = false, path = false;
};
} // namespace

static int runCache(const CacheOptions &options, DriverEnv &env) {
  launch::Cache cache(/*isEnabled=*/true);
  if (cache.folder().empty()) {
    env.err << "chic: there is no cache folder: none of CHI_CACHE_DIR, "
               "XDG_CACHE_HOME and HOME is set\n";
    return ExitWorld;
  }
  if (options.path) {
    env.out << cache.folder() << "\n";
    return ExitGood;
  }
  if (!cache.isEnabled()) // already reported
    return ExitWorld;
  if (options.clear)
    cache.clear();
  launch::Cache::Usage usage = cache.usage();
  env.out << cache.folder() << ": " << usage.programs << " programs, "
          << usage.objects << " kernels, "
          << llvm::format("%.1f", double(usage.bytes) / (1 << 20)) << " of "
          << (cache.limitBytes() >> 20) << " MB\n";
  return ExitGood;
}

void chi::driver::addCacheCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<CacheOptions>();
  CLI::App *cache = app.add_subcommand(
      "cache",
      "Print the folder and the size of the cache of compiled programs");
  CLI::Option *clear = cache->add_flag("--clear", options->clear,
                                       "Delete all entries of the cache");
  cache->add_flag("--path", options->path, "Print the folder only")
      ->excludes(clear);
  cache->footer("CHI_CACHE_DIR sets the folder, which should contain nothing "
                "else: chic does not\ndelete files that it did not create. "
                "CHI_CACHE_LIMIT limits the size, in MB.");
  cache->callback([options, &env] { exitWith(runCache(*options, env)); });
}
