// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.StoreOptions;
import dev.varve.TurnId;
import dev.varve.disk.DiskFile;
import dev.varve.disk.SimulatedDisk;
import dev.varve.format.Bytes;
import dev.varve.format.Example;
import dev.varve.format.FormatPage;
import dev.varve.sim.SimulatedTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The examples in `docs/format/` are what a store that does those things has in its files.
class ExampleStoreTest {

  private final SimulatedDisk disk = new SimulatedDisk(0);
  private List<String> namesWhileOpen = List.of();

  @BeforeEach
  void makeTheExampleStore() {
    SimulatedTime time = SimulatedTime.standing();
    time.set(Example.CREATED_AT);
    StorePlace.make(disk, new StoreRoot(Example.STORE_ID, Example.CREATED_AT));
    try (LocalStore store =
        LocalStore.open(disk, StoreOptions.DEFAULTS, time, PowerCutStoreTest.SMALL)) {
      ContextId context = store.createContext().id();
      time.advance(Example.APPENDED_MS - Example.CREATED_MS);
      NewTurn hello = NewTurn.of(Example.HELLO, Example.NOTE, Encoding.RAW);
      TurnId turn = store.append(context, hello.withKey(IdempotencyKey.of("once"))).id();
      store.tombstone(turn);
      namesWhileOpen = disk.names();
    }
  }

  private byte[] file(String name) {
    try (DiskFile file = disk.open(name)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
      file.read(0, bytes);
      return bytes.array();
    }
  }

  private static String example(String page) {
    return FormatPage.of(page).example("Example");
  }

  @Test
  void filesOfRecordsAreWhatTheirPagesShow() {
    assertThat(Bytes.dump(file("blobs.pack"))).isEqualTo(example("blobs-pack"));
    assertThat(Bytes.dump(file("blobs.idx"))).isEqualTo(example("blobs-idx"));
    assertThat(Bytes.dump(file("turns.log"))).isEqualTo(example("turns-log"));
    assertThat(Bytes.dump(file("turns.meta"))).isEqualTo(example("turns-meta"));
    assertThat(Bytes.dump(file("heads.log"))).isEqualTo(example("heads-log"));
    assertThat(Bytes.dump(file("types.tbl"))).isEqualTo(example("types-tbl"));
    assertThat(Bytes.dump(file("overlays.log"))).isEqualTo(example("overlays-log"));
  }

  @Test
  void theSlotOfTheContextIsWhatItsPageShows() {
    String whole = example("heads-tbl");
    String slot = whole.substring(whole.indexOf("00000080"));

    assertThat(Bytes.dump(file("heads.tbl"))).endsWith(slot);
  }

  @Test
  void thePageOfFilesNamesEveryFile() throws IOException {
    Path page = Path.of(System.getProperty("root.dir"), "docs", "format", "README.md");
    TreeSet<String> listed = new TreeSet<>();
    for (String line : Files.readAllLines(page)) {
      if (line.matches("\\| `[a-z.]+` \\|.*")) {
        listed.add(line.replaceFirst("\\| `([a-z.]+)` \\|.*", "$1"));
      }
    }
    TreeSet<String> present = new TreeSet<>(namesWhileOpen);
    present.addAll(disk.names()); // some are made by the first checkpoint
    present.add("journal.b"); // made when the first is full
    present.add("erased.tbl"); // made when something is erased
    present.add("holds.tbl"); // made when a context is held

    assertThat(listed).isEqualTo(present);
  }

  @Test
  void thePageOfFilesSaysWhichAreDerived() throws IOException {
    Path page = Path.of(System.getProperty("root.dir"), "docs", "format", "README.md");
    for (String line : Files.readAllLines(page)) {
      if (line.matches("\\| `[a-z.]+` \\|.*") && !line.contains("`checkpoint.tbl`")) {
        String name = line.replaceFirst("\\| `([a-z.]+)` \\|.*", "$1");
        boolean saysDerived = line.split("\\|")[3].contains("`");
        assertThat(saysDerived).as(name).isEqualTo(StoreFiles.DERIVED.contains(name));
      }
    }
  }
}
