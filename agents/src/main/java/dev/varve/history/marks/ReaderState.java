// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.marks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The state of a reader of transcripts between two lines, as named lists of texts.
public final class ReaderState {

  private final Map<String, List<String>> values;

  private ReaderState(Map<String, List<String>> values) {
    this.values = values;
  }

  /// A state that says nothing.
  public ReaderState() {
    this(new LinkedHashMap<>());
  }

  /// Adds a list.
  public ReaderState with(String name, List<String> texts) {
    values.put(name, List.copyOf(texts));
    return this;
  }

  /// Adds a text.
  public ReaderState with(String name, String text) {
    return with(name, List.of(text));
  }

  /// A list; empty if there is none of this name.
  public List<String> list(String name) {
    return values.getOrDefault(name, List.of());
  }

  /// A text; empty if there is none of this name.
  public String text(String name) {
    List<String> texts = list(name);
    return texts.isEmpty() ? "" : texts.getFirst();
  }

  /// The state as one list: for each name the name, the number of texts, and the texts.
  List<String> flat() {
    List<String> flat = new ArrayList<>();
    values.forEach(
        (name, texts) -> {
          flat.add(name);
          flat.add(Integer.toString(texts.size()));
          flat.addAll(texts);
        });
    return flat;
  }

  /// Reads what [#flat()] wrote.
  ///
  /// @throws IndexOutOfBoundsException if it is something else
  /// @throws NumberFormatException if it is something else
  static ReaderState of(List<String> flat) {
    Map<String, List<String>> values = new HashMap<>();
    int at = 0;
    while (at < flat.size()) {
      int to = at + 2 + Integer.parseInt(flat.get(at + 1));
      values.put(flat.get(at), List.copyOf(flat.subList(at + 2, to)));
      at = to;
    }
    return new ReaderState(values);
  }
}
