// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.search.text.FoundText;
import dev.varve.search.text.TextKind;
import dev.varve.search.text.TurnTexts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds what was run after a turn, as far as the first command that worked.
public record LaterSteps(Store store) {

  private static final CredentialMask MASK = new CredentialMask();

  /// The most turns behind that are looked at.
  private static final int TURNS_MAX = 60;

  private static final int STEPS_MAX = 12;

  /// A command that was run.
  ///
  /// @param exit its status; null if the conversation does not say
  public record Step(TurnId turn, String tool, String command, @Nullable Integer exit) {}

  /// The commands behind a hit on the path of its context.
  public List<Step> after(SearchHit hit) {
    List<Step> steps = new ArrayList<>();
    List<String> calls = new ArrayList<>();
    try {
      int depth = store.turn(hit.place().turn(), View.HEADERS).depth();
      for (Turn turn :
          store.range(hit.place().context(), depth + 1, TURNS_MAX, View.LATEST).turns()) {
        for (FoundText text : TurnTexts.of(turn).texts()) {
          if (text.kind() == TextKind.COMMAND && steps.size() < STEPS_MAX) {
            calls.add(text.call());
            steps.add(new Step(turn.id(), text.tool(), MASK.apply(text.text()), null));
          } else if (text.kind() == TextKind.OUTPUT && answer(text, calls, steps)) {
            return steps;
          }
        }
      }
    } catch (StoreException.NotFound | StoreException.Corrupt e) {
      // as far as can be read
    }
    return steps;
  }

  /// Gives a command its status; returns whether the command is one of the kept and worked.
  private static boolean answer(FoundText result, List<String> calls, List<Step> steps) {
    int index = calls.lastIndexOf(result.call());
    if (index < 0) {
      return false;
    }
    Step step = steps.get(index);
    steps.set(index, new Step(step.turn, step.tool, step.command, result.exit()));
    return result.exit() != null && result.exit() == 0;
  }
}
