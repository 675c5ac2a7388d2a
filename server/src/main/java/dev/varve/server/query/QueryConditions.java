// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The conversion of a field, an operator and values into a condition; an error names the part that
/// does not fit.
final class QueryConditions {

  private final Instant now;

  QueryConditions(Instant now) {
    this.now = now;
  }

  CqlQuery of(QueryField field, QueryToken sign, List<QueryToken> values) {
    return switch (field) {
      case ID -> id(field, CqlQuery.IdField.ID, sign, values);
      case PARENT -> id(field, CqlQuery.IdField.PARENT, sign, values);
      case ROOT -> id(field, CqlQuery.IdField.ROOT, sign, values);
      case TAG -> text(field, TextField.TAG, sign, values);
      case TITLE -> text(field, TextField.TITLE, sign, values);
      case USER -> text(field, TextField.USER, sign, values);
      case SERVICE -> text(field, TextField.SERVICE, sign, values);
      case HOST -> text(field, TextField.HOST, sign, values);
      case TRACE_ID -> text(field, TextField.TRACE_ID, sign, values);
      case LABEL -> {
        checkPlain(field, sign);
        yield negated(sign, new CqlQuery.Label(new HashSet<>(texts(field, values))));
      }
      case CREATED -> number(field, CqlQuery.NumberField.CREATED, sign, time(values.getFirst()));
      case DEPTH ->
          number(
              field,
              CqlQuery.NumberField.DEPTH,
              sign,
              whole(field, values.getFirst()) & Long.MAX_VALUE); // deeper than all turns
      case IS_LIVE -> live(sign, values.getFirst());
    };
  }

  private static CqlQuery text(
      QueryField field, TextField text, QueryToken sign, List<QueryToken> values) {
    CqlQuery.TextComparison comparison =
        switch (sign.kind()) {
          case EQUAL, NOT_EQUAL, IN -> CqlQuery.TextComparison.EQUAL;
          case PREFIX -> CqlQuery.TextComparison.PREFIX;
          case EQUAL_IGNORING_CASE -> CqlQuery.TextComparison.EQUAL_IGNORING_CASE;
          case PREFIX_IGNORING_CASE -> CqlQuery.TextComparison.PREFIX_IGNORING_CASE;
          default -> throw operator(field, sign, "=, !=, ^=, ~=, ^~= and IN");
        };
    return negated(sign, new CqlQuery.Text(text, comparison, texts(field, values)));
  }

  private static CqlQuery id(
      QueryField field, CqlQuery.IdField id, QueryToken sign, List<QueryToken> values) {
    checkPlain(field, sign);
    Set<Long> numbers = new HashSet<>();
    for (QueryToken value : values) {
      numbers.add(whole(field, value));
    }
    return negated(sign, new CqlQuery.Id(id, numbers));
  }

  private static void checkPlain(QueryField field, QueryToken sign) {
    switch (sign.kind()) {
      case EQUAL, NOT_EQUAL, IN -> {}
      default -> throw operator(field, sign, "=, != and IN");
    }
  }

  private static CqlQuery number(
      QueryField field, CqlQuery.NumberField number, QueryToken sign, long value) {
    CqlQuery.NumberComparison comparison =
        switch (sign.kind()) {
          case EQUAL, NOT_EQUAL -> CqlQuery.NumberComparison.EQUAL;
          case GREATER -> CqlQuery.NumberComparison.GREATER;
          case GREATER_OR_EQUAL -> CqlQuery.NumberComparison.GREATER_OR_EQUAL;
          case LESS -> CqlQuery.NumberComparison.LESS;
          case LESS_OR_EQUAL -> CqlQuery.NumberComparison.LESS_OR_EQUAL;
          default -> throw operator(field, sign, "=, !=, >, >=, < and <=");
        };
    return negated(sign, new CqlQuery.Amount(number, comparison, value));
  }

  private static CqlQuery live(QueryToken sign, QueryToken value) {
    if (sign.kind() != QueryToken.Kind.EQUAL && sign.kind() != QueryToken.Kind.NOT_EQUAL) {
      throw operator(QueryField.IS_LIVE, sign, "= and !=");
    }
    if (!value.text().matches("(?i)true|false")) {
      throw value(QueryField.IS_LIVE, value, "true or false");
    }
    return negated(sign, new CqlQuery.Live(Boolean.parseBoolean(value.text())));
  }

  private static CqlQuery negated(QueryToken sign, CqlQuery query) {
    return sign.kind() == QueryToken.Kind.NOT_EQUAL ? new CqlQuery.Not(query) : query;
  }

  // ---- values

  private static List<String> texts(QueryField field, List<QueryToken> values) {
    for (QueryToken value : values) {
      if (value.kind() != QueryToken.Kind.STRING) {
        throw value(field, value, "text in quotes");
      }
    }
    return values.stream().map(QueryToken::text).toList();
  }

  /// A whole number from 0 to 2^64 - 1, or a text that holds one.
  private static long whole(QueryField field, QueryToken value) {
    if (value.text().matches("[0-9]{1,20}")) {
      try {
        return Long.parseUnsignedLong(value.text());
      } catch (NumberFormatException e) {
        // refused below
      }
    }
    throw value(field, value, "a whole number");
  }

  private long time(QueryToken value) {
    boolean isNumber = value.kind() == QueryToken.Kind.NUMBER;
    return (isNumber
            ? QueryTimes.milliseconds(value.text())
            : QueryTimes.written(value.text(), now))
        .orElseThrow(
            () ->
                value(
                    QueryField.CREATED,
                    value,
                    "milliseconds, \"2026-01-31\", \"2026-01-31T12:00:00Z\" or \"-24h\""));
  }

  private static CqlRefusal operator(QueryField field, QueryToken sign, String allowed) {
    return new CqlRefusal(
        new CqlError(
            CqlError.Kind.INVALID_OPERATOR,
            "Operator '%s' does not go with field '%s', which takes %s"
                .formatted(sign.text(), field.written(), allowed),
            field.written(),
            sign.position()));
  }

  private static CqlRefusal value(QueryField field, QueryToken value, String expected) {
    String found = value.text().length() <= 40 ? value.text() : value.text().substring(0, 40) + "…";
    return new CqlRefusal(
        new CqlError(
            CqlError.Kind.INVALID_VALUE,
            "Field '%s' expects %s, found %s"
                .formatted(
                    field.written(),
                    expected,
                    value.kind() == QueryToken.Kind.STRING ? "'" + found + "'" : found),
            field.written(),
            value.position()));
  }
}
