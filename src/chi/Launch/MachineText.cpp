//===- MachineText.cpp - Descriptions of machines -------------------------===//
#include "chi/Launch/MachineText.h"

#include <algorithm>
#include <array>
#include <charconv>

using namespace chi;

namespace {
constexpr int64_t kMostBytes = int64_t(1) << 40;
constexpr int64_t kMostCores = 4096;
constexpr std::string_view kForm =
    "a description is a list of NAME=VALUE, separated by commas: "
    "l1=32KiB,l2=512KiB,l3=8MiB,line=64,vector=256,cores=2";

struct Entry {
  std::string_view name;
  int64_t MachineDescription::*member;
};
constexpr std::array<Entry, 6> kEntries = {
    {{"l1", &MachineDescription::l1},
     {"l2", &MachineDescription::l2},
     {"l3", &MachineDescription::l3},
     {"line", &MachineDescription::line},
     {"vector", &MachineDescription::vector},
     {"cores", &MachineDescription::cores}}};

/// "64", "32KiB", "8MiB", "1GiB"; nothing if it is no such size.
std::optional<int64_t> bytesOf(std::string_view text) {
  int64_t number = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  std::string_view unit(rest, size_t(end - rest));
  int64_t factor = unit.empty()    ? 1
                   : unit == "KiB" ? 1 << 10
                   : unit == "MiB" ? 1 << 20
                   : unit == "GiB" ? 1 << 30
                                   : 0;
  if (error != std::errc() || number < 1 || factor == 0 ||
      number > kMostBytes / factor)
    return std::nullopt;
  return number * factor;
}

std::string quoted(std::string_view text) {
  return "`" + std::string(text) + "`";
}

bool isPowerOfTwo(int64_t number) { return (number & (number - 1)) == 0; }

/// The error for a number that was read.
std::optional<std::string> problemOf(std::string_view name, int64_t number) {
  if (name == "line" && (!isPowerOfTwo(number) || number < 16 || number > 4096))
    return "a cache line has 16 to 4096 bytes, a power of two";
  if (name == "vector" && number != 128 && number != 256 && number != 512)
    return "vector registers have 128, 256 or 512 bits";
  if (name == "cores" && number > kMostCores)
    return "there are at most " + std::to_string(kMostCores) + " cores";
  return std::nullopt;
}
} // namespace

/// One NAME=VALUE.
static std::optional<std::string> readPart(std::string_view part,
                                           MachineDescription &machine) {
  size_t sign = part.find('=');
  if (sign == part.npos)
    return quoted(part) + " is not NAME=VALUE; " + std::string(kForm);
  std::string_view name = part.substr(0, sign), value = part.substr(sign + 1);
  auto entry = std::find_if(kEntries.begin(), kEntries.end(),
                            [&](const Entry &e) { return e.name == name; });
  if (entry == kEntries.end())
    return "there is no " + quoted(name) + "; " + std::string(kForm);
  int64_t &member = machine.*entry->member;
  if (member)
    return quoted(name) + " is given twice";
  bool isCount = name == "cores" || name == "vector";
  std::optional<int64_t> number = bytesOf(value);
  if (!number || (isCount && value.find('i') != value.npos))
    return quoted(part) + ": " + quoted(value) +
           (isCount ? " is not a positive number"
                    : " is not a size such as 4096, 32KiB or 8MiB");
  member = *number;
  if (auto problem = problemOf(name, member))
    return quoted(part) + ": " + *problem;
  return std::nullopt;
}

std::optional<std::string> launch::readMachine(std::string_view text,
                                               MachineDescription &result) {
  MachineDescription machine;
  for (bool isLast = false; !isLast;) {
    size_t comma = text.find(',');
    isLast = comma == text.npos;
    if (auto problem = readPart(text.substr(0, comma), machine))
      return problem;
    text.remove_prefix(isLast ? text.size() : comma + 1);
  }
  std::string_view smaller;
  int64_t least = 0;
  for (const Entry &entry : kEntries) {
    bool isCache = entry.name[0] == 'l' && entry.name != "line";
    int64_t size = machine.*entry.member;
    if (!isCache || !size)
      continue;
    if (size < least)
      return quoted(entry.name) + " is smaller than " + quoted(smaller) +
             "; each cache is at least as large as the one before it";
    least = size, smaller = entry.name;
  }
  result = machine;
  return std::nullopt;
}

std::string launch::codeText(const MachineDescription &machine) {
  std::string text;
  for (const Entry &entry : kEntries)
    if (int64_t number = machine.*entry.member; number && entry.name != "cores")
      text += std::string(entry.name) + "=" + std::to_string(number) + " ";
  return text;
}
