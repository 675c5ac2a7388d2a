// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.git.RepoPath;
import dev.varve.hash.Blake3;
import dev.varve.rewind.PlannedPath;
import dev.varve.rewind.Repo;
import dev.varve.rewind.RestoreOutcome;
import dev.varve.rewind.Rewind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The restore to the snapshot of a turn, planned by a program that has the store.
final class FolderRestoreTest {

  @TempDir Path folder;
  private Repo repo;
  private CountedAccess access;

  /// A turn and the description of its context.
  private record Kept(Turn turn, Payload about) {

    static Kept of(Store store, ContextHead head) {
      return new Kept(store.turn(head.head()), store.get(head.about()));
    }
  }

  @BeforeEach
  void start() throws IOException {
    repo = Repo.plain(folder);
    access = new CountedAccess(folder.resolve("store"));
    Files.writeString(repo.root().resolve("a"), "one\n");
  }

  private Kept captured(Path root) {
    Rewind.of(
            FolderArchive.at(root, access, InstantSource.system(), Rewind.FILE_BYTES_MAX_DEFAULT),
            InstantSource.system())
        .capture("");
    try (Store store = access.open()) {
      return Kept.of(store, store.contexts(null, 1).getFirst());
    }
  }

  private Optional<FolderRestore> planned(Kept kept) {
    return FolderRestore.of(kept.about(), kept.turn(), access, InstantSource.system());
  }

  @Test
  void thePlanIsThatOfTheFolderAndNothingIsRestored() throws IOException {
    Kept kept = captured(repo.root());
    Files.writeString(repo.root().resolve("a"), "two\n");

    FolderRestore restore = planned(kept).orElseThrow();

    assertThat(restore.root()).isEqualTo(repo.root().toRealPath());
    assertThat(restore.plan().target().commit()).isEqualTo(kept.turn().payloadHash().toString());
    assertThat(restore.plan().paths())
        .extracting(path -> path.path() + " " + path.action())
        .containsExactly("a " + PlannedPath.Action.CHANGE);
    assertThat(restore.size().words()).contains("1 changed", "1 added", "1 removed");
    assertThat(repo.root().resolve("a")).hasContent("two\n");
  }

  private static String text(Store store, @Nullable BlobHash content) {
    return content == null ? "none" : store.get(content).text();
  }

  @Test
  void bothContentsOfEachPathThatDiffersAreInTheStore() throws IOException {
    Files.writeString(repo.root().resolve("gone"), "gone\n");
    Kept kept = captured(repo.root());
    Path secret = Files.writeString(folder.resolve("secret"), "a secret\n");
    Files.writeString(repo.root().resolve("a"), "two\n");
    Files.delete(repo.root().resolve("gone"));
    Files.createDirectory(repo.root().resolve("empty"));
    Files.createSymbolicLink(repo.root().resolve("link"), secret);

    Map<RepoPath, FolderRestore.PathContent> contents = planned(kept).orElseThrow().contents();

    try (Store store = access.open()) {
      assertThat(contents.entrySet())
          .extracting(
              entry ->
                  "%s: %s, then %s"
                      .formatted(
                          entry.getKey(),
                          text(store, entry.getValue().now()),
                          text(store, entry.getValue().then())))
          .containsExactlyInAnyOrder(
              "a: two\n, then one\n",
              "gone: none, then gone\n",
              "link: " + secret + ", then none",
              "empty: none, then none");
      assertThat(store.has(Blake3.hash("a secret\n".getBytes(UTF_8)))).isFalse();
    }
  }

  @Test
  void thePlanThatWasAgreedToIsCarriedOutAndUndone() throws IOException {
    Kept kept = captured(repo.root());
    Files.writeString(repo.root().resolve("a"), "two\n");
    Files.writeString(repo.root().resolve("new"), "new\n");

    BlobHash agreed = planned(kept).orElseThrow().digest();
    RestoreOutcome restored = planned(kept).orElseThrow().carryOut(agreed);

    assertThat(restored.exact()).isTrue();
    assertThat(repo.root().resolve("a")).hasContent("one\n");
    assertThat(repo.root().resolve("new")).doesNotExist();
    BlobHash undo = undone(kept).digest();
    assertThat(undo).isNotEqualTo(agreed);
    undone(kept).carryOut(undo);
    assertThat(repo.root().resolve("a")).hasContent("two\n");
    assertThat(repo.root().resolve("new")).hasContent("new\n");
    assertThatThrownBy(() -> undone(kept)).isInstanceOf(StoreException.NotFound.class);
  }

