// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// A refusal says what, where, what was expected and what was found.
class StoreExceptionTest {

  private static final IOException CAUSE = new IOException("EIO");

  private static final List<StoreException> EACH =
      List.of(
          new StoreException.NotFound("turn", "7"),
          new StoreException.Invalid("depth", "expected from 0 to 3, found 4"),
          new StoreException.Conflict("head of context 2", "7", "9"),
          new StoreException.Erased("ab", "secret", "2026-01-05T12:00:00Z"),
          new StoreException.TooLarge("payload", 101, 100),
          new StoreException.Corrupt("turns.log", 160, "crc 1a2b", "crc 3c4d"),
          new StoreException.NoStore("/data", "an empty folder", true),
          new StoreException.FormatTooNew("blobs.pack", 9, 1),
          new StoreException.FormatTooOld("blobs.pack", 1, 2),
          new StoreException.Busy("/data", "process 12"),
          new StoreException.Full("turns.log", CAUSE),
          new StoreException.Closed("store"),
          new StoreException.Io("turns.log", "force failed", CAUSE));

  @Test
  void eachMessageNamesTheFacts() {
    assertThat(EACH)
        .extracting(Throwable::getMessage)
        .containsExactly(
            "turn 7: not found",
            "depth: expected from 0 to 3, found 4",
            "head of context 2: expected 7, found 9",
            "blob ab: erased on 2026-01-05T12:00:00Z (secret)",
            "payload: 101 is over the limit of 100",
            "turns.log at byte 160: expected crc 1a2b, found crc 3c4d",
            "/data: no Varve store here: an empty folder",
            "blobs.pack: format version 9, this version reads up to 1",
            "blobs.pack: format version 1, this version reads from 2",
            "/data: in use by process 12",
            "turns.log: no space left on the disk",
            "store: closed",
            "turns.log: force failed");
  }

  @Test
  void allOfTheSealedListAreTestedHere() {
    Set<Class<?>> tested = EACH.stream().map(Object::getClass).collect(Collectors.toSet());

    assertThat(tested).containsExactlyInAnyOrder(StoreException.class.getPermittedSubclasses());
    assertThat(Arrays.stream(StoreException.class.getPermittedSubclasses()))
        .allMatch(type -> Modifier.isFinal(type.getModifiers()));
  }

  @Test
  void factsAreFields() {
    StoreException.NotFound absent = new StoreException.NotFound("blob", "ab");
    assertThat(absent.kind()).isEqualTo("blob");
    assertThat(absent.id()).isEqualTo("ab");

    StoreException.Corrupt corrupt = new StoreException.Corrupt("turns.log", 160, "a", "b");
    assertThat(corrupt.file()).isEqualTo("turns.log");
    assertThat(corrupt.offset()).isEqualTo(160);
  }

  @Test
  void whatTheDiskSaidIsKept() {
    assertThat(new StoreException.Full("turns.log", CAUSE)).hasCause(CAUSE);
    assertThat(new StoreException.Io("turns.log", "write failed", CAUSE)).hasCause(CAUSE);
  }
}
