// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Puts words together:
///
/// ```
/// or         = and { OR and }
/// and        = unary { AND unary }
/// unary      = [ NOT ] primary
/// primary    = "(" or ")" | comparison
/// comparison = field sign value | field IN "(" value { "," value } ")"
/// ```
final class Parser {

  private final List<Token> tokens;
  private final Conditions conditions;
  private int at;
  private int depth;
  private int values;

  Parser(List<Token> tokens, Instant now) {
    this.tokens = tokens;
    this.conditions = new Conditions(now);
  }

  Query query() {
    if (is(Token.Kind.END)) {
      throw refusal("Empty query");
    }
    Query query = or();
    if (!is(Token.Kind.END)) {
      throw refusal("Unexpected token after expression");
    }
    return query;
  }

  private Query or() {
    List<Query> parts = new ArrayList<>(List.of(and()));
    while (took(Token.Kind.OR)) {
      parts.add(and());
    }
    return parts.size() == 1 ? parts.getFirst() : new Query.Or(parts);
  }

  private Query and() {
    List<Query> parts = new ArrayList<>(List.of(unary()));
    while (took(Token.Kind.AND)) {
      parts.add(unary());
    }
    return parts.size() == 1 ? parts.getFirst() : new Query.And(parts);
  }

  private Query unary() {
    return took(Token.Kind.NOT) ? new Query.Not(primary()) : primary();
  }

  private Query primary() {
    if (!is(Token.Kind.OPEN)) {
      return comparison();
    }
    if (++depth > Cql.DEPTH_MAX) {
      throw refusal("Parentheses nest deeper than " + Cql.DEPTH_MAX + " levels");
    }
    at++;
    Query query = or();
    if (!took(Token.Kind.CLOSE)) {
      throw refusal("Expected ')' after expression");
    }
    depth--;
    return query;
  }

  private Query comparison() {
    Token field = current();
    if (!took(Token.Kind.WORD)) {
      throw refusal("Expected field name");
    }
    Field known = Field.named(field);
    Token sign = current();
    boolean isSign =
        switch (sign.kind()) {
          case EQUAL,
              NOT_EQUAL,
              PREFIX,
              EQUAL_IGNORING_CASE,
              PREFIX_IGNORING_CASE,
              GREATER,
              GREATER_OR_EQUAL,
              LESS,
              LESS_OR_EQUAL,
              IN ->
              true;
          case WORD, STRING, NUMBER, AND, OR, NOT, OPEN, CLOSE, COMMA, END -> false;
        };
    if (!isSign) {
      throw refusal("Expected operator");
    }
    at++;
    List<Token> given = sign.kind() == Token.Kind.IN ? list() : List.of(value());
    return conditions.of(known, sign, given);
  }

  private List<Token> list() {
    if (!took(Token.Kind.OPEN)) {
      throw refusal("Expected '(' after IN");
    }
    List<Token> list = new ArrayList<>(List.of(value()));
    while (took(Token.Kind.COMMA)) {
      list.add(value());
    }
    if (!took(Token.Kind.CLOSE)) {
      throw refusal("Expected ')' after list values");
    }
    return list;
  }

  private Token value() {
    Token value = current();
    boolean isTruth = value.kind() == Token.Kind.WORD && value.text().matches("(?i)true|false");
    if (value.kind() != Token.Kind.STRING && value.kind() != Token.Kind.NUMBER && !isTruth) {
      throw refusal("Expected value");
    }
    if (++values > Cql.VALUES_MAX) {
      throw refusal("More than " + Cql.VALUES_MAX + " values");
    }
    at++;
    return value;
  }

  // ---- words

  private Token current() {
    return tokens.get(at);
  }

  private boolean is(Token.Kind kind) {
    return current().kind() == kind;
  }

  private boolean took(Token.Kind kind) {
    if (is(kind)) {
      at++;
      return true;
    }
    return false;
  }

  private CqlRefusal refusal(String message) {
    return CqlRefusal.syntax(message, current().position());
  }
}
