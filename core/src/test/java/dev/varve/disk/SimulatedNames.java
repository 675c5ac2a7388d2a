// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// Which name stands for which content on a [SimulatedDisk]: as programs see it, and as it is on
/// the medium.
///
/// What was not forced may be undone: everything from some step on, as on a file system with a
/// journal, or single steps, as the standard allows. A step is done or not, never half.
///
/// Guarded by its disk. The maps are sorted so that a seed always meets files in the same order.
final class SimulatedNames {

  private final TreeMap<String, SimulatedContent> now;
  private final TreeMap<String, SimulatedContent> forced;
  private final List<Step> unforced = new ArrayList<>();

  private sealed interface Step {}

  private record Created(String name, SimulatedContent content) implements Step {}

  private record Replaced(String from, String to, SimulatedContent content) implements Step {}

  private record Claimed(String to, SimulatedContent content) implements Step {}

  private record Deleted(String name) implements Step {}

  SimulatedNames() {
    this(new TreeMap<>());
  }

  private SimulatedNames(TreeMap<String, SimulatedContent> forced) {
    this.forced = forced;
    this.now = new TreeMap<>(forced);
  }

  TreeMap<String, SimulatedContent> now() {
    return now;
  }

  void create(String name, SimulatedContent content) {
    step(new Created(name, content));
  }

  void replace(String from, String to) {
    step(new Replaced(from, to, now.get(from)));
  }

  void claim(String from, String to) {
    step(new Claimed(to, now.get(from)));
  }

  void delete(String name) {
    step(new Deleted(name));
  }

  void force() {
    unforced.clear();
    forced.clear();
    forced.putAll(now);
  }

  /// The names and contents after a power cut.
  ///
  /// @param spoiltBytes see [SimulatedContent#survivor]
  SimulatedNames survivor(SplittableRandom random, int spoiltBytes) {
    TreeMap<String, SimulatedContent> names = new TreeMap<>(forced);
    boolean journal = random.nextBoolean();
    int journalled = random.nextInt(unforced.size() + 1);
    for (int i = 0; i < unforced.size(); i++) {
      if (journal ? i < journalled : random.nextBoolean()) {
        apply(unforced.get(i), names);
      }
    }
    Map<SimulatedContent, SimulatedContent> survivors = new IdentityHashMap<>();
    names.replaceAll(
        (_, content) ->
            survivors.computeIfAbsent(content, each -> each.survivor(random, spoiltBytes)));
    return new SimulatedNames(names);
  }

  /// The names and contents after the process died and the system lived on.
  SimulatedNames copy() {
    Map<SimulatedContent, SimulatedContent> copies = new IdentityHashMap<>();
    UnaryOperator<SimulatedContent> copied =
        content -> copies.computeIfAbsent(content, SimulatedContent::copy);
    TreeMap<String, SimulatedContent> names = new TreeMap<>(forced);
    names.replaceAll((_, content) -> copied.apply(content));
    SimulatedNames copy = new SimulatedNames(names);
    for (Step step : unforced) {
      copy.step(
          switch (step) {
            case Created(String name, var content) -> new Created(name, copied.apply(content));
            case Replaced(String from, String to, var content) ->
                new Replaced(from, to, copied.apply(content));
            case Claimed(String to, var content) -> new Claimed(to, copied.apply(content));
            case Deleted deleted -> deleted;
          });
    }
    return copy;
  }

  private void step(Step step) {
    apply(step, now);
    unforced.add(step);
  }

  private static void apply(Step step, TreeMap<String, SimulatedContent> names) {
    switch (step) {
      case Created(String name, SimulatedContent content) -> names.put(name, content);
      case Claimed(String to, SimulatedContent content) -> names.put(to, content);
      case Deleted(String name) -> names.remove(name);
      case Replaced(String from, String to, SimulatedContent content) -> {
        // Wherever it stands if an earlier step was undone: what is replaced by has one name.
        names.values().removeIf(other -> other == content);
        names.put(to, content);
      }
    }
  }
}
