// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.sim.ForwardingStore;
import dev.varve.sim.StoreModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PiExportTest {

  @TempDir Path folder;
  private final StoreModel store = new StoreModel();
  private Path file;
  private Path target;
  private ContextId context;

  @BeforeEach
  void importOne() throws IOException {
    file =
        SessionText.headed()
            .user("a", null, "one")
            .line("damaged ".repeat(100))
            .user("b", "a", "two")
            .write(folder.resolve("s.jsonl"));
    context = new PiImport(store).session(file).manifest().context();
    target = Files.createDirectory(folder.resolve("out")).resolve("copy.jsonl");
  }

  @Test
  void theFileIsWrittenAndNothingElse() throws IOException {
    PiExport.session(store, context, target);

    assertThat(Files.mismatch(file, target)).isEqualTo(-1);
    assertThat(names()).containsExactly("copy.jsonl");
  }

  @Test
  void anotherFileIsNeverOverwritten() throws IOException {
    Files.writeString(target, "mine");

    assertThatThrownBy(() -> PiExport.session(store, context, target))
        .isInstanceOf(StoreException.Conflict.class);

    assertThat(target).hasContent("mine");
    byte[] other = Files.readAllBytes(file);
    other[50] ^= 1;
    Files.write(target, other); // as long, but not the same
    assertThatThrownBy(() -> PiExport.session(store, context, target))
        .isInstanceOf(StoreException.Conflict.class);
    assertThat(Files.readAllBytes(target)).isEqualTo(other);
    assertThat(names()).containsExactly("copy.jsonl");
  }

  @Test
  void theSameFileIsLeftAsItIs() throws IOException {
    PiExport.session(store, context, target);
    var written = Files.getLastModifiedTime(target);

    PiExport.session(store, context, target);

    assertThat(Files.getLastModifiedTime(target)).isEqualTo(written);
  }

  @Test
  void aLinkOrAFolderOfThatNameIsAnotherFile() throws IOException {
    Files.createSymbolicLink(target, folder.resolve("nowhere"));
    assertThatThrownBy(() -> PiExport.session(store, context, target))
        .isInstanceOf(StoreException.Conflict.class);
    assertThatThrownBy(() -> PiExport.session(store, context, folder))
        .isInstanceOf(StoreException.Conflict.class);
    assertThat(folder.resolve("nowhere")).doesNotExist();
  }

  @Test
  void aFolderThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> PiExport.session(store, context, folder.resolve("no/copy.jsonl")))
        .isInstanceOf(StoreException.Io.class);
  }

  @Test
  void aTurnThatIsNotWhatItWasLeavesNothingBehind() throws IOException {
    ForwardingStore wrong =
        new ForwardingStore(store) {
          @Override
          public Turn turn(TurnId id, View view) {
            Turn turn = super.turn(id, view);
            return turn.type().id().equals("pi.message")
                ? turn.withPayload(Payload.utf8("{}"))
                : turn;
          }
        };

    assertThatThrownBy(() -> PiExport.session(wrong, context, target))
        .isInstanceOf(StoreException.Corrupt.class);

    assertThat(names()).isEmpty();
  }

  @Test
  void bytesThatAreNotWhatTheyWereLeaveNothingBehind() throws IOException {
    ForwardingStore wrong =
        new ForwardingStore(store) {
          @Override
          public Payload get(BlobHash hash) {
            Payload payload = super.get(hash);
            return payload.text().startsWith("{") ? payload : Payload.utf8("x");
          }
        };

    assertThatThrownBy(() -> PiExport.session(wrong, context, target))
        .isInstanceOf(StoreException.Corrupt.class);

    assertThat(names()).isEmpty();
  }

  @Test
  void aManifestThatTellsMoreOrLessThanItsFileIsRefused() throws IOException {
    List<FileSegment> segments = new ArrayList<>();
    PiAbout.Whole whole = (PiAbout.Whole) PiExport.about(store, context);
    SessionManifest.get(store, whole.manifest()).segments(store, segments::add);
    List<List<FileSegment>> wrong = new ArrayList<>();
    wrong.add(segments.subList(0, segments.size() - 1));
    for (FileSegment more :
        List.of(
            segments.getLast(),
            new FileSegment.Inline(Payload.utf8("x")),
            new FileSegment.Unended(whole.manifest().value()),
            new FileSegment.Kept(whole.version().hash(), 1))) {
      wrong.add(Stream.concat(segments.stream(), Stream.of(more)).toList());
    }
    for (List<FileSegment> each : wrong) {
      Payload forged =
          SessionManifest.of(
                  whole.version().sizeBytes(), whole.version().hash(), each.stream(), store)
              .payload();
      TurnId turn =
          store.append(context, NewTurn.of(forged, SessionManifest.TYPE, Encoding.RAW)).id();
      assertThatThrownBy(() -> PiExport.version(store, turn, target))
          .isInstanceOf(StoreException.Corrupt.class);
      assertThat(names()).isEmpty();
    }
  }

  @Test
  void patchesAndTombstonesDoNotChangeTheFile() throws IOException {
    TurnId turn =
        store.turns().stream()
            .filter(t -> t.type().id().equals("pi.message"))
            .findFirst()
            .orElseThrow()
            .id();
    store.patch(turn, Payload.utf8("patched"));
    store.tombstone(turn);

    PiExport.session(store, context, target);

    assertThat(Files.mismatch(file, target)).isEqualTo(-1);
  }

  @Test
  void contextsThatDidNotComeFromPiAreRefused() {
    ContextId other = store.createContext().id();
    ContextId described = store.createContext(TurnId.NONE, store.put(Payload.utf8("{}"))).id();

    for (ContextId id : new ContextId[] {other, described}) {
      assertThatThrownBy(() -> PiExport.session(store, id, target))
          .isInstanceOf(StoreException.Invalid.class);
    }
    assertThatThrownBy(() -> PiExport.version(store, new TurnId(2), target))
        .isInstanceOf(StoreException.Invalid.class);
    assertThatThrownBy(() -> PiExport.session(store, new ContextId(99), target))
        .isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  void theNameOfAnExportedFileIsOneOnAnySystem() throws IOException {
    assertThat(PiExport.fileName(store, context)).isEqualTo("s.jsonl");
    for (String name :
        new String[] {
          "..",
          ".",
          "",
          "../x",
          "a/b",
          "C:x",
          "\\x",
          "x\u0000y",
          "CON",
          "nul.jsonl",
          ".bashrc",
          "x.",
          "x ",
          "a".repeat(256)
        }) {
      PiAbout.Session session = new PiAbout.Session("id", name, "", "");
      PiAbout about = new PiAbout.Branch(session, 1, "a", context, null);
      ContextId forged = store.createContext(TurnId.NONE, store.put(about.payload())).id();
      assertThat(PiExport.fileName(store, forged))
          .as("'%s'", name)
          .isEqualTo("pi-session-" + forged + ".jsonl");
    }
  }

  private Stream<String> names() throws IOException {
    try (Stream<Path> files = Files.list(target.getParent())) {
      return files.map(each -> each.getFileName().toString()).toList().stream();
    }
  }
}
