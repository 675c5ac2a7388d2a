// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// A condition on a context, or a combination of conditions.
///
/// The depth of a combination was bounded when the text was read, and evaluation takes no more
/// stack than that.
public sealed interface CqlQuery {

  boolean matches(SearchableContext context);

  /// Returns whether the condition can be evaluated without reading the context's metadata.
  boolean isCheap();

  /// All parts hold.
  record And(List<CqlQuery> parts) implements CqlQuery {
    public And {
      parts = cheapFirst(parts);
    }

    @Override
    public boolean matches(SearchableContext context) {
      return parts.stream().allMatch(part -> part.matches(context));
    }

    @Override
    public boolean isCheap() {
      return parts.stream().allMatch(CqlQuery::isCheap);
    }
  }

  /// At least one part holds.
  record Or(List<CqlQuery> parts) implements CqlQuery {
    public Or {
      parts = cheapFirst(parts);
    }

    @Override
    public boolean matches(SearchableContext context) {
      return parts.stream().anyMatch(part -> part.matches(context));
    }

    @Override
    public boolean isCheap() {
      return parts.stream().allMatch(CqlQuery::isCheap);
    }
  }

  record Not(CqlQuery part) implements CqlQuery {
    @Override
    public boolean matches(SearchableContext context) {
      return !part.matches(context);
    }

    @Override
    public boolean isCheap() {
      return part.isCheap();
    }
  }

  /// The comparison of a text.
  enum TextComparison {
    EQUAL,
    PREFIX,
    EQUAL_IGNORING_CASE,
    PREFIX_IGNORING_CASE;

    public boolean ignoresCase() {
      return this == EQUAL_IGNORING_CASE || this == PREFIX_IGNORING_CASE;
    }

    public boolean isPrefix() {
      return this == PREFIX || this == PREFIX_IGNORING_CASE;
    }
  }

  /// A text equals one of `values`, or begins with one. An absent text matches none.
  record Text(TextField field, TextComparison comparison, List<String> values) implements CqlQuery {
    public Text {
      values =
          comparison.ignoresCase()
              ? values.stream().map(value -> value.toLowerCase(Locale.ROOT)).toList()
              : List.copyOf(values);
    }

    @Override
    public boolean matches(SearchableContext context) {
      String found = context.text(field);
      return found != null && holds(found);
    }

    /// Returns whether the comparison holds for a text.
    public boolean holds(String found) {
      String text = comparison.ignoresCase() ? found.toLowerCase(Locale.ROOT) : found;
      return comparison.isPrefix()
          ? values.stream().anyMatch(text::startsWith)
          : values.contains(text);
    }

    @Override
    public boolean isCheap() {
      return false;
    }
  }

  /// At least one label is one of `values`.
  record Label(Set<String> values) implements CqlQuery {
    public Label {
      values = Set.copyOf(values);
    }

    @Override
    public boolean matches(SearchableContext context) {
      return context.labels().stream().anyMatch(values::contains);
    }

    @Override
    public boolean isCheap() {
      return false;
    }
  }

  /// The context whose number is compared.
  enum IdField {
    ID,
    PARENT,
    ROOT
  }

  record Id(IdField field, Set<Long> values) implements CqlQuery {
    public Id {
      values = Set.copyOf(values);
    }

    @Override
    public boolean matches(SearchableContext context) {
      Long found =
          switch (field) {
            case ID -> (Long) context.contextId();
            case PARENT -> context.parent();
            case ROOT -> context.root();
          };
      return found != null && values.contains(found);
    }

    @Override
    public boolean isCheap() {
      return field == IdField.ID;
    }
  }

  enum NumberField {
    CREATED,
    DEPTH
  }

  enum NumberComparison {
    EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    LESS,
    LESS_OR_EQUAL
  }

  record Amount(NumberField field, NumberComparison comparison, long value) implements CqlQuery {
    @Override
    public boolean matches(SearchableContext context) {
      long found = field == NumberField.CREATED ? context.createdAtUnixMs() : context.headDepth();
      return holds(found);
    }

    /// Returns whether the comparison holds for a number.
    public boolean holds(long found) {
      return switch (comparison) {
        case EQUAL -> found == value;
        case GREATER -> found > value;
        case GREATER_OR_EQUAL -> found >= value;
        case LESS -> found < value;
        case LESS_OR_EQUAL -> found <= value;
      };
    }

    @Override
    public boolean isCheap() {
      return true;
    }
  }

  record Live(boolean value) implements CqlQuery {
    @Override
    public boolean matches(SearchableContext context) {
      return context.isLive() == value;
    }

    @Override
    public boolean isCheap() {
      return true;
    }
  }

  private static List<CqlQuery> cheapFirst(List<CqlQuery> parts) {
    return parts.stream().sorted(Comparator.comparing(part -> !part.isCheap())).toList();
  }
}