  private FolderRestore undone(Kept kept) {
    return FolderRestore.undo(kept.about(), kept.turn(), access, InstantSource.system())
        .orElseThrow();
  }

  /// The action on the edited file is the same in both plans; the content that would be lost is
  /// not.
  @Test
  void aFileThatWasEditedSinceThePlanWasShownStopsTheRestore() throws IOException {
    Kept kept = captured(repo.root());
    Files.writeString(repo.root().resolve("a"), "two\n");
    BlobHash agreed = planned(kept).orElseThrow().digest();

    Files.writeString(repo.root().resolve("a"), "three\n");
    FolderRestore later = planned(kept).orElseThrow();

    assertThatThrownBy(() -> later.carryOut(agreed))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining("plan of the restore");
    assertThat(repo.root().resolve("a")).hasContent("three\n");
    Files.writeString(repo.root().resolve("a"), "two\n");
    assertThat(planned(kept).orElseThrow().digest()).isEqualTo(agreed);
  }

  @Test
  void thePlansOfARestoreAndOfAnUndoToTheSameFilesDiffer() throws IOException {
    Kept kept = captured(repo.root());
    Files.writeString(repo.root().resolve("a"), "two\n");
    Kept two = captured(repo.root());
    planned(kept).orElseThrow().carryOut(planned(kept).orElseThrow().digest());

    FolderRestore again = planned(two).orElseThrow();
    FolderRestore undo = undone(two);
    assertThat(undo.plan().paths()).isEqualTo(again.plan().paths());
    assertThat(undo.plan().target().tree()).isEqualTo(again.plan().target().tree());
    assertThatThrownBy(() -> undo.carryOut(again.digest()))
        .isInstanceOf(StoreException.Conflict.class);
  }

  @Test
  void anotherTurnKeepsNoSnapshot() {
    try (Store store = access.open()) {
      ContextHead context = store.createContext("talk");
      store.append(
          context.id(), NewTurn.of(Payload.utf8("hi"), new DeclaredType("note", 1), Encoding.RAW));
      Kept talk = Kept.of(store, store.head(context.id()));
      assertThat(planned(talk)).isEmpty();
    }
  }

  /// A writer may name any folder of this machine; its files must not get into the store by that.
  @Test
  void aFolderThatWasNeverCapturedHereIsNotLookedAt() throws IOException {
    Kept kept = captured(repo.root());
    Path other = Files.createDirectory(folder.resolve("private"));
    Files.writeString(other.resolve("secret"), "a secret\n");
    Payload about =
        Payload.utf8(
            "{\"kind\":\"varve.rewind\",\"root\":\"" + SnapshotContext.escaped(other) + "\"}");
    Kept forged;
    long blobs;
    try (Store store = access.open()) {
      ContextHead context = store.createContext(TurnId.NONE, store.put(about));
      store.append(
          context.id(), NewTurn.of(kept.turn().payload(), SnapshotPayload.TYPE, Encoding.JSON));
      forged = Kept.of(store, store.head(context.id()));
      blobs = store.counts().blobs();
    }

    assertThatThrownBy(() -> planned(forged)).isInstanceOf(StoreException.NotFound.class);

    try (Store store = access.open()) {
      assertThat(store.counts().blobs()).isEqualTo(blobs);
    }
  }

  @Test
  void aFolderThatIsGoneIsNamed() throws IOException {
    Kept kept = captured(repo.root());
    Files.move(repo.root(), folder.resolve("moved"));

    assertThatThrownBy(() -> planned(kept))
        .isInstanceOf(StoreException.NotFound.class)
        .hasMessageContaining(repo.root().toString());
  }
}
