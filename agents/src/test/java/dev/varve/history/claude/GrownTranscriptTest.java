// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.claude;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.history.Archive;
import dev.varve.history.CountedSource;
import dev.varve.history.HistoryImport;
import dev.varve.history.SessionFiles;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import dev.varve.imports.SpotHashes;
import dev.varve.sim.StoreModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The bytes that are read of a transcript that grew, and the ways in which a change of the bytes
/// before is noticed.
class GrownTranscriptTest {

  private static final String S1 = MadeTranscript.id(1);
  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  @TempDir Path folder;
  private final ClaudeProfile profile = new ClaudeProfile();
  private final Archive archive = new Archive(new StoreModel(), profile);
  private Instant now = LATER;

  private Path home() {
    return folder.resolve("home");
  }

  /// A transcript of more bytes than are compared each time.
  private Path large() throws IOException {
    MadeTranscript made = new MadeTranscript(S1).user("u0", null, "go");
    for (int i = 1; i <= 150; i++) {
      made.user("u" + i, "u" + (i - 1), i + "x".repeat(60_000));
    }
    return made.write(home());
  }

  private static void append(Path file, String uuid, String parent) throws IOException {
    String line = new MadeTranscript(S1).user(uuid, parent, "more").lines().getFirst();
    Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
  }

  private ImportReport take(SessionFiles session) throws IOException {
    return new HistoryImport(archive.store(), profile, () -> now)
        .session(session, ImportListener.NONE);
  }

  private ImportReport take(Path file) throws IOException {
    return take(profile.session(file));
  }

  private long bytesReadOf(Path file) throws IOException {
    CountedSource source = new CountedSource(profile.session(file).main().source());
    ImportReport report = take(source.inPlaceOf(profile.session(file)));
    assertThat(report.outcome()).isEqualTo(Outcome.GROWN);
    return source.bytesRead();
  }

  @Test
  void ofALargeTranscriptThatGrewOnlyTheNewBytesAreRead() throws IOException {
    Path file = large();
    take(file);
    String last = "u150";
    for (String next : List.of("v1", "v2", "v3")) {
      long before = Files.size(file);
      append(file, next, last);
      last = next;

      long added = Files.size(file) - before;
      assertThat(bytesReadOf(file)).isLessThanOrEqualTo(added + 3L * SpotHashes.BYTES_MAX);
    }

    ImportReport report = take(file);
    assertThat(archive.texts(report.contexts().all().getFirst())).hasSize(154);
    assertThat(archive.session(report).about().view().turns()).isEqualTo(154);
    archive.comesBack(report, home(), folder.resolve("back"));
  }

  @Test
  void bytesThatWereJoinedAreComparedAsAWholeAnHourLater() throws IOException {
    Path file = large();
    take(file);
    byte[] bytes = Files.readAllBytes(file);
    overwrite(file, bytes, 50_000);
    append(file, "v1", "u150");
    assertThat(take(file).outcome()).as("not noticed yet").isEqualTo(Outcome.GROWN);
    assertThat(take(file).outcome()).isEqualTo(Outcome.UNCHANGED);

    now = LATER.plus(Duration.ofMinutes(61));
    ImportReport report = take(file);

    assertThat(report.outcome()).isEqualTo(Outcome.REWRITTEN);
    archive.comesBack(report, home(), folder.resolve("back"));
    now = now.plus(Duration.ofMinutes(61));
    assertThat(take(file).outcome()).as("nothing is joined").isEqualTo(Outcome.UNCHANGED);
  }

  @Test
  void joinedBytesThatAreAsTheyWereNeedNoFurtherLook() throws IOException {
    Path file = large();
    take(file);
    append(file, "v1", "u150");
    ImportReport joined = take(file);
    assertThat(archive.session(joined).about().source().joinedAtUnixMs()).isPositive();

    now = LATER.plus(Duration.ofMinutes(61));
    ImportReport whole = take(file);

    assertThat(whole.outcome()).isEqualTo(Outcome.UNCHANGED);
    assertThat(archive.session(whole).about().source().joinedAtUnixMs()).isZero();
  }

  @Test
  void aSmallTranscriptThatWasChangedBeforeItsEndIsNoticedAtOnce() throws IOException {
    Path file =
        new MadeTranscript(S1)
            .user("u1", null, "y".repeat(10_000))
            .user("u2", "u1", "end")
            .write(home());
    take(file);
    overwrite(file, Files.readAllBytes(file), 9_000);
    append(file, "u3", "u2");

    ImportReport report = take(file);

    assertThat(report.outcome()).isEqualTo(Outcome.REWRITTEN);
    archive.comesBack(report, home(), folder.resolve("back"));
  }

  @Test
  void aLargeTranscriptThatMovedIsNoticedAtOnce() throws IOException {
    Path file = large();
    take(file);
    byte[] bytes = Files.readAllBytes(file);
    bytes[50_000] = '\\'; // an escape, so that one byte is put in
    byte[] longer =
        new String(bytes, StandardCharsets.UTF_8)
            .replace("\\", "\\\"")
            .getBytes(StandardCharsets.UTF_8);
    Files.write(file, longer, StandardOpenOption.TRUNCATE_EXISTING);
    append(file, "v1", "u150");

    assertThat(take(file).outcome()).isEqualTo(Outcome.REWRITTEN);
  }

  /// Writes one other byte into a file, which keeps its size and its inode.
  private static void overwrite(Path file, byte[] bytes, int at) throws IOException {
    bytes[at] = 'z';
    Files.write(file, bytes, StandardOpenOption.WRITE);
  }
}
