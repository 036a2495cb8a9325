//===- SiteMessage.cpp - Words for a failed check -------------------------===//
#include "chirt/failure/Failure.h"
#include "chirt/text/Element.h"
#include "chirt/text/Format.h"

#include <cstdio>

namespace chirt {

namespace {
/// The k-th raw value of a site, as a user would write it.
void appendValue(Text &out, const chirt_site *site, const int64_t *values,
                 int k) {
  int32_t type = site->value_types ? site->value_types[k] : CHIRT_I64;
  if (isFloatType(type)) {
    double value;
    memcpy(&value, &values[k], sizeof(value));
    formatFloat(out, value, type, FormatSpec());
  } else if (type == CHIRT_BOOL) {
    out << (values[k] & 1 ? "True" : "False");
  } else if (isUnsignedType(type)) {
    out << static_cast<unsigned long long>(values[k]);
  } else {
    out << static_cast<long long>(values[k]);
  }
}

bool isOperator(const char *what) {
  for (const char *c = what; *c; ++c)
    if (!strchr("+-*/%<>&|^", *c))
      return false;
  return *what != '\0';
}

void describeOverflow(Text &out, const chirt_site *site,
                      const int64_t *values) {
  const char *type = site->num_values && site->value_types
                         ? dtypeName(site->value_types[0])
                         : "its type";
  bool isNegation =
      site->num_values == 2 && !strcmp(site->what, "-") && values[0] == 0;
  if (isNegation) {
    out << "-(";
    appendValue(out, site, values, 1);
    out << ") does not fit in " << type;
    return;
  }
  if (site->num_values == 2 && isOperator(site->what)) {
    appendValue(out, site, values, 0);
    out << ' ' << site->what << ' ';
    appendValue(out, site, values, 1);
    out << " does not fit in " << type;
    return;
  }
  out << "signed overflow";
  if (*site->what)
    out << " in `" << site->what << '`';
  for (int k = 0; k < site->num_values; ++k) {
    out << (k ? " and " : ": the values are ");
    appendValue(out, site, values, k);
  }
  if (site->num_values)
    out << ", the result does not fit in " << type;
}

/// The operands of an operation, then its result; or a value alone.
void describeNaN(Text &out, const chirt_site *site, const int64_t *values) {
  int operands = values ? site->num_values - 1 : 0;
  if (operands == 2 && isOperator(site->what)) {
    appendValue(out, site, values, 0);
    out << ' ' << site->what << ' ';
    appendValue(out, site, values, 1);
  } else if (operands > 0) {
    out << site->what;
    for (int k = 0; k < operands; ++k) {
      out << (k ? ", " : "(");
      appendValue(out, site, values, k);
    }
    out << ')';
  } else {
    const char *what = *site->what ? site->what : "the value";
    // Of the backward pass: words of ours, nothing that the program says.
    bool isQuoted = strcmp(what, "the derivative of this") != 0;
    out << (isQuoted ? "`" : "") << what << (isQuoted ? "`" : "");
  }
  out << (operands ? " gives " : " became ");
  if (values)
    appendValue(out, site, values, operands);
  else
    out << "nan";
}

void describeAssert(Text &out, const chirt_site *site, const int64_t *values,
                    std::string_view message) {
  // What the compiler found to fail is no assertion of the program.
  if (!*site->what && !message.empty()) {
    out << message;
    return;
  }
  out << "assertion";
  if (*site->what)
    out << " `" << site->what << '`';
  out << " failed";
  if (!message.empty())
    out << ": " << message;
  if (site->num_values == 2) {
    out << " (left is ";
    appendValue(out, site, values, 0);
    out << ", right is ";
    appendValue(out, site, values, 1);
    out << ')';
  }
}

void describeOther(Text &out, const chirt_site *site, const int64_t *values) {
  out << (*site->what ? site->what : "this failed");
  for (int k = 0; k < site->num_values; ++k) {
    out << (k ? ", " : ": ");
    appendValue(out, site, values, k);
  }
}
} // namespace

void describeCheck(Text &out, const chirt_site *site, const int64_t *values,
                   std::string_view message) {
  bool has = site->num_values > 0 && values;
  switch (site->kind) {
  case CHIRT_SITE_BOUNDS:
    if (site->num_values < 2 || !values)
      break;
    out << "index ";
    appendValue(out, site, values, 0);
    out << " is out of bounds for axis " << site->axis;
    if (*site->what)
      out << " of `" << site->what << '`';
    out << " with size ";
    appendValue(out, site, values, 1);
    return;
  case CHIRT_SITE_DIVIDE:
    if (!strcmp(site->what, "range")) {
      out << "the step of a range is zero";
      return;
    }
    if (!strcmp(site->what, "random") && site->num_values == 2 && values) {
      out << "`random` has no integer from ";
      appendValue(out, site, values, 0);
      out << " up to, but excluding, ";
      appendValue(out, site, values, 1);
      return;
    }
    out << "integer division ";
    if (has) {
      out << "of ";
      appendValue(out, site, values, 0);
      out << ' ';
    }
    out << "by zero";
    return;
  case CHIRT_SITE_ASSERT:
    return describeAssert(out, site, values, message);
  case CHIRT_SITE_OVERFLOW:
    return describeOverflow(out, site, values);
  case CHIRT_SITE_POWER:
    if (has && site->num_values == 2) {
      appendValue(out, site, values, 0);
      out << " ** ";
      appendValue(out, site, values, 1);
      out << " has no derivative with respect to its exponent: the base is "
             "negative";
      return;
    }
    out << "an integer cannot be raised to the negative power ";
    if (has)
      appendValue(out, site, values, 0);
    return;
  case CHIRT_SITE_SHAPE:
    if (*site->what)
      out << '`' << site->what << "`: ";
    out << "the shapes do not match";
    if (site->num_values == 2 && values) {
      out << ": ";
      appendValue(out, site, values, 0);
      out << " and ";
      appendValue(out, site, values, 1);
      out << " on axis " << site->axis;
    }
    return;
  case CHIRT_SITE_NAN:
    return describeNaN(out, site, has ? values : nullptr);
  default:
    break;
  }
  describeOther(out, site, has ? values : nullptr);
}

namespace {
/// Reads line `number` of a file. Returns false if there is none.
bool readLine(const char *file, int number, Text &line) {
  FILE *stream = file && *file ? fopen(file, "re") : nullptr;
  if (!stream)
    return false;
  int current = 1, c = 0;
  while (current < number && (c = getc_unlocked(stream)) != EOF)
    current += c == '\n';
  while (current == number && (c = getc_unlocked(stream)) != EOF && c != '\n' &&
         line.size() < 4096)
    if (c != '\r')
      line << char(c);
  fclose(stream);
  return !line.empty();
}

bool isContinuation(char c) { return (c & 0xc0) == 0x80; }

/// The byte at which code point number `column` (from 1) starts.
size_t byteOfColumn(std::string_view text, int column) {
  size_t at = 0;
  for (int k = 1; k < column && at < text.size(); ++k)
    for (++at; at < text.size() && isContinuation(text[at]);)
      ++at;
  return at;
}

/// The source line with the range underlined. Columns count code points.
void appendExcerpt(Text &out, const chirt_site *site) {
  Text line;
  if (site->line < 1 || !readLine(site->file, site->line, line))
    return;
  std::string_view text = line.view();
  size_t begin = byteOfColumn(text, site->column);
  size_t end = byteOfColumn(text, site->end_column);
  // A very long line: the part round the range.
  size_t first = begin > 100 ? begin - 60 : 0;
  while (first > 0 && isContinuation(text[first]))
    --first;
  out.appendf("%5d | ", site->line);
  out << slice(text, first, 200) << "\n      | ";
  for (size_t i = first; i < begin; ++i)
    if (!isContinuation(text[i]))
      out << (text[i] == '\t' ? '\t' : ' ');
  out << '^';
  for (size_t i = begin + 1; i < end && i < first + 200; ++i)
    if (!isContinuation(text[i]))
      out << '~';
  out << '\n';
}

/// " [kernel energy, iteration i=321, j=0]"
void appendIteration(Text &out, const chirt_site *site,
                     const int64_t *iteration) {
  out << " [kernel " << site->kernel;
  std::string_view names = site->axes ? site->axes : "";
  for (int axis = 0; iteration && axis < site->num_axes; ++axis) {
    out << (axis ? ", " : ", iteration ");
    size_t comma = names.find(',');
    std::string_view name = slice(names, 0, comma);
    while (!name.empty() && name.front() == ' ')
      name.remove_prefix(1);
    if (!name.empty())
      out << name << '=';
    out << static_cast<long long>(iteration[axis]);
    names = comma == names.npos ? std::string_view() : slice(names, comma + 1);
  }
  out << ']';
}
} // namespace

void describeFailure(Text &out, const chirt_site *site, const char *severity,
                     std::string_view text, const int64_t *iteration) {
  if (site && site->file && *site->file) {
    out << site->file << ':';
    if (site->line > 0)
      out << site->line << ':' << site->column << ':';
    out << ' ';
  }
  out << severity << ": " << text;
  if (site && site->kernel && *site->kernel)
    appendIteration(out, site, iteration);
  out << '\n';
  if (site)
    appendExcerpt(out, site);
}

} // namespace chirt
