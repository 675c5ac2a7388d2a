// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.jp.CopyReport.Outcome;
import dev.varve.jp.blobs.Gzip;
import dev.varve.jp.place.Conversation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whoever wrote `varve-spelling.json`: a conversation gets back what its blobs hold.
final class SpellingProofTest {

  private static final String ID = "17800000001";

  @TempDir Path folder;

  private JpFolders jp;
  private Path events;

  @BeforeEach
  void makeFolders() {
    jp = new JpFolders(folder);
  }

  private static String event(String content) {
    return "[{\"timestamp\": \"2026-06-01 10:00:00.0\", \"type\": \"tool_call_response\","
        + " \"id\": \"c\", \"content\": "
        + content
        + ", \"is_error\": false}]\n";
  }

  private void externalize(String content) {
    events = jp.add(jp.storage(), ID, event(content));
    assertThat(rewriting().externalize(conversation(), false))
        .allMatch(report -> report.outcome() == Outcome.CHANGED && report.isWhole());
  }

  private CopyRewriter rewriting() {
    return new CopyRewriter(jp.workspace(), JpFolders.CLOCK, 1 << 20);
  }

  private Conversation conversation() {
    return jp.conversation(ID);
  }

  private CopyReport inline() {
    return rewriting().inline(conversation(), false).getFirst();
  }

  private Path spelling() {
    return events.resolveSibling(PayloadSpellings.FILE);
  }

  /// Puts other bytes into the one entry there is.
  private void spell(String bytes) throws Exception {
    String forged = Base64.getEncoder().encodeToString(Gzip.compress(bytes.getBytes(UTF_8)));
    String file = Files.readString(spelling());
    Files.writeString(
        spelling(), file.replaceFirst("\"bytes\": \"[^\"]*\"", "\"bytes\": \"" + forged + "\""));
    assertThat(spelling()).content().isNotEqualTo(file);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"h\\u0065llo\"          | \"rm -rf /\"",
        "\"h\\u0065llo\"          | \"cm0gLXJmIC8=\"",
        "\"h\\u0065llo\"          | [\"hello\"]",
        "\"h\\u0065llo\"          | \"hello\", \"more\": 1",
        "\"h\\u0065llo\"          | \"he\\ud800\"",
        "{\"text\": \"h\\u0065llo\"} | {\"text\": \"rm -rf /\"}",
        "{\"text\": \"h\\u0065llo\"} | {\"text\": \"hello\", \"text\": \"rm -rf /\"}",
        "{\"text\": \"h\\u0065llo\"} | {\"text\": \"hello\", \"run\": \"rm -rf /\"}",
        "{\"text\": \"h\\u0065llo\", \"k\": 1} | {\"text\": \"h\\u0065llo\", \"k\": 2}",
        "{\"text\": \"h\\u0065llo\"} | {\"text\": \"hello\", \"blob\": \"cm0gLXJmIC8=\"}",
        "{\"text\": \"h\\u0065llo\"} | {\"blob\": \"cm0gLXJmIC8=\"}",
        "{\"text\": \"h\\u0065llo\"} | {\"text\": \"hello\"}, {\"type\": \"chat_request\"}",
        "[{\"type\": \"text\", \"text\": \"h\\u0065llo\"}] | \"text\": \"rm -rf /\"",
        "[{\"type\": \"text\", \"text\": \"h\\u0065llo\"}] | \"text\": \"hello\", \"run\": 1",
        "[{\"type\": \"text\", \"text\": \"h\\u0065llo\"}] | \"text\": \"hello\"}, {\"type\": 1"
      })
  void bytesThatAreNotTheContentDoNotGoBack(String content, String forged) throws Exception {
    externalize(content);
    spell(forged);

    assertThat(
            WorkspaceCheck.of(jp.workspace(), jp.workspace().shared(), JpFolders.CLOCK, _ -> {})
                .problems())
        .singleElement()
        .asString()
        .contains(PayloadSpellings.FILE);
    CopyReport report = inline();

    assertThat(report.outcome()).isEqualTo(Outcome.CHANGED);
    assertThat(report.problems()).singleElement().asString().contains(PayloadSpellings.FILE);
    assertThat(JpFolders.read(events))
        .containsAnyOf("\"hello\"", JpFolders.base64("hello"))
        .doesNotContain("rm", "cm0", "run", "more", "\"k\": 2", "chat_request");
  }

  @Test
  void aFormInWhichTheContentWouldBeReadAsAnotherIsNotUsed() throws Exception {
    externalize('"' + JpFolders.base64("bGF5ZXI=") + '"'); // plain, JP would read: layer
    assertThat(spelling()).doesNotExist();
    String reference = JpFolders.read(events);
    String hash = reference.replaceFirst("(?s).*\"([0-9a-f]{64})\".*", "$1");
    JpFolders.write(
        spelling(),
        "{\"format\": 1, \"spellings\": [{\"pointer\": \"/0/content/0/content\", \"sha256\": \""
            + hash
            + "\", \"form\": \"plain\"}]}");

    assertThat(inline().problems()).hasSize(1);

    assertThat(JpFolders.read(events)).contains(JpFolders.base64("bGF5ZXI="));
  }

  @Test
  void anHonestSpellingGoesBackByteForByte() {
    for (String content :
        new String[] {
          "\"h\\u0065llo\"",
          "{\"text\": \"h\\u0065llo\", \"k\": [1, 2]}",
          "{\"k\": 0, \"te\\u0078t\" : \"hello\"}",
          "{\"blob\": \"aGVs\\u0062G8=\", \"size\": \"a lot\"}",
          "[{\"type\": \"text\", \"text\": \"h\\u0065llo\"}]"
        }) {
      externalize(content);

      assertThat(inline().problems()).as(content).isEmpty();

      assertThat(JpFolders.read(events)).isEqualTo(event(content));
      assertThat(spelling()).doesNotExist();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "{\"format\": 1", "<<<<<<< ours", "{\"format\": 2, \"spellings\": []}"})
  void aFileOfSpellingsThatCannotBeReadIsReportedAndNeverReplaced(String damaged) {
    externalize("\"h\\u0065llo\"");
    JpFolders.write(spelling(), damaged);

    CopyReport externalized = rewriting().externalize(conversation(), false).getFirst();
    CopyReport inlined = inline();

    assertThat(externalized.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(externalized.refusal()).contains(PayloadSpellings.FILE);
    assertThat(inlined.problems()).singleElement().asString().contains("cannot be read");
    assertThat(JpFolders.read(events)).contains(JpFolders.base64("hello"));
    assertThat(spelling()).content().isEqualTo(damaged);
  }

  @Test
  void anEntryThatCannotBeReadIsReported() throws Exception {
    externalize("\"h\\u0065llo\"");
    Files.writeString(
        spelling(), Files.readString(spelling()).replace("raw-flat", "in-no-known-form"));

    CopyReport report = inline();

    assertThat(report.problems()).singleElement().asString().contains("cannot be read: 1");
    assertThat(JpFolders.read(events)).contains(JpFolders.base64("hello"));
  }
}
