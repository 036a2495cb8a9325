//===- Scripts.cpp - Completion in bash, zsh and fish ---------------------===//
#include "chi/Driver/Completion/CommandTables.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace chi;
using namespace chi::driver;

/// A word in single quotes, as all three shells read it.
static std::string quoted(llvm::StringRef text, bool isFish = false) {
  std::string result = "'";
  for (char c : text) {
    if (c == '\'')
      result += isFish ? "\\'" : "'\\''";
    else if (isFish && c == '\\')
      result += "\\\\";
    else
      result += c;
  }
  return result + "'";
}

static std::string wordsOf(const VerbEntry &verb) {
  std::vector<std::string> words;
  for (const VerbEntry &inner : verb.verbs)
    words.push_back(inner.name);
  for (const OptionEntry &option : verb.options)
    llvm::append_range(words, option.names);
  return llvm::join(words, " ");
}

//===----------------------------------------------------------------------===//
// bash
//===----------------------------------------------------------------------===//

/// The command that fills COMPREPLY with what may follow.
static std::string bashOf(Operand operand,
                          const std::vector<std::string> &choices) {
  switch (operand) {
  case Operand::Choice:
    return "_chic_words " + quoted(llvm::join(choices, " "));
  case Operand::Program:
    return "_chic_files '*.chi'";
  case Operand::File:
    return "_chic_files '*'";
  case Operand::Folder:
    return "_chic_folders";
  default:
    return ":";
  }
}

static constexpr llvm::StringLiteral kBashHead =
    R"__(# Completion of chic in bash: eval "$(chic completion bash)"
