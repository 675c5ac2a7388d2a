// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.sweep;

import static dev.varve.jp.JpFolders.CLOCK;
import static dev.varve.jp.JpFolders.NOW;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.StoreException;
import dev.varve.jp.CopyRewriter;
import dev.varve.jp.JpFolders;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.BlobLock;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.files.FlockFile;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.WorkspaceRoot;
import dev.varve.jp.sweep.SweepReport.Ending;
import dev.varve.jp.sweep.SweepReport.Fate;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BlobSweepTest {

  private static final SweepOptions NOW_OR_NEVER =
      SweepOptions.DEFAULTS.withGrace(Duration.ZERO).withPatience(Duration.ZERO);

  @TempDir Path folder;

  private JpFolders jp;
  private Path blobs;

  @BeforeEach
  void makeFolders() {
    jp = new JpFolders(folder);
    blobs = jp.storage().resolve("blobs");
  }

  private WorkspaceRoot root() {
    return jp.workspace().roots().getFirst();
  }

  private SweepReport sweep(SweepOptions options) {
    return BlobSweep.run(jp.workspace(), root(), CLOCK, options);
  }

  private static Sha256 hash(String content) {
    return Sha256.of(content.getBytes(UTF_8));
  }

  /// A blob that was written a year ago.
  private Path put(String content) throws IOException {
    BlobFolder store = new BlobFolder(blobs, CLOCK);
    store.put(Map.of(hash(content), content.getBytes(UTF_8)));
    Path file = store.file(hash(content));
    Files.setLastModifiedTime(file, FileTime.from(NOW.minus(Duration.ofDays(365))));
    return file;
  }

  private static String reference(String content) {
    return "[{\"timestamp\":\"x\",\"type\":\"new\",\"a\":[{\"$blob\":\""
        + hash(content)
        + "\",\"size\":1}]}]";
  }

  // ---- what is kept, what goes

  @Test
  void whatNothingRefersToGoesAndNothingElse() throws IOException {
    jp.add(jp.storage(), "17800000001", JpFolders.events("one", "two"));
    Conversation conversation = jp.conversation("17800000001");
    new CopyRewriter(jp.workspace(), CLOCK, 1 << 20).externalize(conversation, false);
    Path orphan = put("orphan");
    Path one = new BlobFolder(blobs, CLOCK).file(hash("one"));

    SweepReport report = sweep(NOW_OR_NEVER);

    assertThat(report.ending()).isEqualTo(Ending.DONE);
    assertThat(report.count(Fate.REMOVED)).isEqualTo(1);
    assertThat(report.referenced()).isEqualTo(2);
    assertThat(orphan).doesNotExist();
    assertThat(orphan.getParent()).as("its folder").doesNotExist();
    assertThat(one).exists();
    assertThat(blobs.resolve(".trash/2026-06-10")).exists();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "17800000001/events.json",
        "17800000001/metadata.json",
        "17800000001/base_config.json",
        "17800000001/events.json~",
        "17800000001/.events.json.swp",
        ".archive/17800000001/events.json",
        ".trash/17800000001-1/events.json",
        "17800000001/17800000002/17800000003/events.json",
        ".old-17800000001/events.json",
        "odd name/events.json"
      })
  void aReferenceCountsWhereverItStands(String place) throws IOException {
    Path blob = put("kept");
    JpFolders.write(jp.storage().resolve("conversations").resolve(place), reference("kept"));

    assertThat(sweep(NOW_OR_NEVER).count(Fate.REMOVED)).isZero();

    assertThat(blob).exists();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"$blob\": \"HASH\"}",
        "[{\"$blob\": \"HASH\", \"size\": 4, \"text\": \"two discriminants\"}]",
        "[{\"$blob\": \"UPPER\"}]",
        "[{\"\\u0024blob\": \"HASH\"}]",
        "[{\"$blob\": \"sha256:HASH\"}]",
        "[{\"$blob\": [\"HASH\"]}]",
        "[{\"$blob\": \"0\", \"$blob\": \"HASH\"}]",
        "[{\"$blob\": \"HASH\"},]",
        "<<<<<<< ours\n[{\"$blob\": \"HASH\"}]\n=======\n[]\n>>>>>>> theirs\n]",
        "[ // by hand\n {\"$blob\": \"HASH\"}]"
      })
  void aReferenceCountsInWhateverFormItIsWritten(String text) throws IOException {
    Path blob = put("kept");
    String hex = hash("kept").hex();
    jp.add(
        jp.storage(),
        "17800000001",
        text.replace("HASH", hex).replace("UPPER", hex.toUpperCase(Locale.ROOT)));

    sweep(NOW_OR_NEVER);

    assertThat(blob).exists();
  }

  @ParameterizedTest
  @ValueSource(strings = {"project-ab1cd", "renamed-ab1cd", "ab1cd"})
  void aCopyInTheUsersOwnRootKeepsTheOnlyBlobThereIs(String local) throws IOException {
    Path blob = put("copied to the user");
    Files.createDirectories(jp.silo()); // the root that JP uses, whatever else there is
    Path root = jp.silo().resolveSibling(local);
    jp.add(root, "17800000001", reference("copied to the user"));

    assertThat(sweep(NOW_OR_NEVER).referenced()).isEqualTo(1);

    assertThat(blob).exists();
  }

  @Test
  void aWorkspaceWhoseIdIsLostStillCountsTheUsersConversations() throws IOException {
    Path blob = put("copied to the user");
    jp.add(jp.silo(), "17800000001", reference("copied to the user"));
    Files.delete(jp.storage().resolve(".id"));

    sweep(NOW_OR_NEVER);

    assertThat(blob).exists();
  }

  @Test
  void aConversationOfTheWorkspaceKeepsABlobThatOnlyTheUserHas() throws IOException {
    Files.createDirectories(jp.silo());
    blobs = jp.silo().resolve("blobs");
    Path blob = put("lost here");
    jp.add(jp.storage(), "17800000001", reference("lost here"));

    BlobSweep.run(jp.workspace(), jp.workspace().roots().getLast(), CLOCK, NOW_OR_NEVER);

    assertThat(blob).exists();
  }

  @Test
  void aCopyOfTheUsersThatCannotBeReadStopsTheSweepOfTheWorkspace() throws IOException {
    Path blob = put("perhaps wanted");
    jp.add(jp.silo(), "17800000001", "[{\"a\":");

    assertThat(sweep(NOW_OR_NEVER).ending()).isEqualTo(Ending.BLOCKED);
    assertThat(blob).exists();
  }

  @Test
  void aMentionInWordsIsNoReference() throws IOException {
    Path blob = put("gone");
    String words = "He said: \\\"$blob\\\": \\\"" + hash("gone") + "\\\"";
    jp.add(
        jp.storage(),
        "17800000001",
        "[{\"timestamp\":\"x\",\"type\":\"chat_response\",\"message\":\"" + words + "\"}]");

    assertThat(sweep(NOW_OR_NEVER).count(Fate.REMOVED)).isEqualTo(1);
    assertThat(blob).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[{\"a\":", "[{\"a\": \"unended", "\0\0\0\0", "[1,2] and more"})
  void whatCannotBeReadToItsEndStopsTheSweep(String text) throws IOException {
    Path blob = put("perhaps wanted");
    jp.add(jp.storage(), "17800000001", text);

    SweepReport report = sweep(NOW_OR_NEVER);

    assertThat(report.ending()).isEqualTo(Ending.BLOCKED);
    assertThat(report.why()).contains("events.json");
    assertThat(blob).exists();
  }

  @Test
  void aLinkedConversationStopsTheSweep() throws IOException {
    Path blob = put("perhaps wanted");
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.createSymbolicLink(jp.storage().resolve("conversations/17800000001"), outside);

    assertThat(sweep(NOW_OR_NEVER).ending()).isEqualTo(Ending.BLOCKED);
    assertThat(blob).exists();
  }

  // ---- time

  @Test
  void theGraceTimeSparesWhatIsYoung() throws IOException {
    Path blob = put("young");
    Files.setLastModifiedTime(blob, FileTime.from(NOW.minus(Duration.ofDays(6))));

    assertThat(sweep(SweepOptions.DEFAULTS).count(Fate.YOUNG)).isEqualTo(1);
    assertThat(blob).exists();

    Files.setLastModifiedTime(blob, FileTime.from(NOW.minus(Duration.ofDays(8))));
    assertThat(sweep(SweepOptions.DEFAULTS).count(Fate.REMOVED)).isEqualTo(1);
  }

  @Test
  void aDryRunTellsAndDoesNothing() throws IOException {
    put("orphan");
    Map<String, String> before = JpFolders.snapshot(folder);

    assertThat(sweep(NOW_OR_NEVER.withDry(true)).count(Fate.REMOVABLE)).isEqualTo(1);

    assertThat(JpFolders.snapshot(folder)).isEqualTo(before);
  }

  @Test
  void trashIsEmptiedWhenItIsOldEnough() throws IOException {
    put("orphan");
    sweep(NOW_OR_NEVER);
    Path day = blobs.resolve(".trash/2026-06-10");

    sweepAt(NOW.plus(Duration.ofDays(30)));
    assertThat(day).exists();

    sweepAt(NOW.plus(Duration.ofDays(31)));
    assertThat(day).doesNotExist();
  }

  private void sweepAt(Instant time) {
    BlobSweep.run(jp.workspace(), root(), InstantSource.fixed(time), NOW_OR_NEVER);
  }

  @Test
  void whatIsReferredToAfterAllComesBackFromTheTrash() throws IOException {
    Path blob = put("pasted later");
    sweep(NOW_OR_NEVER);
    assertThat(blob).doesNotExist();
    jp.add(jp.storage(), "17800000001", reference("pasted later"));

    assertThat(sweep(NOW_OR_NEVER).tidying().restored()).isEqualTo(1);

    assertThat(blob).exists();
  }

  // ---- others at work

  @Test
  void aReferenceThatAppearsDuringTheSweepIsSeen() throws IOException {
    Path blob = put("wanted at the last moment");
    jp.add(jp.storage(), "17800000001", "[]");
    AtomicInteger asked = new AtomicInteger();
    // The first question after the first look comes before anything is removed.
    SweepOptions options =
        NOW_OR_NEVER.withStop(
            () -> {
              if (asked.getAndIncrement() == 5) {
                jp.add(jp.storage(), "17800000002", reference("wanted at the last moment"));
              }
              return false;
            });

    SweepReport report = sweep(options);

    assertThat(asked.get()).isGreaterThan(5);
    assertThat(report.count(Fate.WANTED_AGAIN)).isEqualTo(1);
    assertThat(blob).exists();
  }

  @Test
  void aSweepRemovesNothingWhileReferencesAreWritten() throws IOException {
    Path blob = put("orphan");
    try (FlockFile _ = BlobLock.take(blobs, FlockFile.Kind.SHARED, Duration.ZERO)) {
      assertThat(sweep(NOW_OR_NEVER).ending()).isEqualTo(Ending.BUSY);
    }
    assertThat(blob).exists();
  }

  @Test
  void aSweepThatIsStoppedAnywhereLeavesAStoreThatIsWhole() throws IOException {
    for (int i = 0; i < 12; i++) {
      put("orphan " + i);
    }
    Path kept = put("kept");
    jp.add(jp.storage(), "17800000001", reference("kept"));
    for (int stopAt = 0; stopAt < 40; stopAt++) {
      AtomicInteger asked = new AtomicInteger();
      int last = stopAt;

      sweep(NOW_OR_NEVER.withStop(() -> asked.getAndIncrement() >= last));

      assertThat(kept).as("stopped at question %s", stopAt).exists();
    }
    sweep(NOW_OR_NEVER);
    assertThat(sweep(NOW_OR_NEVER).blobs()).isEqualTo(1);
  }

  @Test
  void draftsThatWereLeftBehindGoAndThoseOfTheLivingStay() throws IOException {
    Path leaf = put("kept").getParent();
    jp.add(jp.storage(), "17800000001", reference("kept"));
    long alive = ProcessHandle.current().pid();
    Path dead = JpFolders.write(leaf.resolve(".x.999999999-0123456789abcdef.part"), "");
    Path living = JpFolders.write(leaf.resolve(".x." + alive + "-0123456789abcdef.part"), "");
    Path note = JpFolders.write(leaf.resolve("note.txt"), "");

    assertThat(sweep(NOW_OR_NEVER).tidying().drafts()).isEqualTo(1);

    assertThat(dead).doesNotExist();
    assertThat(living).exists();
    assertThat(note).exists();
  }

  // ---- files that are no JSON

  @Test
  void aFileTooLargeToBeTakenApartStillKeepsItsBlob() throws IOException {
    Path blob = put("at the end of a large file");
    Path events = jp.add(jp.storage(), "17800000001", "");
    try (RandomAccessFile file = new RandomAccessFile(events.toFile(), "rw")) {
      file.seek((256L << 20) + 1);
      file.write(hash("at the end of a large file").hex().getBytes(UTF_8));
    }

    SweepReport report = sweep(NOW_OR_NEVER);

    assertThat(report.reading().remarks()).singleElement().asString().contains("very large");
    assertThat(blob).exists();
  }

  @Test
  void whatIsOddInAConversationIsToldAlsoWhenSomethingIsRemoved() throws IOException {
    put("orphan");
    jp.add(jp.storage(), "17800000001", "[1,] \n");

    SweepReport report = sweep(NOW_OR_NEVER);

    assertThat(report.count(Fate.REMOVED)).isEqualTo(1);
    assertThat(report.reading().remarks()).singleElement().asString().contains("events.json");
    assertThat(report.reading().files()).isEqualTo(3);
  }

  /// A conversation that is renamed while its folder is read is found by the second look.
  @Test
  void aReferenceThatAppearsBehindTheFirstLookUnderTheLockIsSeen() throws IOException {
    Path blob = put("renamed meanwhile");
    jp.add(jp.storage(), "17800000001", "[]");
    SweepOptions options =
        NOW_OR_NEVER.withStop(
            () -> {
              if (isSweeping()
                  && !jp.storage().resolve("conversations/17800000002").toFile().exists()) {
                jp.add(jp.storage(), "17800000002", reference("renamed meanwhile"));
              }
              return false;
            });

    assertThat(sweep(options).count(Fate.WANTED_AGAIN)).isEqualTo(1);

    assertThat(blob).exists();
  }

  /// Whether the sweep has the lock for itself.
  private boolean isSweeping() {
    try (FlockFile _ = BlobLock.take(blobs, FlockFile.Kind.SHARED, Duration.ZERO)) {
      return false;
    } catch (StoreException.Busy e) {
      return true;
    }
  }
}
