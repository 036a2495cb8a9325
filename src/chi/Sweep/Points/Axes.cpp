//===- Axes.cpp - What --over varies --------------------------------------===//
#include "chi/Sweep/Points/Axes.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Points/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace chi;
using namespace chi::sweep;

/// The most values of one list: a slip such as 0..1e12 is an error.
static constexpr double kMostValues = 1e7;

static llvm::Error refuse(llvm::StringRef name, llvm::StringRef list,
                          const llvm::Twine &problem) {
  return failure("--over " + name + "=" + list + ": " + problem);
}

/// `f(a, b)` as name and arguments; false if the text has another form.
static bool readCall(llvm::StringRef list, llvm::StringRef &function,
                     std::vector<std::string> &arguments) {
  size_t open = list.find('(');
  if (open == llvm::StringRef::npos || !list.ends_with(")"))
    return false;
  function = list.take_front(open).trim();
  if (!llvm::all_of(function, llvm::isAlpha) || function.empty())
    return false;
  arguments = splitList(list.slice(open + 1, list.size() - 1));
  return true;
}

/// The numbers of a call; none of them is NaN or infinite.
static bool readNumbers(llvm::ArrayRef<std::string> texts,
                        std::vector<double> &numbers) {
  for (const std::string &text : texts) {
    auto number = readNumber(text);
    if (!number || !std::isfinite(*number))
      return false;
    numbers.push_back(*number);
  }
  return true;
}

/// lin(lo, hi, count), log(lo, hi, count).
static llvm::Expected<std::vector<std::string>>
spaced(llvm::StringRef name, llvm::StringRef list, bool isLog,
       llvm::ArrayRef<std::string> arguments) {
  std::vector<double> numbers;
  if (arguments.size() != 3 || !readNumbers(arguments, numbers))
    return refuse(name, list, "write low, high, and the number of values");
  double low = numbers[0], high = numbers[1], count = numbers[2];
  if (count < 1 || count > kMostValues || count != std::floor(count))
    return refuse(name, list, "the number of values is a whole number from 1");
  if (isLog && (low <= 0 || high <= 0))
    return refuse(name, list, "a logarithmic range needs positive ends");
  std::vector<std::string> values;
  for (double k = 0; k < count; ++k) {
    double last = std::max(count - 1, 1.0);
    bool isEnd = k == 0 || k == last;
    double value = isLog ? low * std::pow(high / low, k / last)
                         : (low * (last - k) + high * k) / last;
    values.push_back(isEnd ? arguments[k > 0] : roundedText(value));
  }
  return values;
}

/// lo..hi[..step], both ends included.
static llvm::Expected<std::vector<std::string>> stepped(llvm::StringRef name,
                                                        llvm::StringRef list) {
  llvm::SmallVector<llvm::StringRef, 3> parts;
  list.split(parts, "..");
  std::vector<double> numbers;
  std::vector<std::string> texts;
  for (llvm::StringRef part : parts)
    texts.push_back(part.trim().str());
  if (parts.size() > 3 || !readNumbers(texts, numbers))
    return refuse(name, list, "write low..high or low..high..step");
  double low = numbers[0], high = numbers[1];
  double step = numbers.size() > 2 ? numbers[2] : 1;
  double steps = (high - low) / step;
  if (step == 0 || !(steps >= 0) || steps > kMostValues)
    return refuse(name, list, "the step does not lead from low to high");
  // A step of 0.1 is not exact: the last value may lie just behind the end.
  auto last = std::floor(steps + 1e-9);
  std::vector<std::string> values;
  for (double k = 0; k <= last; ++k)
    values.push_back(roundedText(low + k * step));
  return values;
}

/// uniform, loguniform or choice: true, or an error, or false for others.
static llvm::Expected<bool> addDistribution(llvm::StringRef name,
                                            llvm::StringRef list,
                                            llvm::StringRef function,
                                            llvm::ArrayRef<std::string> texts,
                                            Space &space) {
  Distribution one;
  one.name = name.str();
  if (function == "choice") {
    one.kind = Distribution::Choice;
    one.choices = texts;
    space.sampled.push_back(one);
    return true;
  }
  if (function != "uniform" && function != "loguniform")
    return false;
  one.kind =
      function == "uniform" ? Distribution::Uniform : Distribution::LogUniform;
  std::vector<double> numbers;
  if (texts.size() != 2 || !readNumbers(texts, numbers))
    return refuse(name, list, "write low and high");
  one.low = numbers[0];
  one.high = numbers[1];
  if (!(one.low < one.high))
    return refuse(name, list, "low must be less than high");
  if (one.kind == Distribution::LogUniform && one.low <= 0)
    return refuse(name, list, "a logarithmic range needs positive ends");
  space.sampled.push_back(one);
  return true;
}