_chic_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_chic_folders() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -d -- "$cur")
}
_chic_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -d -- "$cur"
    compgen -f -X "!$1" -- "$cur" | while IFS= read -r name; do
      [[ -d $name ]] || printf '%s\n' "$name"
    done)
}
_chic() {
  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=
  COMPREPLY=()
  # bash takes `--arch=cpu` for three words.
  if [[ $cur == '=' ]]; then
    cur=
  elif [[ $before == '=' ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  ((COMP_CWORD > 1)) && verb=${COMP_WORDS[1]}
)__";

/// The values of the verb's options, and its words.
static void writeBash(llvm::raw_ostream &out, const VerbEntry &verb,
                      llvm::StringRef path) {
  for (const OptionEntry &option : verb.options)
    if (option.operand != Operand::None)
      for (const std::string &name : option.names)
        out << "  " << quoted((path + " " + name).str()) << ") "
            << bashOf(option.operand, option.choices) << "; return ;;\n";
  for (const VerbEntry &inner : verb.verbs)
    writeBash(out, inner,
              path.empty() ? inner.name : path.str() + " " + inner.name);
}

static void writeBashWords(llvm::raw_ostream &out, const VerbEntry &verb,
                           llvm::StringRef path) {
  out << "  " << quoted(path) << ") words=" << quoted(wordsOf(verb))
      << "; own() { " << bashOf(verb.operand, verb.choices) << "; } ;;\n";
  for (const VerbEntry &inner : verb.verbs)
    writeBashWords(out, inner,
                   path.empty() ? inner.name : path.str() + " " + inner.name);
}

static std::string bashScript(const VerbEntry &chic) {
  std::string script;
  llvm::raw_string_ostream out(script);
  out << kBashHead;
  // A verb of a verb.
  out << "  case \"$verb ${COMP_WORDS[2]-}\" in\n";
  for (const VerbEntry &verb : chic.verbs)
    for (const VerbEntry &inner : verb.verbs)
      out << "  " << quoted(verb.name + " " + inner.name)
          << ") ((COMP_CWORD > 2)) && verb+=\" ${COMP_WORDS[2]}\" ;;\n";
  out << "  esac\n  case \"$verb $before\" in\n";
  writeBash(out, chic, "");
  out << "  esac\n  local words=\n  own() { :; }\n  case \"$verb\" in\n";
  writeBashWords(out, chic, "");
  out << "  esac\n"
         "  if [[ $cur == -* || -z $verb ]]; then\n"
         "    _chic_words \"$words\"\n"
         "  else\n"
         "    own\n"
         "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -W "
         "\"$(printf '%s\\n' $words | grep -v '^-')\" -- \"$cur\")\n"
         "  fi\n"
         "  unset -f own\n"
         "}\n"
         "complete -F _chic chic\n";
  return script;
}

//===----------------------------------------------------------------------===//
// zsh
//===----------------------------------------------------------------------===//

static std::string zshOf(Operand operand,
                         const std::vector<std::string> &choices) {
  switch (operand) {
  case Operand::Choice:
    return "(" + llvm::join(choices, " ") + ")";
  case Operand::Program:
    return "_files -g \"*.chi(-.)\"";
  case Operand::File:
    return "_files";
  case Operand::Folder:
    return "_files -/";
  default:
    return " ";
  }
}

/// A description for `_arguments` and `_describe`, which read `:` and
/// brackets.
static std::string zshHelp(llvm::StringRef help) {
  std::string result;
  for (char c : help) {
    if (llvm::StringRef("[]:\\").contains(c))
      result += '\\';
    result += c;
  }
  return result;
}

static void writeZshArguments(llvm::raw_ostream &out, const VerbEntry &verb,
                              llvm::StringRef indent) {
  out << indent << "_arguments";
  for (const OptionEntry &option : verb.options)
    for (llvm::StringRef name : option.names) {
      bool hasValue = option.operand != Operand::None;
      std::string spec = name.str();
      if (hasValue)
        spec += name.starts_with("--") ? "=" : "+";
      spec += "[" + zshHelp(option.help) + "]";
      if (hasValue)
        spec += ":value:" + zshOf(option.operand, option.choices);
      out << " \\\n" << indent << "  " << quoted(spec);
    }
  if (verb.operand != Operand::None)
    out << " \\\n"
        << indent << "  "
        << quoted("*:word:" + zshOf(verb.operand, verb.choices));
  out << "\n";
}

/// The verbs as the first word, then what belongs to the one that is there.
static void writeZsh(llvm::raw_ostream &out, const VerbEntry &verb,
                     const std::string &indent) {
  if (verb.verbs.empty())
    return writeZshArguments(out, verb, indent);
  out << indent << "if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n"
      << indent << "  local -a verbs=(";
  for (const VerbEntry &inner : verb.verbs)
    out << "\n"
        << indent << "    " << quoted(inner.name + ":" + zshHelp(inner.help));
  out << ")\n" << indent << "  _describe verb verbs\n";
  if (verb.operand == Operand::Program)
    out << indent << "  _files -g '*.chi(-.)'\n";
  out << indent << "  return\n"
      << indent << "fi\n"
      << indent << "case $words[2] in\n";
  for (const VerbEntry &inner : verb.verbs) {
    out << indent << inner.name << ")\n"
        << indent << "  shift words; (( CURRENT-- ))\n";
    writeZsh(out, inner, indent + "  ");
    out << indent << "  ;;\n";
  }
  out << indent << "*)\n";
  writeZshArguments(out, verb, indent + "  ");
  out << indent << "  ;;\n" << indent << "esac\n";
}

static std::string zshScript(const VerbEntry &chic) {
  std::string script;
  llvm::raw_string_ostream out(script);
  out << "#compdef chic\n"
         "# Completion of chic in zsh, after compinit: eval \"$(chic "
         "completion zsh)\"\n"
         "_chic() {\n";
  writeZsh(out, chic, "  ");
  out << "}\ncompdef _chic chic\n";
  return script;
}

//===----------------------------------------------------------------------===//
// fish
//===----------------------------------------------------------------------===//

static std::string fishOf(Operand operand,
                          const std::vector<std::string> &choices) {
  switch (operand) {
  case Operand::Choice:
    return " -x -a " + quoted(llvm::join(choices, " "), true);
  case Operand::Program:
    return " -k -x -a '(__fish_complete_suffix .chi)'";
  case Operand::File:
    return " -r -F";
  case Operand::Folder:
    return " -x -a '(__fish_complete_directories)'";
  case Operand::Other:
    return " -x";
  default:
    return "";
  }
}

static void writeFishOptions(llvm::raw_ostream &out, const VerbEntry &verb,
                             llvm::StringRef condition) {
  for (const OptionEntry &option : verb.options) {
    out << "complete -c chic -n " << quoted(condition, true);
    for (llvm::StringRef name : option.names)
      out << (name.starts_with("--") ? " -l " + name.drop_front(2)
              : name.size() == 2     ? " -s " + name.drop_front(1)
                                     : " -o " + name.drop_front(1))
                 .str();
    out << fishOf(option.operand, option.choices) << " -d "
        << quoted(option.help, true) << "\n";
  }
}

static std::string fishScript(const VerbEntry &chic) {
  std::string script;
  llvm::raw_string_ostream out(script);
  out << "# Completion of chic in fish: chic completion fish | source\n"
         "complete -c chic -f\n";
  writeFishOptions(out, chic, "__fish_use_subcommand");
  auto writeVerb = [&](auto &self, const VerbEntry &verb,
                       const std::string &before) -> void {
    out << "complete -c chic -n " << quoted(before, true) << " -a " << verb.name
        << " -d " << quoted(verb.help, true) << "\n";
    std::string here = "__fish_seen_subcommand_from " + verb.name;
    writeFishOptions(out, verb, here);
    if (verb.operand != Operand::None && verb.operand != Operand::Other)
      out << "complete -c chic -n " << quoted(here, true)
          << fishOf(verb.operand, verb.choices) << "\n";
    for (const VerbEntry &inner : verb.verbs)
      self(self, inner, here);
  };
  for (const VerbEntry &verb : chic.verbs)
    writeVerb(writeVerb, verb, "__fish_use_subcommand");
  return script;
}

std::string chi::driver::completionScript(llvm::StringRef shell,
                                          const VerbEntry &chic) {
  return shell == "bash"   ? bashScript(chic)
         : shell == "zsh"  ? zshScript(chic)
         : shell == "fish" ? fishScript(chic)
                           : "";
}
