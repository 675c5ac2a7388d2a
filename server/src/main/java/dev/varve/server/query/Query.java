// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// A condition on a context, or several put together.
///
/// How deep they nest was bounded when the text was read, so following them takes no more stack
/// than that.
public sealed interface Query {

  boolean matches(Facts facts);

  /// Whether it can be answered without reading what the context says of itself.
  boolean isCheap();

  /// All of them hold.
  record And(List<Query> parts) implements Query {
    public And {
      parts = cheapFirst(parts);
    }

    @Override
    public boolean matches(Facts facts) {
      return parts.stream().allMatch(part -> part.matches(facts));
    }

    @Override
    public boolean isCheap() {
      return parts.stream().allMatch(Query::isCheap);
    }
  }

  /// One of them holds.
  record Or(List<Query> parts) implements Query {
    public Or {
      parts = cheapFirst(parts);
    }

    @Override
    public boolean matches(Facts facts) {
      return parts.stream().anyMatch(part -> part.matches(facts));
    }

    @Override
    public boolean isCheap() {
      return parts.stream().allMatch(Query::isCheap);
    }
  }

  record Not(Query part) implements Query {
    @Override
    public boolean matches(Facts facts) {
      return !part.matches(facts);
    }

    @Override
    public boolean isCheap() {
      return part.isCheap();
    }
  }

  /// How a text is compared.
  enum TextComparison {
    EQUAL,
    PREFIX,
    EQUAL_IGNORING_CASE,
    PREFIX_IGNORING_CASE;

    boolean ignoresCase() {
      return this == EQUAL_IGNORING_CASE || this == PREFIX_IGNORING_CASE;
    }

    boolean isPrefix() {
      return this == PREFIX || this == PREFIX_IGNORING_CASE;
    }
  }

  /// A text is one of `values`, or begins like one. A text that is not there is like none.
  record Text(TextField field, TextComparison comparison, List<String> values) implements Query {
    public Text {
      values =
          comparison.ignoresCase()
              ? values.stream().map(value -> value.toLowerCase(Locale.ROOT)).toList()
              : List.copyOf(values);
    }

    @Override
    public boolean matches(Facts facts) {
      String found = facts.text(field);
      if (found == null) {
        return false;
      }
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

  /// One of the labels is one of `values`.
  record Label(Set<String> values) implements Query {
    public Label {
      values = Set.copyOf(values);
    }

    @Override
    public boolean matches(Facts facts) {
      return facts.labels().stream().anyMatch(values::contains);
    }

    @Override
    public boolean isCheap() {
      return false;
    }
  }

  /// Which context a number names.
  enum IdField {
    ID,
    PARENT,
    ROOT
  }

  record Id(IdField field, Set<Long> values) implements Query {
    public Id {
      values = Set.copyOf(values);
    }

    @Override
    public boolean matches(Facts facts) {
      Long found =
          switch (field) {
            case ID -> (Long) facts.contextId();
            case PARENT -> facts.parent();
            case ROOT -> facts.root();
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

  record Amount(NumberField field, NumberComparison comparison, long value) implements Query {
    @Override
    public boolean matches(Facts facts) {
      long found = field == NumberField.CREATED ? facts.createdAtUnixMs() : facts.headDepth();
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

  record Live(boolean value) implements Query {
    @Override
    public boolean matches(Facts facts) {
      return facts.isLive() == value;
    }

    @Override
    public boolean isCheap() {
      return true;
    }
  }

  private static List<Query> cheapFirst(List<Query> parts) {
    return parts.stream().sorted(Comparator.comparing(part -> !part.isCheap())).toList();
  }
}