//===--- Files ------------------------------------------------------------===//

/// The cells of a line of CSV, where "" in quotes is a quote.
static std::vector<std::string> cellsOf(llvm::StringRef line) {
  std::vector<std::string> cells(1);
  bool isQuoted = false;
  for (size_t at = 0; at < line.size(); ++at) {
    char c = line[at];
    if (c == '"' && isQuoted && line.substr(at + 1).starts_with("\""))
      cells.back() += line[++at];
    else if (c == '"')
      isQuoted = !isQuoted;
    else if (c == ',' && !isQuoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  for (std::string &cell : cells)
    cell = llvm::StringRef(cell).trim().str();
  return cells;
}

/// The columns of a CSV file with a line of names; all of them if `names` is
/// empty.
static llvm::Error addFile(llvm::StringRef path, FileReader read,
                           std::vector<std::string> names, Space &space) {
  auto text = read(path);
  if (!text)
    return text.takeError();
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(*text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  llvm::erase_if(lines,
                 [](llvm::StringRef line) { return line.trim().empty(); });
  if (lines.size() < 2)
    return failure("'" + path + "' has no line of values below its names");
  std::vector<std::string> header = cellsOf(lines.front());
  if (names.empty())
    names = header;
  Axis axis;
  std::vector<size_t> columns;
  for (const std::string &name : names) {
    auto found = llvm::find(header, name);
    if (found == header.end())
      return failure("'" + path + "' has no column `" + name + "`");
    columns.push_back(size_t(found - header.begin()));
  }
  axis.names = names;
  for (auto [number, line] : llvm::enumerate(lines)) {
    std::vector<std::string> cells = cellsOf(line), row;
    if (cells.size() != header.size())
      return failure("'" + path + "', line " + llvm::Twine(number + 1) +
                     ": there are " + llvm::Twine(cells.size()) +
                     " values for " + llvm::Twine(header.size()) + " names");
    for (size_t column : columns)
      row.push_back(cells[column]);
    if (number)
      axis.rows.push_back(std::move(row));
  }
  space.axes.push_back(std::move(axis));
  return llvm::Error::success();
}

//===--- Lists ------------------------------------------------------------===//

static llvm::Expected<std::vector<std::string>> valuesOf(llvm::StringRef name,
                                                         llvm::StringRef list) {
  llvm::StringRef function;
  std::vector<std::string> arguments;
  if (readCall(list, function, arguments)) {
    if (function == "lin" || function == "log")
      return spaced(name, list, function == "log", arguments);
    return refuse(name, list,
                  "there is no list `" + function +
                      "`; there are lin, log, uniform, loguniform, choice");
  }
  if (list.contains("..") && !list.contains(',')) {
    // A text such as ../data is no range.
    if (readNumber(list.split("..").first))
      return stepped(name, list);
  }
  return splitList(list);
}

llvm::Error sweep::addOver(llvm::StringRef text, FileReader read,
                           Space &space) {
  if (text.starts_with("@"))
    return addFile(text.drop_front(), read, {}, space);
  size_t equals = text.find('=');
  if (equals == llvm::StringRef::npos || equals == 0)
    return failure("--over " + text + ": write NAME=LIST");
  llvm::StringRef names = text.take_front(equals).trim();
  llvm::StringRef list = text.drop_front(equals + 1).trim();
  if (list.starts_with("@"))
    return addFile(list.drop_front(), read, splitList(names), space);
  if (names.contains(','))
    return refuse(names, list, "several names need a file: @file.csv");
  if (list.empty())
    return refuse(names, list, "the list is empty");
  llvm::StringRef function;
  std::vector<std::string> arguments;
  if (readCall(list, function, arguments)) {
    auto isOne = addDistribution(names, list, function, arguments, space);
    if (!isOne || *isOne)
      return isOne ? llvm::Error::success() : isOne.takeError();
  }
  auto values = valuesOf(names, list);
  if (!values)
    return values.takeError();
  Axis axis;
  axis.names = {names.str()};
  for (std::string &value : *values)
    axis.rows.push_back({std::move(value)});
  space.axes.push_back(std::move(axis));
  return llvm::Error::success();
}
