// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import static dev.varve.jp.JpFolders.events;
import static dev.varve.jp.JpFolders.read;
import static dev.varve.jp.JpFolders.snapshot;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.jp.CopyReport.Outcome;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.files.FileReplacement;
import dev.varve.jp.files.FileState;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.ConversationLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CopyRewriterTest {

  private static final String ID = "17800000001";

  @TempDir Path folder;

  private JpFolders jp;

  @BeforeEach
  void makeFolders() {
    jp = new JpFolders(folder);
  }

  private CopyRewriter rewriting() {
    return new CopyRewriter(jp.workspace(), JpFolders.CLOCK, BlobFolder.SIZE_BYTES_MAX);
  }

  private List<CopyReport> externalize() {
    return rewriting().externalize(jp.conversation(ID), false);
  }

  private List<CopyReport> inline() {
    return rewriting().inline(jp.conversation(ID), false);
  }

  private Path blob(Path root, String content) {
    return new BlobFolder(root.resolve("blobs"), JpFolders.CLOCK)
        .file(Sha256.of(content.getBytes(UTF_8)));
  }

  @Test
  void aConversationComesBackByteForByteWithItsTime() throws IOException {
    Path events = jp.add(jp.storage(), ID + "-a-title", events("one", "two", "one"));
    Files.setPosixFilePermissions(events, PosixFilePermissions.fromString("rw-r-----"));
    Map<String, String> before = snapshot(jp.storage().resolve("conversations"));

    CopyReport report = externalize().getFirst();

    assertThat(report.outcome()).isEqualTo(Outcome.CHANGED);
    assertThat(report.payloads().count()).isEqualTo(3);
    assertThat(report.blobs().added()).isEqualTo(2);
    assertThat(read(events)).doesNotContain(JpFolders.base64("one")).contains("$blob");
    assertThat(Files.getLastModifiedTime(events).toInstant())
        .isEqualTo(JpFolders.NOW.minusSeconds(3600));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(events)))
        .isEqualTo("rw-r-----");

    assertThat(inline().getFirst().payloads().count()).isEqualTo(3);
    assertThat(snapshot(jp.storage().resolve("conversations"))).isEqualTo(before);
    assertThat(jp.storage().resolve("locks")).doesNotExist();
  }

  @Test
  void theSecondTimeThereIsNothingToDo() {
    jp.add(jp.storage(), ID, events("one"));
    externalize();
    Map<String, String> before = snapshot(jp.storage());

    assertThat(externalize().getFirst().outcome()).isEqualTo(Outcome.UNCHANGED);

    assertThat(snapshot(jp.storage())).isEqualTo(before);
  }

  @Test
  void aDryRunWritesNothing() {
    jp.add(jp.storage(), ID, events("one"));
    Map<String, String> before = snapshot(folder);

    List<CopyReport> reports = rewriting().externalize(jp.conversation(ID), true);

    assertThat(reports.getFirst().payloads().count()).isEqualTo(1);
    assertThat(snapshot(folder)).isEqualTo(before);
  }

  @Test
  void bothCopiesOfAProjectedConversationHaveTheirOwnBlobs() throws IOException {
    Path shared = jp.add(jp.storage(), ID, events("one"));
    Path local = jp.add(jp.silo(), ID, events("one", "two"));

    assertThat(externalize()).extracting(report -> report.payloads().count()).containsExactly(1, 2);

    assertThat(blob(jp.storage(), "one")).exists();
    assertThat(blob(jp.storage(), "two")).doesNotExist();
    assertThat(blob(jp.silo(), "one")).exists();
    assertThat(blob(jp.silo(), "two")).exists();
    assertThat(Files.getLastModifiedTime(shared)).isEqualTo(Files.getLastModifiedTime(local));
  }

  @Test
  void editsByHandAreExternalizedOnTheNextRun() throws IOException {
    Path events = jp.add(jp.storage(), ID, events("failed"));
    externalize();
    String hash = Sha256.of("failed".getBytes(UTF_8)).hex();
    String edited = read(events).replace("\"$blob\": \"" + hash + "\"", "\"text\": \"fine\"");
    Files.writeString(events, edited);

    CopyReport report = externalize().getFirst();

    assertThat(report.payloads().count()).isEqualTo(1);
    assertThat(read(events)).contains(Sha256.of("fine".getBytes(UTF_8)).hex(), "\"size\": 4");
    inline();
    assertThat(read(events)).isEqualTo(edited);
  }

  @Test
  void aLockedConversationIsLeftAlone() {
    Path events = jp.add(jp.silo(), ID, events("one"));
    String before = read(events);
    Conversation conversation = jp.conversation(ID);

    try (ConversationLock _ =
        ConversationLock.tryLock(jp.workspace(), conversation.id()).orElseThrow()) {
      assertThat(externalize()).extracting(CopyReport::outcome).containsExactly(Outcome.LOCKED);
    }

    assertThat(read(events)).isEqualTo(before);
    assertThat(externalize()).extracting(CopyReport::outcome).containsExactly(Outcome.CHANGED);
  }

  @Test
  void whatIsNotJsonIsLeftAloneAndItsPlaceIsTold() {
    Path events = jp.add(jp.storage(), ID, events("one").replace("\n]", ",\n]"));
    String before = read(events);

    CopyReport report = externalize().getFirst();

    assertThat(report.outcome()).isEqualTo(Outcome.NOT_JSON);
    assertThat(report.refusal()).startsWith("18:1: ").contains("comma");
    assertThat(read(events)).isEqualTo(before);
    assertThat(jp.storage().resolve("blobs")).doesNotExist();
  }

  @Test
  void anEventsFileThatIsALinkIsLeftAlone() throws IOException {
    Path events = jp.add(jp.storage(), ID, events("one"));
    Path outside = folder.resolve("outside.json");
    Files.move(events, outside);
    Files.createSymbolicLink(events, outside);
    String before = read(outside);

    CopyReport report = externalize().getFirst();

    assertThat(report.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.refusal()).contains("a symbolic link");
    assertThat(read(outside)).isEqualTo(before);
  }

  @Test
  void aBlobThatOneRootLacksIsTakenFromTheOther() throws IOException {
    Path shared = jp.add(jp.storage(), ID, events("one"));
    jp.add(jp.silo(), ID, events("one"));
    String before = read(shared);
    externalize();
    Files.delete(blob(jp.storage(), "one"));

    assertThat(inline()).allMatch(CopyReport::isWhole);

    assertThat(read(shared)).isEqualTo(before);
  }

  @Test
  void aMissingBlobLeavesItsReferenceAndIsTold() throws IOException {
    Path events = jp.add(jp.storage(), ID, events("one", "two"));
    String before = read(events);
    externalize();
    Path blob = blob(jp.storage(), "two");
    byte[] bytes = Files.readAllBytes(blob);
    Files.delete(blob);

    CopyReport report = inline().getFirst();

    assertThat(report.payloads().count()).isEqualTo(1);
    assertThat(report.problems()).hasSize(1);
    assertThat(report.problems().getFirst().what()).contains("not found");
    Files.write(blob, bytes);
    assertThat(inline().getFirst().isWhole()).isTrue();
    assertThat(read(events)).isEqualTo(before);
  }

  @Test
  void aFileThatWasWrittenMeanwhileIsNotReplaced() throws IOException {
    Path events = jp.add(jp.storage(), ID, events("one"));
    byte[] before = Files.readAllBytes(events);
    FileState state = FileState.of(events).orElseThrow();
    Files.writeString(events, events("one", "more"));

    assertThatThrownBy(() -> FileReplacement.put(events, before, state, "[]".getBytes(UTF_8)))
        .isInstanceOf(StoreException.Conflict.class);

    assertThat(read(events)).isEqualTo(events("one", "more"));
    assertThat(events.getParent()).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void spellingsThatAKilledInliningLeftAreRemovedByTheNext() throws IOException {
    String bare =
        "[{\"timestamp\":\"x\",\"type\":\"chat_request\",\"resources\":[{\"uri\":\"a\",\"text\":\"t\"}]}]\n";
    Path events = jp.add(jp.storage(), ID, bare);
    Map<String, String> before = snapshot(jp.storage().resolve("conversations"));
    externalize();
    Path spelling = events.resolveSibling("varve-spelling.json");
    byte[] left = Files.readAllBytes(spelling);
    inline();
    Files.write(spelling, left); // as if the process had been killed behind the conversation's file

    assertThat(inline().getFirst().outcome()).isEqualTo(Outcome.UNCHANGED);

    assertThat(snapshot(jp.storage().resolve("conversations"))).isEqualTo(before);
  }

  @Test
  void aDamagedNoteOfSpellingsCostsOnlyTheSpelling() throws IOException {
    String bare =
        "[{\"timestamp\":\"x\",\"type\":\"chat_request\",\"resources\":[{\"uri\":\"a\",\"text\":\"t\"}]}]\n";
    Path events = jp.add(jp.storage(), ID, bare);
    externalize();
    Path spelling = events.resolveSibling("varve-spelling.json");
    assertThat(spelling).exists();
    Files.writeString(spelling, "{");

    inline();

    assertThat(read(events)).contains("\"content\":{\"text\":\"t\"}");
  }
}
