// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ExitCodesTest {

  private static final Map<StoreException, Integer> EXPECTED =
      Map.ofEntries(
          Map.entry(new StoreException.NotFound("turn", "7"), 1),
          Map.entry(new StoreException.Erased("ab", "secret", "2026-01-05T12:00:00Z"), 2),
          Map.entry(new StoreException.NoStore("x", "nothing", true), 1),
          Map.entry(new StoreException.Invalid("x", "y"), 2),
          Map.entry(new StoreException.Conflict("x", "a", "b"), 2),
          Map.entry(new StoreException.TooLarge("x", 2, 1), 2),
          Map.entry(new StoreException.Corrupt("x", 0, "a", "b"), 3),
          Map.entry(new StoreException.FormatTooNew("x", 2, 1), 3),
          Map.entry(new StoreException.FormatTooOld("x", 0, 1), 3),
          Map.entry(new StoreException.Io("x", "y", new Exception()), 74),
          Map.entry(new StoreException.Busy("x", "process 1"), 4),
          Map.entry(new StoreException.Closed("x"), 4),
          Map.entry(new StoreException.Full("x", new Exception()), 4));

  @Test
  void everyRefusalHasItsPublishedStatus() {
    EXPECTED.forEach(
        (refusal, status) ->
            assertThat(ExitCodes.of(refusal)).as(refusal.toString()).isEqualTo(status));
  }

  @Test
  void noRefusalIsLeftOut() {
    List<Class<?>> all = Arrays.asList(StoreException.class.getPermittedSubclasses());

    assertThat(EXPECTED.keySet().stream().<Class<?>>map(Object::getClass))
        .containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void everyStatusOfARefusalIsExplained() {
    assertThat(ExitCodes.meanings().keySet().stream().map(String::strip))
        .containsAll(EXPECTED.values().stream().map(Object::toString).toList());
  }

  @Test
  void aHintIsASentenceOrNothing() {
    for (StoreException refusal : EXPECTED.keySet()) {
      String hint = ErrorHints.of(refusal);
      if (hint != null) {
        assertThat(hint).as(refusal.toString()).endsWith(".");
      }
    }
    assertThat(ErrorHints.of(new StoreException.NotFound("context", "9")))
        .contains("varve contexts");
  }
}
