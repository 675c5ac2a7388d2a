// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.journal.Checkpoint;
import dev.varve.turn.HeadTable;
import dev.varve.turn.TypeTable;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A primary file of another store, whole, in the place of the store's own: it is refused by name,
/// and no question is answered from it.
class ForeignFileTest {

  private static HeardLog log;
  private static Furnished own;
  private static Furnished other;

  @BeforeAll
  static void furnish() {
    log = new HeardLog();
    own = new Furnished();
    other = new Furnished(7);
  }

  @AfterAll
  static void stopListening() {
    log.close();
  }

  static List<String> primary() {
    return LostFileTest.primary();
  }

  @ParameterizedTest
  @MethodSource("primary")
  void isNamedAndNeverAnswers(String file) {
    assertRefused(file, own.image.with(file, other.image.file(file)));
  }

  @ParameterizedTest
  @MethodSource("primary")
  void isNamedAndNeverAnswersWithoutCheckpointAndDerivedFiles(String file) {
    assertRefused(
        file,
        Furnished.withoutDerived(own.image)
            .without(Checkpoint.FILE)
            .with(file, other.image.file(file)));
  }

  @Test
  void aRootOfAnotherStoreIsRefused() {
    DiskImage image = own.image.with(StoreRoot.FILE, other.image.file(StoreRoot.FILE));
    assertThatThrownBy(() -> Furnished.open(image.disk()))
        .isInstanceOfSatisfying(
            StoreException.Corrupt.class, e -> assertThat(e.file()).isEqualTo(StoreRoot.FILE));
  }

  private static void assertRefused(String file, DiskImage image) {
    log.complaints();
    LocalStore store = Furnished.open(image.disk());
    assertThat(log.complaints()).as("named at opening").anyMatch(said -> said.contains(file));
    assertThat(store.check().problems())
        .as("named by check")
        .anyMatch(problem -> !problem.derived());
    own.differences(store)
        .forEach(
            (what, answer) -> {
              boolean head = what.startsWith("head of") || what.startsWith("last of");
              boolean derivedWithout =
                  head && !image.has(HeadTable.FILE) || what.equals("contexts");
              assertThat(answer)
                  .as(what)
                  .matches(
                      said ->
                          !said.startsWith("answered")
                              || derivedWithout
                              || file.equals(TypeTable.FILE) && said.contains("unknown-tag:"));
            });
    ContextId context = store.createContext().id();
    assertThat(context.value()).isGreaterThan(Furnished.CONTEXTS);
    assertThat(store.append(context, Furnished.newTurn(9000)).id().value())
        .isGreaterThan(Furnished.TURNS);
    store.close();
  }
}
