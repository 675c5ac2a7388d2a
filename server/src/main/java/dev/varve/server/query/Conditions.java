// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Makes a condition of a field, a sign and values, or says which of them does not go with the
/// others.
final class Conditions {

  private final Instant now;

  Conditions(Instant now) {
    this.now = now;
  }

  Query of(Field field, Token sign, List<Token> values) {
    return switch (field) {
      case ID -> id(field, Query.IdField.ID, sign, values);
      case PARENT -> id(field, Query.IdField.PARENT, sign, values);
      case ROOT -> id(field, Query.IdField.ROOT, sign, values);
      case TAG -> text(field, TextField.TAG, sign, values);
      case TITLE -> text(field, TextField.TITLE, sign, values);
      case USER -> text(field, TextField.USER, sign, values);
      case SERVICE -> text(field, TextField.SERVICE, sign, values);
      case HOST -> text(field, TextField.HOST, sign, values);
      case TRACE_ID -> text(field, TextField.TRACE_ID, sign, values);
      case LABEL -> {
        checkPlain(field, sign);
        yield negated(sign, new Query.Label(new HashSet<>(texts(field, values))));
      }
      case CREATED -> number(field, Query.NumberField.CREATED, sign, time(values.getFirst()));
      case DEPTH ->
          number(
              field,
              Query.NumberField.DEPTH,
              sign,
              whole(field, values.getFirst()) & Long.MAX_VALUE); // deeper than all turns
      case IS_LIVE -> live(sign, values.getFirst());
    };
  }

  private static Query text(Field field, TextField text, Token sign, List<Token> values) {
    Query.TextComparison comparison =
        switch (sign.kind()) {
          case EQUAL, NOT_EQUAL, IN -> Query.TextComparison.EQUAL;
          case PREFIX -> Query.TextComparison.PREFIX;
          case EQUAL_IGNORING_CASE -> Query.TextComparison.EQUAL_IGNORING_CASE;
          case PREFIX_IGNORING_CASE -> Query.TextComparison.PREFIX_IGNORING_CASE;
          default -> throw operator(field, sign, "=, !=, ^=, ~=, ^~= and IN");
        };
    return negated(sign, new Query.Text(text, comparison, texts(field, values)));
  }

  private static Query id(Field field, Query.IdField id, Token sign, List<Token> values) {
    checkPlain(field, sign);
    Set<Long> numbers = new HashSet<>();
    for (Token value : values) {
      numbers.add(whole(field, value));
    }
    return negated(sign, new Query.Id(id, numbers));
  }

  private static void checkPlain(Field field, Token sign) {
    switch (sign.kind()) {
      case EQUAL, NOT_EQUAL, IN -> {}
      default -> throw operator(field, sign, "=, != and IN");
    }
  }

  private static Query number(Field field, Query.NumberField number, Token sign, long value) {
    Query.NumberComparison comparison =
        switch (sign.kind()) {
          case EQUAL, NOT_EQUAL -> Query.NumberComparison.EQUAL;
          case GREATER -> Query.NumberComparison.GREATER;
          case GREATER_OR_EQUAL -> Query.NumberComparison.GREATER_OR_EQUAL;
          case LESS -> Query.NumberComparison.LESS;
          case LESS_OR_EQUAL -> Query.NumberComparison.LESS_OR_EQUAL;
          default -> throw operator(field, sign, "=, !=, >, >=, < and <=");
        };
    return negated(sign, new Query.Amount(number, comparison, value));
  }

  private static Query live(Token sign, Token value) {
    if (sign.kind() != Token.Kind.EQUAL && sign.kind() != Token.Kind.NOT_EQUAL) {
      throw operator(Field.IS_LIVE, sign, "= and !=");
    }
    if (!value.text().matches("(?i)true|false")) {
      throw value(Field.IS_LIVE, value, "true or false");
    }
    return negated(sign, new Query.Live(Boolean.parseBoolean(value.text())));
  }

  private static Query negated(Token sign, Query query) {
    return sign.kind() == Token.Kind.NOT_EQUAL ? new Query.Not(query) : query;
  }

  // ---- values

  private static List<String> texts(Field field, List<Token> values) {
    for (Token value : values) {
      if (value.kind() != Token.Kind.STRING) {
        throw value(field, value, "text in quotes");
      }
    }
    return values.stream().map(Token::text).toList();
  }

  /// A whole number from 0 to 2^64 - 1; a text that is one is taken too.
  private static long whole(Field field, Token value) {
    if (value.text().matches("[0-9]{1,20}")) {
      try {
        return Long.parseUnsignedLong(value.text());
      } catch (NumberFormatException e) {
        // refused below
      }
    }
    throw value(field, value, "a whole number");
  }

  private long time(Token value) {
    boolean isNumber = value.kind() == Token.Kind.NUMBER;
    return (isNumber ? Times.milliseconds(value.text()) : Times.written(value.text(), now))
        .orElseThrow(
            () ->
                value(
                    Field.CREATED,
                    value,
                    "milliseconds, \"2026-01-31\", \"2026-01-31T12:00:00Z\" or \"-24h\""));
  }

  private static CqlRefusal operator(Field field, Token sign, String allowed) {
    return new CqlRefusal(
        new CqlError(
            CqlError.Kind.INVALID_OPERATOR,
            "Operator '%s' does not go with field '%s', which takes %s"
                .formatted(sign.text(), field.written(), allowed),
            field.written(),
            sign.position()));
  }

  private static CqlRefusal value(Field field, Token value, String expected) {
    String found = value.text().length() <= 40 ? value.text() : value.text().substring(0, 40) + "…";
    return new CqlRefusal(
        new CqlError(
            CqlError.Kind.INVALID_VALUE,
            "Field '%s' expects %s, found %s"
                .formatted(
                    field.written(),
                    expected,
                    value.kind() == Token.Kind.STRING ? "'" + found + "'" : found),
            field.written(),
            value.position()));
  }
}
