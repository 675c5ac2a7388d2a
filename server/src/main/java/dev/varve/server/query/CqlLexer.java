// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The division of a query into tokens.
final class CqlLexer {

  private static final int END = -1;

  private static final Map<String, QueryToken.Kind> WORDS =
      Map.of(
          "AND", QueryToken.Kind.AND,
          "OR", QueryToken.Kind.OR,
          "NOT", QueryToken.Kind.NOT,
          "IN", QueryToken.Kind.IN);

  /// The signs; of two with the same beginning, the longer one counts.
  private static final Map<String, QueryToken.Kind> SIGNS =
      Map.ofEntries(
          Map.entry("(", QueryToken.Kind.OPEN),
          Map.entry(")", QueryToken.Kind.CLOSE),
          Map.entry(",", QueryToken.Kind.COMMA),
          Map.entry("=", QueryToken.Kind.EQUAL),
          Map.entry("!=", QueryToken.Kind.NOT_EQUAL),
          Map.entry("^=", QueryToken.Kind.PREFIX),
          Map.entry("~=", QueryToken.Kind.EQUAL_IGNORING_CASE),
          Map.entry("^~=", QueryToken.Kind.PREFIX_IGNORING_CASE),
          Map.entry(">", QueryToken.Kind.GREATER),
          Map.entry(">=", QueryToken.Kind.GREATER_OR_EQUAL),
          Map.entry("<", QueryToken.Kind.LESS),
          Map.entry("<=", QueryToken.Kind.LESS_OR_EQUAL));

  private static final int SIGN_LENGTH_MAX = 3;

  private final int[] characters;
  private int at;
  private int line = 1;
  private int column = 1;
  private int offset;

  private CqlLexer(int[] characters) {
    this.characters = characters;
  }

  /// The tokens of `text`, and an end token.
  static List<QueryToken> tokens(String text) {
    if (text.codePointCount(0, text.length()) > CqlReader.LENGTH_MAX) {
      throw CqlRefusal.syntax(
          "Query is longer than " + CqlReader.LENGTH_MAX + " characters",
          new CqlError.Position(1, 1, 0));
    }
    CqlLexer lexer = new CqlLexer(text.codePoints().toArray());
    List<QueryToken> tokens = new ArrayList<>();
    do {
      tokens.add(lexer.next());
    } while (tokens.getLast().kind() != QueryToken.Kind.END);
    return tokens;
  }

  private QueryToken next() {
    while (isSpace(peek(0))) {
      advance();
    }
    CqlError.Position start = position();
    int c = peek(0);
    if (c == END) {
      return new QueryToken(QueryToken.Kind.END, "", start);
    }
    if (c == '"' || c == '\'') {
      return string(c, start);
    }
    if (isDigit(c) || (c == '-' && isDigit(peek(1)))) {
      return number(start);
    }
    if (Character.isLetter(c) || c == '_') {
      return word(start);
    }
    return sign(start);
  }

  private QueryToken string(int quote, CqlError.Position start) {
    advance();
    StringBuilder text = new StringBuilder();
    for (int c = peek(0); c != quote; c = peek(0)) {
      if (c == '\\') {
        advance();
        c = escaped(peek(0));
      }
      if (c == END) {
        throw CqlRefusal.syntax("Unterminated string", start);
      }
      text.appendCodePoint(c);
      advance();
    }
    advance();
    return new QueryToken(QueryToken.Kind.STRING, text.toString(), start);
  }

  private static int escaped(int c) {
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      default -> c;
    };
  }

  private QueryToken number(CqlError.Position start) {
    StringBuilder text = new StringBuilder();
    take(text);
    while (isDigit(peek(0)) || (peek(0) == '.' && text.indexOf(".") < 0)) {
      take(text);
    }
    return new QueryToken(QueryToken.Kind.NUMBER, text.toString(), start);
  }

  private QueryToken word(CqlError.Position start) {
    StringBuilder text = new StringBuilder();
    while (peek(0) != END && (Character.isLetterOrDigit(peek(0)) || peek(0) == '_')) {
      take(text);
    }
    QueryToken.Kind kind =
        WORDS.getOrDefault(text.toString().toUpperCase(Locale.ROOT), QueryToken.Kind.WORD);
    return new QueryToken(kind, text.toString(), start);
  }

  private QueryToken sign(CqlError.Position start) {
    for (int length = SIGN_LENGTH_MAX; length > 0; length--) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < length && peek(i) != END; i++) {
        text.appendCodePoint(peek(i));
      }
      QueryToken.Kind kind = SIGNS.get(text.toString());
      if (kind != null && text.length() == length) {
        for (int i = 0; i < length; i++) {
          advance();
        }
        return new QueryToken(kind, text.toString(), start);
      }
    }
    int c = peek(0);
    if (c == '!' || c == '^' || c == '~') {
      throw CqlRefusal.syntax("Expected '=' after '" + Character.toString(c) + "'", start);
    }
    throw CqlRefusal.syntax("Unexpected character '" + Character.toString(c) + "'", start);
  }

  // ---- characters

  private void take(StringBuilder text) {
    text.appendCodePoint(peek(0));
    advance();
  }

  private int peek(int ahead) {
    return at + ahead < characters.length ? characters[at + ahead] : END;
  }

  private void advance() {
    if (at == characters.length) {
      return;
    }
    int c = characters[at++];
    offset += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    if (c == '\n') {
      line++;
      column = 1;
    } else {
      column++;
    }
  }

  private CqlError.Position position() {
    return new CqlError.Position(line, column, offset);
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isSpace(int c) {
    return c != END && (Character.isWhitespace(c) || Character.isSpaceChar(c));
  }
}
