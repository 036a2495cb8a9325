// Line ends, and the blocks that indentation makes.
//
// The state is a stack of the columns of the open blocks. Where a line ends,
// the scanner looks for the next line that is neither blank nor a comment, and
// compares its column with the innermost block's.
#include "tree_sitter/parser.h"
#include <stdlib.h>

enum Token { NEWLINE, INDENT, DEDENT, CLOSE_PAREN, CLOSE_BRACKET, CLOSE_BRACE, RECOVERY };

// Deeper blocks are no program.
enum { MOST_BLOCKS = 100 };

typedef struct {
  unsigned depth;
  uint16_t columns[MOST_BLOCKS];
} Scanner;

void *tree_sitter_chi_external_scanner_create(void) { return calloc(1, sizeof(Scanner)); }

void tree_sitter_chi_external_scanner_destroy(void *payload) { free(payload); }

unsigned tree_sitter_chi_external_scanner_serialize(void *payload, char *buffer) {
  const Scanner *scanner = payload;
  unsigned size = 0;
  for (unsigned k = 0; k < scanner->depth; ++k) {
    buffer[size++] = (char)(scanner->columns[k] & 0xff);
    buffer[size++] = (char)(scanner->columns[k] >> 8);
  }
  return size;
}

void tree_sitter_chi_external_scanner_deserialize(void *payload, const char *buffer,
                                                  unsigned length) {
  Scanner *scanner = payload;
  scanner->depth = 0;
  for (unsigned k = 0; k + 1 < length && scanner->depth < MOST_BLOCKS; k += 2)
    scanner->columns[scanner->depth++] =
        (uint16_t)((unsigned char)buffer[k] | (unsigned char)buffer[k + 1] << 8);
}

static void skip(TSLexer *lexer) { lexer->advance(lexer, true); }

// Goes to the next line that has code. True if a line ended before it, or the
// text did; its column in `column`, and that of the first comment on the way,
// or -1. False if there is code, or a comment, in this line.
static bool findLine(TSLexer *lexer, unsigned *column, int *comment) {
  bool isNext = false;
  *column = 0;
  *comment = -1;
  for (;;) {
    switch (lexer->lookahead) {
    case '\n':
      isNext = true;
      *column = 0;
      skip(lexer);
      break;
    case ' ':
      ++*column;
      skip(lexer);
      break;
    case '\t':
      *column += 8;
      skip(lexer);
      break;
    case '\r':
    case '\f':
    case 0xFEFF:
      *column = 0;
      skip(lexer);
      break;
    case '#':
      if (!isNext)
        return false;
      if (*comment < 0)
        *comment = (int)*column;
      while (lexer->lookahead && lexer->lookahead != '\n')
        skip(lexer);
      break;
    case 0:
      if (lexer->eof(lexer)) {
        *column = 0;
        return true;
      }
      return isNext;
    default:
      return isNext;
    }
  }
}

bool tree_sitter_chi_external_scanner_scan(void *payload, TSLexer *lexer,
                                           const bool *valid) {
  Scanner *scanner = payload;
  bool isInBrackets = valid[CLOSE_PAREN] || valid[CLOSE_BRACKET] || valid[CLOSE_BRACE];
  bool isRecovering = valid[RECOVERY];
  unsigned column;
  int comment;
  lexer->mark_end(lexer);
  if (!valid[NEWLINE] && !valid[INDENT] && !valid[DEDENT])
    return false;
  if (!findLine(lexer, &column, &comment))
    return false;
  unsigned current = scanner->depth ? scanner->columns[scanner->depth - 1] : 0;
  if (valid[INDENT] && column > current && scanner->depth < MOST_BLOCKS) {
    scanner->columns[scanner->depth++] = (uint16_t)column;
    lexer->result_symbol = INDENT;
    return true;
  }
  // A comment at the block's column still stands in it.
  bool ends = valid[DEDENT] || (!valid[NEWLINE] && !isInBrackets);
  if (ends && scanner->depth && column < current && comment < (int)current) {
    --scanner->depth;
    lexer->result_symbol = DEDENT;
    return true;
  }
  if (valid[NEWLINE] && !isRecovering) {
    lexer->result_symbol = NEWLINE;
    return true;
  }
  return false;
}
