// SPDX-License-Identifier: Apache-2.0
package dev.varve.access;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BulkStore;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.sim.SharedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The way to a store in a database, with a driver whose database is in memory.
final class DatabaseAccessTest {

  private static final String ADDRESS = "memory://user:secret@host/db";

  @TempDir Path temporary;

  private final MemoryDriver driver = new MemoryDriver();

  private StoreAccess access() {
    return new DatabaseAccess(driver, ADDRESS, temporary.resolve("notes"), WaitingRules.NONE);
  }

  /// A database that has one store or none.
  private static final class MemoryDriver implements StoreDriver {

    private @Nullable DatabaseStore made;
    private UUID id = new UUID(1, 1);
    private boolean fails;

    @Override
    public String scheme() {
      return "memory://";
    }

    @Override
    public boolean opens(String address) {
      return address.startsWith("memory://");
    }

    @Override
    public String shown(String address) {
      return "memory://host/db";
    }

    @Override
    public DatabaseStore open(String address, StoreOptions options) {
      if (fails) {
        throw new StoreException.Io(shown(address), "cannot be reached", new IOException());
      }
      if (made == null) {
        made = new SharedModel(id);
      }
      return made;
    }

    @Override
    public DatabaseStore openExisting(String address, StoreOptions options) {
      if (made == null) {
        throw new StoreException.NoStore(shown(address), "no tables", true);
      }
      return made;
    }
  }

  @Test
  void makesAStoreOnlyWhereThatIsAskedFor() {
    assertThat(access().openIfThere()).isEmpty();
    assertThatThrownBy(() -> access().openExisting()).isInstanceOf(StoreException.NoStore.class);
    assertThat(temporary.resolve("notes")).doesNotExist();

    try (Store store = access().open()) {
      store.put(Payload.utf8("kept"));
    }
    try (BulkStore store = access().openIfThere().orElseThrow()) {
      assertThat(store.counts().blobs()).isEqualTo(1);
    }
  }

  @Test
  void severalProgramsHaveTheStoreOpen() {
    try (Store first = access().openToServe(StoreOptions.DEFAULTS);
        Store second = access().openForImport()) {
      assertThat(second.has(first.put(Payload.utf8("seen by both")))).isTrue();
    }
  }

  @Test
  void theIdentityOfTheStoreIsAnotherAfterAnErasure() throws IOException {
    access().open().close();
    String first = Files.readString(access().root());
    ((SharedModel) requireNonNull(driver.made)).erased();

    access().openExisting().close();
    assertThat(access().root()).content().startsWith(first).isNotEqualTo(first);
  }

  @Test
  void oneImportOfThisMachineGoesOnAtATime() {
    BulkStore first = access().openForImport();
    assertThatThrownBy(() -> access().openForImport())
        .isInstanceOf(StoreException.Busy.class)
        .hasMessageContaining("an import, process " + ProcessHandle.current().pid());
    access().openExisting();
    first.close();

    access().openForImport().close();
  }

  @Test
  void anImportThatCannotOpenTheStoreKeepsNoOtherWaiting() {
    driver.fails = true;
    assertThatThrownBy(() -> access().openForImport()).isInstanceOf(StoreException.Io.class);
    driver.fails = false;

    access().openForImport().close();
  }

  @Test
  void theFolderNamesTheStoreThatItsNotesBelongTo() throws IOException {
    access().open().close();
    String first = Files.readString(access().root());
    assertThat(first).contains(driver.id.toString());
    assertThat(Files.getPosixFilePermissions(access().folder()))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));

    access().openExisting().close();
    assertThat(access().root()).hasContent(first);

    driver.made = null;
    driver.id = new UUID(2, 2);
    access().open().close();
    assertThat(access().root()).content().contains(driver.id.toString()).isNotEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hold", "holdForImport", "rebuild"})
  void nobodyHasTheStoreAloneAndNoRefusalShowsThePassword(String what) {
    access().open().close();
    StoreAccess access = access();
    ThrowingCallable call =
        switch (what) {
          case "hold" -> access::hold;
          case "holdForImport" -> access::holdForImport;
          default -> access::rebuild;
        };

    assertThatThrownBy(call)
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("memory://host/db")
        .message()
        .doesNotContain("secret");
  }

  @Test
  void anAddressWithoutADriverHasNone() {
    assertThat(DatabaseAccess.driver("carrier-pigeon://host/db")).isEmpty();
  }
}
