//===- ObjectMembers.cpp --------------------------------------------------===//
#include "chi/Sema/Builtins/ObjectMembers.h"
#include "llvm/ADT/STLExtras.h"

using namespace chi;
using namespace chi::sema;

static constexpr TypeKind S = TypeKind::Str, L = TypeKind::List,
                          D = TypeKind::Dict, T = TypeKind::Set,
                          F = TypeKind::File;
static constexpr HostOp R = HostOp::Run, Q = HostOp::Search;

// A str kind is a chirt_str_kind, a set operation a chirt_set_operation.
static const ObjectMethod kMethods[] = {
    {S, "upper", R, "chirt_str_case", "#1;", 's'},
    {S, "lower", R, "chirt_str_case", "#0;", 's'},
    {S, "capitalize", R, "chirt_str_title", "#0;", 's'},
    {S, "title", R, "chirt_str_title", "#1;", 's'},
    {S, "strip", R, "chirt_str_strip_space", "#3;", 's'},
    {S, "strip", R, "chirt_str_strip", "s#3;", 's'},
    {S, "lstrip", R, "chirt_str_strip_space", "#1;", 's'},
    {S, "lstrip", R, "chirt_str_strip", "s#1;", 's'},
    {S, "rstrip", R, "chirt_str_strip_space", "#2;", 's'},
    {S, "rstrip", R, "chirt_str_strip", "s#2;", 's'},
    {S, "removeprefix", R, "chirt_str_cut", "s#0;", 's'},
    {S, "removesuffix", R, "chirt_str_cut", "s#1;", 's'},
    {S, "replace", R, "chirt_str_replace", "ss#-1;", 's'},
    {S, "replace", R, "chirt_str_replace", "ssi", 's'},
    {S, "split", R, "chirt_str_words", "#-1;", 'S'},
    {S, "split", R, "chirt_str_split", "s#-1;", 'S'},
    {S, "split", R, "chirt_str_split", "si", 'S'},
    {S, "splitlines", R, "chirt_str_lines", "", 'S'},
    {S, "join", R, "chirt_str_join", "l", 's'},
    {S, "find", R, "chirt_str_find", "s#0;", 'i'},
    {S, "rfind", R, "chirt_str_find", "s#1;", 'i'},
    {S, "index", R, "chirt_str_index", "s", 'i'},
    {S, "count", R, "chirt_str_count", "s", 'i'},
    {S, "startswith", R, "chirt_str_starts", "s", 'b'},
    {S, "endswith", R, "chirt_str_ends", "s", 'b'},
    {S, "isdigit", R, "chirt_str_is", "#0;", 'b'},
    {S, "isalpha", R, "chirt_str_is", "#1;", 'b'},
    {S, "isalnum", R, "chirt_str_is", "#2;", 'b'},
    {S, "isspace", R, "chirt_str_is", "#3;", 'b'},
    {S, "isupper", R, "chirt_str_is", "#4;", 'b'},
    {S, "islower", R, "chirt_str_is", "#5;", 'b'},
    {S, "ljust", R, "chirt_str_pad", "i\" ;#0;", 's'},
    {S, "ljust", R, "chirt_str_pad", "is#0;", 's'},
    {S, "rjust", R, "chirt_str_pad", "i\" ;#1;", 's'},
    {S, "rjust", R, "chirt_str_pad", "is#1;", 's'},
    {S, "center", R, "chirt_str_pad", "i\" ;#2;", 's'},
    {S, "center", R, "chirt_str_pad", "is#2;", 's'},
    {S, "zfill", R, "chirt_str_pad", "i\"0;#3;", 's'},

    {L, "append", HostOp::ListPush, "", "e", 'n'},
    {L, "insert", HostOp::ListInsert, "", "ie", 'n'},
    {L, "extend", R, "chirt_list_extend", "o", 'n'},
    {L, "pop", HostOp::ListPop, "", "#-1;", 'e'},
    {L, "pop", HostOp::ListPop, "", "i", 'e'},
    {L, "remove", Q, "chirt_list_remove", "e", 'n'},
    {L, "index", Q, "chirt_list_index", "e", 'i'},
    {L, "count", Q, "chirt_list_count", "e", 'i'},
    {L, "reverse", R, "chirt_list_reverse", "", 'n'},
    {L, "sort", R, "chirt_list_sort", "#0;", 'n'},
    {L, "clear", R, "chirt_object_clear", "", 'n'},
    {L, "copy", R, "chirt_object_copy", "", 'o'},

    {D, "keys", R, "chirt_dict_keys", "", 'K'},
    {D, "values", R, "chirt_dict_values", "", 'V'},
    {D, "items", R, "chirt_dict_items", "", 'I'},
    {D, "get", HostOp::DictGet, "", "ev", 'v'},
    {D, "setdefault", HostOp::DictGet, "", "ev", 'v'},
    {D, "pop", HostOp::DictPop, "", "e", 'v'},
    {D, "popitem", HostOp::DictPop, "", "", 'v'},
    {D, "update", R, "chirt_dict_update", "o", 'n'},
    {D, "clear", R, "chirt_object_clear", "", 'n'},
    {D, "copy", R, "chirt_object_copy", "", 'o'},

    {T, "add", HostOp::DictPut, "", "e", 'n'},
    {T, "remove", HostOp::DictPop, "", "e", 'n'},
    {T, "discard", Q, "chirt_dict_discard", "e", 'n'},
    {T, "pop", HostOp::DictPop, "", "", 'e'},
    {T, "union", R, "chirt_set_combine", "o#0;", 'o'},
    {T, "intersection", R, "chirt_set_combine", "o#1;", 'o'},
    {T, "difference", R, "chirt_set_combine", "o#2;", 'o'},
    {T, "symmetric_difference", R, "chirt_set_combine", "o#3;", 'o'},
    {T, "issubset", R, "chirt_set_within", "o", 'b'},
    {T, "isdisjoint", R, "chirt_set_disjoint", "o", 'b'},
    {T, "update", R, "chirt_dict_update", "o", 'n'},
    {T, "clear", R, "chirt_object_clear", "", 'n'},
    {T, "copy", R, "chirt_object_copy", "", 'o'},

    {F, "read", R, "chirt_file_read", "", 's'},
    {F, "readline", R, "chirt_file_line", "", 's'},
    {F, "readlines", R, "chirt_file_lines", "", 'S'},
    {F, "write", R, "chirt_file_write", "s", 'n'},
    {F, "close", R, "chirt_file_close", "", 'n'},
};

unsigned ObjectMethod::numArguments() const {
  unsigned count = 0;
  for (llvm::StringRef rest = takes; !rest.empty();) {
    bool isConstant = rest[0] == '#' || rest[0] == '"';
    count += !isConstant;
    rest = isConstant ? rest.split(';').second : rest.drop_front();
  }
  return count;
}

std::vector<const ObjectMethod *> sema::objectMethods(TypeRef type,
                                                      llvm::StringRef name) {
  std::vector<const ObjectMethod *> found;
  for (const ObjectMethod &method : kMethods)
    if (method.on == type->kind && method.name == name)
      found.push_back(&method);
  return found;
}

std::vector<llvm::StringRef> sema::objectMembers(TypeRef type) {
  std::vector<llvm::StringRef> names;
  for (const ObjectMethod &method : kMethods)
    if (method.on == type->kind && !llvm::is_contained(names, method.name))
      names.push_back(method.name);
  return names;
}
