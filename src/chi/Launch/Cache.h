//===- Cache.h - What was compiled before -----------------------*- C++ -*-===//
// Two kinds of entries. Programs, in two levels: a first key (main file,
// options, compiler) gives the list of the files that the compilation read and
// of the params that it compiled in; if all of these are unchanged, the second
// key (the first, and the texts of those params) gives the program's library.
// Objects: the code of one kernel, by its content.
//
// Any number of processes may work on one cache: files appear whole, by a
// rename, and end in a checksum. A cache that cannot be written is no error.
//
// Code in the cache is executed. A folder or a file of another user, one that
// others may write to, or a link is not used: one line reports this, and the
// cache is neither read nor written afterwards. The same line reports a folder
// that cannot be opened or made.
//
#ifndef CHI_LAUNCH_CACHE_H
#define CHI_LAUNCH_CACHE_H

#include "chi/Launch/Hash.h"
#include "chi/Launch/OwnFolder.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace chi::launch {

/// The inputs of a compilation apart from its main file.
struct CompilationRecord {
  struct Dependency {
    std::string path;
    bool isAbsent = false; ///< looked for and not there
    Hash content;
  };
  /// A param of the program.
  struct Param {
    std::string name;
    bool isBool = false;        ///< a flag that needs no value
    bool isSpecialized = false; ///< its value is compiled in
  };
  std::vector<Dependency> dependencies;
  std::vector<Param> params;
};

/// The warnings of a compilation in the forms that a later run may need; empty
/// if there were none.
struct WarningTexts {
  std::string text, colored, json;
};

/// A program of the cache.
struct CachedProgram {
  Descriptor library;
  WarningTexts warnings;
};

class Cache {
public:
  /// Under CHI_CACHE_DIR, $XDG_CACHE_HOME/chi or ~/.cache/chi. A disabled
  /// cache finds nothing and keeps nothing.
  explicit Cache(bool isEnabled);

  /// Whether the cache is used: it has a folder, and the folder is safe to use.
  bool isEnabled() const { return !root.empty() && !isRefused; }
  /// "" if there is no place for one.
  const std::string &folder() const { return root; }

  /// A program, if all of its inputs are unchanged.
  std::optional<CachedProgram>
  findProgram(const Hash &key, const std::vector<std::string> &args) const;
  /// Stores the library and the warnings of the program; returns the library in
  /// the cache, or none if it could not be stored.
  Descriptor storeProgram(const Hash &key, const std::vector<std::string> &args,
                          const CompilationRecord &record,
                          std::string_view library,
                          const WarningTexts &warnings) const;

  /// The bytes of an object.
  std::optional<std::string> findObject(const Hash &key) const;
  /// Stores the bytes of an object. A failure is ignored.
  void storeObject(const Hash &key, std::string_view bytes) const;

  struct Usage {
    uint64_t bytes = 0;
    unsigned programs = 0, objects = 0;
  };
  /// The number of entries and the sum of their sizes in bytes.
  Usage usage() const;
  /// The limit of CHI_CACHE_LIMIT, in bytes.
  uint64_t limitBytes() const { return limit; }
  /// Removes the entries used longest ago until the rest is within the limit,
  /// and files that killed processes left. Like clear() it ignores files whose
  /// names the cache does not use.
  void trim() const;
  /// Removes all entries.
  void clear() const;

private:
  struct Entry {
    Descriptor file;
    std::optional<std::string> content; ///< none: damaged or not there
  };
  OwnFolder open(const char *name, bool makes) const;
  Entry find(const char *folder, const std::string &name) const;
  void refuse(const std::string &problem) const;

  std::string root;
  mutable bool isRefused = false;
  uint64_t limit = uint64_t(512) << 20;
};

/// The values that a command line gives to the specialized params, as one text:
/// equal texts mean equal values. None if it is no command line of the program.
std::optional<std::string>
specializedValues(const std::vector<CompilationRecord::Param> &params,
                  const std::vector<std::string> &args);

} // namespace chi::launch
#endif // CHI_LAUNCH_CACHE_H
