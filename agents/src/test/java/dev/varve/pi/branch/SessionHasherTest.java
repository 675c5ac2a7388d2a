// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.pi.branch.HashedSession.Way;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SessionHasherTest {

  @TempDir Path folder;

  private final SessionHasher hasher = Sessions.hasher();
  private Path session;
  private Path state;

  @BeforeEach
  void writeSession() throws IOException {
    session = new Sessions(folder).write("s", "", 6_000); // some 400 KB
    state = folder.resolve("s.jsonl.blake3state");
  }

  private static BlobHash hashOf(Path file) throws IOException {
    return Blake3.hash(Files.readAllBytes(file));
  }

  private HashedSession hashed(Way way) throws IOException {
    HashedSession hashed = hasher.hash(session);
    assertThat(hashed.hash()).isEqualTo(hashOf(session));
    assertThat(hashed.sizeBytes()).isEqualTo(Files.size(session));
    assertThat(hashed.way()).as("%s", hashed.remarks()).isEqualTo(way);
    return hashed;
  }

  @Test
  void aSessionThatGrewCostsWhatIsNew() throws IOException {
    hashed(Way.WHOLE);
    for (int appended : new int[] {0, 1, 1, 700, 20_000}) {
      Sessions.append(session, "x".repeat(appended) + (appended > 0 ? "\n" : ""));

      HashedSession hashed = hashed(appended == 0 ? Way.UNCHANGED : Way.GROWN);

      assertThat(hashed.bytesRead())
          .isLessThanOrEqualTo(appended + 1 + SessionHasher.OVERHEAD_BYTES_MAX);
      assertThat(hashed.remarks()).isEmpty();
    }
  }

  @Test
  void growthOfAnyKindGivesTheHashOfTheWhole() throws IOException {
    long seed = 20_261_128;
    SplittableRandom random = new SplittableRandom(seed);
    for (int step = 0; step < 60; step++) {
      Sessions.append(session, "y".repeat(random.nextInt(3_000)));
      assertThat(hasher.hash(session).hash())
          .as("seed %d, step %d", seed, step)
          .isEqualTo(hashOf(session));
    }
  }

  @Test
  void onlyTheStateIsWritten() throws IOException {
    byte[] before = Files.readAllBytes(session);
    FileTime time = Files.getLastModifiedTime(session);

    hashed(Way.WHOLE);

    assertThat(session).hasBinaryContent(before);
    assertThat(Files.getLastModifiedTime(session)).isEqualTo(time);
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(session, state);
    }
  }

  // ---- what is no longer append-only

  @Test
  void aSessionThatWasCutIsHashedAgain() throws IOException {
    hashed(Way.WHOLE);
    try (var file = Files.newByteChannel(session, StandardOpenOption.WRITE)) {
      file.truncate(300_000);
    }

    assertThat(hashed(Way.WHOLE).remarks()).anyMatch(remark -> remark.contains("shorter"));
  }

  @Test
  void aMigratedHeaderIsSeen() throws IOException {
    hashed(Way.WHOLE);
    String text = Files.readString(session).replace("\"version\":3", "\"version\":4");
    write(text + "one more\n");

    assertThat(hashed(Way.WHOLE).remarks()).anyMatch(remark -> remark.contains("beginning"));
  }

  /// In place, as Pi migrates.
  private void write(String text) throws IOException {
    Files.write(
        session, text.getBytes(StandardCharsets.UTF_8), StandardOpenOption.TRUNCATE_EXISTING);
  }

  @Test
  void aFileInThePlaceOfTheSessionIsHashedAgain() throws IOException {
    hashed(Way.WHOLE);
    Path other = Files.copy(session, folder.resolve("other"));
    Sessions.append(other, "more\n");
    Files.move(other, session, StandardCopyOption.REPLACE_EXISTING);

    assertThat(hashed(Way.WHOLE).remarks()).anyMatch(remark -> remark.contains("another file"));
  }

  @Test
  void whatIsPutInAnywhereIsSeen() throws IOException {
    String text = Files.readString(session);
    for (int at : new int[] {100, 5_000, text.length() / 2, text.length() - 5_000}) {
      write(text);
      hasher.hash(session);
      write(text.substring(0, at) + "z" + text.substring(at) + "more\n");

      assertThat(hasher.hash(session).hash()).as("at %d", at).isEqualTo(hashOf(session));
    }
  }

  @Test
  void aWriteWithoutGrowthIsSeen() throws IOException {
    hashed(Way.WHOLE);
    String text = Files.readString(session);
    write(text.replace("the 5000th", "THE 5000th"));
    Files.setLastModifiedTime(session, FileTime.from(Instant.parse("2027-01-01T00:00:00Z")));

    assertThat(hashed(Way.WHOLE).remarks()).anyMatch(remark -> remark.contains("without growing"));
  }

  /// A program can set the time of the last write back, but not the time of the last change.
  @Test
  void aWriteOfOtherBytesUnderTheSameTimeIsSeen() throws IOException {
    FileTime written = Files.getLastModifiedTime(session);
    hashed(Way.WHOLE);
    FileTime changed = (FileTime) Files.getAttribute(session, "unix:ctime");
    String text = Files.readString(session);
    do { // until the file system's clock has moved on
      write(text.replace("the 5000th", "THE 5000th"));
      Files.setLastModifiedTime(session, written);
    } while (Files.getAttribute(session, "unix:ctime").equals(changed));

    assertThat(Files.getLastModifiedTime(session)).isEqualTo(written);
    assertThat(hasher.glance(session)).isEmpty();
    assertThat(hashed(Way.WHOLE).remarks()).anyMatch(remark -> remark.contains("without growing"));
    hashed(Way.UNCHANGED);
  }

  /// A write just after may have left both times as they were.
  @Test
  void aStateOfAFileThatWasJustWrittenProvesNothing() throws IOException {
    SessionHasher atOnce =
        new SessionHasher(
            new HashStates.Beside(),
            InstantSource.fixed(Files.getLastModifiedTime(session).toInstant().plusMillis(500)));
    atOnce.hash(session);

    assertThat(atOnce.hash(session).way()).isEqualTo(Way.WHOLE);
    hashed(Way.WHOLE);
    hashed(Way.UNCHANGED);
  }

  /// The change that nothing but reading everything sees.
  @Test
  void verifyingFindsWhatTheGuardsMiss() throws IOException {
    hashed(Way.WHOLE);
    String text = Files.readString(session);
    write(text.replace("the 5001th", "THE 5001th") + "more\n");
    BlobHash wrong = hasher.hash(session).hash();

    HashedSession verified = hasher.hashWhole(session);

    assertThat(wrong).as("the guards' limit").isNotEqualTo(hashOf(session));
    assertThat(verified.hash()).isEqualTo(hashOf(session));
    assertThat(verified.bytesRead()).isGreaterThanOrEqualTo(Files.size(session));
    Sessions.append(session, "and more\n");
    hashed(Way.GROWN);
  }

  // ---- states that are not used

  @Test
  void noDamagedStateIsTrusted() throws IOException {
    hashed(Way.WHOLE);
    byte[] good = Files.readAllBytes(state);
    for (int at = 0; at < good.length; at++) {
      byte[] bad = good.clone();
      bad[at] ^= 0x10;
      Files.write(state, bad);

      assertThat(hashed(Way.WHOLE).remarks()).as("byte %d", at).hasSize(1);
    }
    for (int size : new int[] {0, 1, 135, 140, 148, good.length - 1, good.length + 1, 5_000}) {
      Files.write(state, Arrays.copyOf(good, size));

      assertThat(hashed(Way.WHOLE).remarks()).as("%d bytes", size).hasSize(1);
    }
  }

  @Test
  void anotherSessionsStateIsNotUsed() throws IOException {
    Path other = new Sessions(folder).write("other", "", 5_000);
    hasher.hash(other);
    Files.copy(folder.resolve("other.jsonl.blake3state"), state);

    assertThat(hashed(Way.WHOLE).remarks()).hasSize(1);
  }

  @Test
  void aLaterVersionAndTheOtherByteOrderAreNamed() throws IOException {
    hashed(Way.WHOLE);
    byte[] good = Files.readAllBytes(state);
    byte[] later = good.clone();
    later[4] = 3;
    Files.write(state, sealed(later));
    assertThat(hashed(Way.WHOLE).remarks()).anyMatch(remark -> remark.contains("version 3"));

    byte[] former = good.clone();
    former[4] = 1;
    Files.write(state, sealed(former));
    assertThat(hashed(Way.WHOLE).remarks()).anyMatch(remark -> remark.contains("version 1"));
    hashed(Way.UNCHANGED);

    byte[] turned = good.clone();
    ByteBuffer.wrap(turned)
        .putInt(0, ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN).getInt());
    Files.write(state, turned);
    assertThat(hashed(Way.WHOLE).remarks()).anyMatch(remark -> remark.contains("byte order"));
  }

  private static byte[] sealed(byte[] state) {
    CRC32 crc = new CRC32();
    crc.update(state, 0, state.length - 4);
    ByteBuffer.wrap(state)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(state.length - 4, (int) crc.getValue());
    return state;
  }

  @Test
  void aStateThatCannotBeKeptIsARemark() throws IOException {
    Files.createDirectories(state.resolve("in the way"));

    assertThat(hashed(Way.WHOLE).remarks()).anyMatch(remark -> remark.contains("not kept"));
  }

  @Test
  @Timeout(60)
  void aPipeInTheStatesPlaceIsNotWaitedFor() throws Exception {
    pipe(state);

    assertThat(hashed(Way.WHOLE).remarks())
        .anyMatch(remark -> remark.contains("not used") && remark.contains("a pipe"))
        .anyMatch(remark -> remark.contains("not kept"));
    assertThat(hasher.glance(session)).isEmpty();
    assertThat(Files.readAttributes(state, BasicFileAttributes.class).isOther()).isTrue();
  }

  @Test
  @Timeout(60)
  void aPipeInASessionsPlaceIsRefused() throws Exception {
    Path pipe = folder.resolve("pipe.jsonl");
    pipe(pipe);

    assertThatThrownBy(() -> hasher.hash(pipe)).isInstanceOf(StoreException.Io.class);
  }

  private static void pipe(Path place) throws IOException, InterruptedException {
    Process made = new ProcessBuilder("mkfifo", place.toString()).start();
    assertThat(made.waitFor()).isZero();
  }

  @Test
  void aLinkInTheStatesPlaceIsNotFollowed() throws IOException {
    Path victim = Files.writeString(folder.resolve("victim"), "mine");
    Files.createSymbolicLink(state, victim);

    hashed(Way.WHOLE);

    assertThat(victim).hasContent("mine");
    assertThat(state).isRegularFile();
  }

  @Test
  void statesCanBeKeptElsewhereOrNotAtAll() throws IOException {
    Path states = folder.resolve("a/states");
    SessionHasher elsewhere = new SessionHasher(new HashStates.In(states), Sessions.LATER);
    SessionHasher nowhere = new SessionHasher(new HashStates.None(), Sessions.LATER);

    nowhere.hash(session);
    assertThat(state).doesNotExist();
    elsewhere.hash(session);
    assertThat(state).doesNotExist();
    assertThat(states).isNotEmptyDirectory();
    assertThat(elsewhere.hash(session).way()).isEqualTo(Way.UNCHANGED);
    assertThat(nowhere.hash(session).way()).isEqualTo(Way.WHOLE);
  }

  // ---- small things

  @Test
  void aGlanceReadsNothingOfTheSession() throws IOException {
    assertThat(hasher.glance(session)).isEmpty();
    hashed(Way.WHOLE);
    assertThat(hasher.glance(session)).contains(hashOf(session));
    Sessions.append(session, "more\n");
    assertThat(hasher.glance(session)).isEmpty();
  }

  @Test
  void aTimeThatMayStillBeWrittenAgainIsNotBelieved() throws IOException {
    Instant written = Files.getLastModifiedTime(session).toInstant();
    new SessionHasher(new HashStates.Beside(), InstantSource.fixed(written.plusMillis(500)))
        .hash(session);

    assertThat(hasher.glance(session)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100})
  void aSmallSessionIsReadWhole(int entries) throws IOException {
    session = new Sessions(folder).write("small", "", entries);
    hashed(Way.WHOLE);
    hashed(Way.WHOLE);
    Files.write(session, new byte[0]);
    assertThat(hashed(Way.WHOLE).endsLine()).isFalse();
  }

  @Test
  void anUnfinishedLineIsTold() throws IOException {
    assertThat(hashed(Way.WHOLE).endsLine()).isTrue();
    Sessions.append(session, "{\"type\":\"mess");
    assertThat(hashed(Way.GROWN).endsLine()).isFalse();
  }

  @Test
  void whatIsNoFileIsRefused() {
    assertThatThrownBy(() -> hasher.hash(folder)).isInstanceOf(StoreException.Io.class);
    assertThatThrownBy(() -> hasher.hash(folder.resolve("none")))
        .isInstanceOf(StoreException.Io.class);
  }
}
