// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The grammar of queries:
///
/// ```
/// or         = and { OR and }
/// and        = unary { AND unary }
/// unary      = [ NOT ] primary
/// primary    = "(" or ")" | comparison
/// comparison = field sign value | field IN "(" value { "," value } ")"
/// ```
final class CqlParser {

  private final List<QueryToken> tokens;
  private final QueryConditions conditions;
  private int at;
  private int depth;
  private int values;

  CqlParser(List<QueryToken> tokens, Instant now) {
    this.tokens = tokens;
    this.conditions = new QueryConditions(now);
  }

  CqlQuery query() {
    if (is(QueryToken.Kind.END)) {
      throw refusal("Empty query");
    }
    CqlQuery query = or();
    if (!is(QueryToken.Kind.END)) {
      throw refusal("Unexpected token after expression");
    }
    return query;
  }

  private CqlQuery or() {
    List<CqlQuery> parts = new ArrayList<>(List.of(and()));
    while (took(QueryToken.Kind.OR)) {
      parts.add(and());
    }
    return parts.size() == 1 ? parts.getFirst() : new CqlQuery.Or(parts);
  }

  private CqlQuery and() {
    List<CqlQuery> parts = new ArrayList<>(List.of(unary()));
    while (took(QueryToken.Kind.AND)) {
      parts.add(unary());
    }
    return parts.size() == 1 ? parts.getFirst() : new CqlQuery.And(parts);
  }

  private CqlQuery unary() {
    return took(QueryToken.Kind.NOT) ? new CqlQuery.Not(primary()) : primary();
  }

  private CqlQuery primary() {
    if (!is(QueryToken.Kind.OPEN)) {
      return comparison();
    }
    if (++depth > CqlReader.DEPTH_MAX) {
      throw refusal("Parentheses nest deeper than " + CqlReader.DEPTH_MAX + " levels");
    }
    at++;
    CqlQuery query = or();
    if (!took(QueryToken.Kind.CLOSE)) {
      throw refusal("Expected ')' after expression");
    }
    depth--;
    return query;
  }

  private CqlQuery comparison() {
    QueryToken field = current();
    if (!took(QueryToken.Kind.WORD)) {
      throw refusal("Expected field name");
    }
    QueryField known = QueryField.named(field);
    QueryToken sign = current();
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
    List<QueryToken> given = sign.kind() == QueryToken.Kind.IN ? list() : List.of(value());
    return conditions.of(known, sign, given);
  }

  private List<QueryToken> list() {
    if (!took(QueryToken.Kind.OPEN)) {
      throw refusal("Expected '(' after IN");
    }
    List<QueryToken> list = new ArrayList<>(List.of(value()));
    while (took(QueryToken.Kind.COMMA)) {
      list.add(value());
    }
    if (!took(QueryToken.Kind.CLOSE)) {
      throw refusal("Expected ')' after list values");
    }
    return list;
  }

  private QueryToken value() {
    QueryToken value = current();
    boolean isTruth =
        value.kind() == QueryToken.Kind.WORD && value.text().matches("(?i)true|false");
    if (value.kind() != QueryToken.Kind.STRING
        && value.kind() != QueryToken.Kind.NUMBER
        && !isTruth) {
      throw refusal("Expected value");
    }
    if (++values > CqlReader.VALUES_MAX) {
      throw refusal("More than " + CqlReader.VALUES_MAX + " values");
    }
    at++;
    return value;
  }

  // ---- tokens

  private QueryToken current() {
    return tokens.get(at);
  }

  private boolean is(QueryToken.Kind kind) {
    return current().kind() == kind;
  }

  private boolean took(QueryToken.Kind kind) {
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
