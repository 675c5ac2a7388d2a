// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The names of a disk's files: how they are given, taken, claimed and locked.
public abstract class DiskNamesContract {

  /// The disk under test, empty at first; the same one during a test.
  protected abstract Disk disk();

  @Test
  void theNamesAreThoseOfTheFiles() {
    assertThat(disk().names()).isEmpty();
    disk().open("a").close();
    disk().open("b.tmp").close();
    disk().open("c-1_X").close();
    disk().delete("a");
    disk().replace("b.tmp", "b");
    assertThat(disk().names()).containsExactlyInAnyOrder("b", "c-1_X");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "..", "a/b", "a\\b", "/a", "a..b", ".a", "a b", "a\0", "C:a", "ä"})
  void aNameThatCouldLeadElsewhereIsRefused(String name) {
    assertThatThrownBy(() -> disk().open(name)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> disk().exists(name)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> disk().delete(name)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> disk().replace(name, "a"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> disk().replace("a", name))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> disk().lock(name, "me")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void replacingGivesAFileTheNameOfAnother() {
    write("old", "old content, which is longer");
    write("new", "new content");
    disk().replace("new", "old");
    disk().forceNames();
    assertThat(disk().names()).containsExactly("old");
    assertThat(content("old")).isEqualTo("new content");
  }

  @Test
  void anOpenFileStaysTheSameWhateverBecomesOfItsName() {
    try (DiskFile replaced = disk().open("a");
        DiskFile renamed = disk().open("b");
        DiskFile deleted = disk().open("c")) {
      replaced.write(0, utf8("replaced"));
      renamed.write(0, utf8("renamed"));
      deleted.write(0, utf8("deleted"));
      disk().replace("b", "a");
      disk().delete("c");

      assertThat(text(replaced, 0, 8)).isEqualTo("replaced");
      assertThat(text(deleted, 0, 7)).isEqualTo("deleted");
      renamed.write(2, utf8("NAMED!"));
      renamed.resize(7);
      renamed.force();
      assertThat(text(renamed.map(0, 7, false))).isEqualTo("reNAMED");
      assertThat(content("a")).isEqualTo("reNAMED");
      assertThat(text(replaced.map(0, 8, false))).isEqualTo("replaced");
    }
  }

  @Test
  void aFileDeletedAndOpenedAgainIsEmpty() {
    write("a", "content");
    disk().delete("a");
    assertThat(disk().exists("a")).isFalse();
    assertThat(content("a")).isEmpty();
  }

  @Test
  void deletingWhatIsNotThereDoesNothing() {
    disk().delete("a");
    assertThat(disk().exists("a")).isFalse();
  }

  @Test
  void replacingByWhatIsNotThereIsRefusedAndNamesTheFile() {
    write("old", "old content");
    assertThatThrownBy(() -> disk().replace("new", "old"))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("old")
        .hasMessageContaining("new");
    assertThat(content("old")).isEqualTo("old content");
  }

  @Test
  void aNameIsClaimedOnce() {
    write("new", "new content");
    disk().claim("new", "name");
    assertThatThrownBy(() -> disk().claim("new", "name"))
        .as("though it is a name of the same content")
        .isInstanceOf(StoreException.Conflict.class);
    disk().forceNames();
    disk().delete("new");
    assertThat(content("name")).isEqualTo("new content");
    write("newer", "newer content");
    assertThatThrownBy(() -> disk().claim("newer", "name"))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining("name");
    assertThatThrownBy(() -> disk().claim("absent", "other")).isInstanceOf(StoreException.Io.class);
    assertThat(content("name")).isEqualTo("new content");
    assertThat(disk().names()).containsExactlyInAnyOrder("name", "newer");
  }

  @Test
  void aDraftIsKeptWhileItIsWrittenAndDeletedWhenItWasGivenUp() {
    write("file", "content");
    DiskFile first = disk().createDraft("file", FileAccess.AS_USUAL);
    try (DiskFile second = disk().createDraft("file", FileAccess.OWNER_ONLY)) {
      assertThat(second.name()).isNotEqualTo(first.name());
      second.write(0, utf8("second"));
      first.close();
      assertThat(disk().deleteAbandonedDrafts()).isEqualTo(1);
      assertThat(disk().names()).containsExactlyInAnyOrder("file", second.name());
      disk().replace(second.name(), "file");
    }
    assertThat(disk().deleteAbandonedDrafts()).isZero();
    assertThat(content("file")).isEqualTo("second");
  }

  @Test
  void aLockIsHeldByOneAndNamesItsHolder() {
    try (DiskLock _ = disk().lock("lock", "process 1 (the first) since noon")) {
      assertThatThrownBy(() -> disk().lock("lock", "process 2"))
          .isInstanceOf(StoreException.Busy.class)
          .hasMessageContaining("process 1 (the first) since noon");
      disk().lock("another-lock", "process 2").close();
    }
    DiskLock second = disk().lock("lock", "process 2");
    assertThatThrownBy(() -> disk().lock("lock", "process 3"))
        .isInstanceOf(StoreException.Busy.class)
        .hasMessageContaining("process 2");
    second.close();
    second.close();
    disk().lock("lock", "process 3").close();
    assertThat(disk().exists("lock")).isTrue();
  }

  @Test
  void theFileOfAHeldLockIsNotOpened() {
    try (DiskLock _ = disk().lock("lock", "me")) {
      assertThatThrownBy(() -> disk().open("lock")).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> disk().lock("lock", "you")).isInstanceOf(StoreException.Busy.class);
    }
    disk().open("lock").close();
  }

  @Test
  void eachFileHasItsSizeAlsoTheLockThatIsHeld() {
    try (DiskFile file = disk().open("a");
        DiskLock _ = disk().lock("lock", "me")) {
      file.write(0, ByteBuffer.wrap(new byte[300]));

      assertThat(disk().sizesBytes()).containsOnlyKeys("a", "lock").containsEntry("a", 300L);
      assertThat(disk().names()).containsExactlyInAnyOrder("a", "lock");
    }
  }

  final void write(String name, String text) {
    try (DiskFile file = disk().open(name)) {
      file.write(0, utf8(text));
      file.force();
    }
  }

  final String content(String name) {
    try (DiskFile file = disk().open(name)) {
      return new String(bytes(file), UTF_8);
    }
  }

  static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  static byte[] bytes(DiskFile file) {
    ByteBuffer all = ByteBuffer.allocate((int) file.sizeBytes() + 1);
    file.read(0, all);
    return Arrays.copyOf(all.array(), all.position());
  }

  static String text(DiskFile file, long position, int length) {
    ByteBuffer some = ByteBuffer.allocate(length);
    file.read(position, some);
    return UTF_8.decode(some.flip()).toString();
  }

  static String text(MemorySegment memory) {
    return new String(memory.toArray(ValueLayout.JAVA_BYTE), UTF_8);
  }
}
