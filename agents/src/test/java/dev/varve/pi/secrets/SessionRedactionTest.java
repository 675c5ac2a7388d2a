// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.pi.store.SessionText;
import dev.varve.secrets.AllowList;
import dev.varve.secrets.RuleSet;
import dev.varve.secrets.Samples;
import dev.varve.secrets.ScanReport;
import dev.varve.secrets.SecretFinding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionRedactionTest {

  private static final RuleSet RULES = RuleSet.builtIn();

  @TempDir Path folder;

  private static String custom(String id, String data) {
    return "{\"type\":\"custom\",\"customType\":\"x\",\"data\":%s,\"id\":\"%s\",\"parentId\":null}"
        .formatted(data, id);
  }

  private List<SecretFinding> scan(Path file) {
    List<SecretFinding> findings = new ArrayList<>();
    SessionScan.of(file, RULES, AllowList.EMPTY, findings::add, _ -> {});
    return findings;
  }

  private Path redacted(Path file) throws IOException {
    Path copy = folder.resolve("clean.jsonl");
    Files.deleteIfExists(copy);
    SessionRedaction.write(file, copy, RULES, AllowList.EMPTY, _ -> {});
    assertThat(scan(copy)).isEmpty();
    return copy;
  }

  private Path written(SessionText text) throws IOException {
    return text.write(folder.resolve("s.jsonl"));
  }

  @Test
  void aFindingNamesThePlaceAndNeverTheCredential() throws IOException {
    Path file =
        written(
            SessionText.headed()
                .user("a", null, "my key is " + Samples.AWS)
                .line(custom("b", "{\"list\":[{\"apiKey\":\"" + Samples.GENERIC + "\"}]}")));

    List<SecretFinding> found = scan(file);

    assertThat(found).hasSize(2);
    assertThat(found.getFirst().rule()).isEqualTo("aws-access-token");
    assertThat(found.getFirst().pointer()).isEqualTo("/message/content/0/text");
    assertThat(found.getFirst().entry()).isEqualTo("a");
    assertThat(found.getLast().line()).isEqualTo(3);
    assertThat(found.getLast().pointer()).isEqualTo("/data/list/0/apiKey");
    assertThat(found.getLast().place())
        .isEqualTo(SessionText.SESSION + ":b:/data/list/0/apiKey:generic-api-key");
    for (SecretFinding finding : found) {
      assertThat(finding.toString())
          .doesNotContain(Samples.AWS.substring(0, 6))
          .doesNotContain(Samples.GENERIC.substring(0, 6));
    }
  }

  @Test
  void escapesHideNothing() throws IOException {
    String escaped = "\\u0041KIA" + Samples.AWS.substring(4);
    Path file =
        written(
            SessionText.headed()
                .user("a", null, "say \\\"" + escaped + "\\\"")
                .line(custom("b", "{\"" + Samples.GITHUB + "\":1}"))
                .line(custom("c", "\"{\\\"password\\\":\\\"" + Samples.PASSWORD + "\\\"}\"")));

    assertThat(scan(file)).hasSize(3);
    String clean = Files.readString(redacted(file));
    assertThat(clean)
        .contains("say \\\"[redacted aws-access-token 1]\\\"")
        .contains("{\"[redacted github-pat 2]\":1}")
        .contains("\\\"password\\\":\\\"[redacted generic-api-key 3]\\\"");
  }

  @Test
  void onlyTheStringsWithCredentialsChange() throws IOException {
    SessionText text =
        SessionText.headed()
            .user("a", null, "plain \\u00e9 \\/ and 0.000039999999999999996")
            .line(
                custom(
                    "b",
                    "{\"n\":0.000039999999999999996,\"key\":\"" + Samples.AWS + "\",\"z\":[ ]}"))
            .user("c", "b", "on");
    Path copy = redacted(written(text));

    List<String> lines = Files.readAllLines(copy);
    assertThat(lines.get(1)).isEqualTo(text.lines().get(1));
    assertThat(lines.get(2))
        .isEqualTo(text.lines().get(2).replace(Samples.AWS, "[redacted aws-access-token 1]"));
    assertThat(lines.get(3)).isEqualTo(text.lines().get(3));
  }

  @Test
  void theCopyNamesItsOriginalByHash() throws IOException {
    Path file = written(SessionText.headed().user("a", null, Samples.AWS));

    String header = Files.readAllLines(redacted(file)).getFirst();

    assertThat(header)
        .startsWith(SessionText.headed().lines().getFirst().replaceFirst("}$", ""))
        .endsWith(",\"redactedFrom\":\"" + Blake3.hash(Files.readAllBytes(file)) + "\"}");
  }

  @Test
  void theCopyOfAForkNamesTheParentThatItIsTold() throws IOException {
    Path file =
        written(
            new SessionText()
                .line(
                    "{\"type\":\"session\",\"id\":\"f\",\"cwd\":\"/\",\"parentSession\":\"/a/p.jsonl\"}")
                .user("a", null, "x"));
    Path one = folder.resolve("one");
    Path two = folder.resolve("two");

    SessionRedaction.write(
        file,
        one,
        new SessionRedaction.Parent.In(Path.of("/b/\"q\"")),
        RULES,
        AllowList.EMPTY,
        _ -> {});
    SessionRedaction.write(
        file, two, new SessionRedaction.Parent.None(), RULES, AllowList.EMPTY, _ -> {});

    assertThat(Files.readString(one)).contains("\"parentSession\":\"/b/\\\"q\\\"\",\"redactedFrom");
    assertThat(Files.readString(two)).contains("\"parentSession\":null,\"redactedFrom");
    assertThat(Files.readString(redacted(file))).contains("\"parentSession\":\"/a/p.jsonl\"");
  }

  @Test
  void whatWasFoundOnceIsReplacedEverywhere() throws IOException {
    Path file =
        written(
            SessionText.headed()
                .user("a", null, "it answered " + Samples.GENERIC + " to me")
                .line(custom("b", "{\"apiKey\":\"" + Samples.GENERIC + "\"}")));

    assertThat(scan(file)).as("the first is not called anything").hasSize(1);
    assertThat(Files.readString(redacted(file)))
        .doesNotContain(Samples.GENERIC)
        .contains("it answered [redacted generic-api-key 1] to me");
  }

  @Test
  void idsAreKeptWhateverTheyLookLike() throws IOException {
    String id = Samples.AWS;
    SessionText text =
        SessionText.headed()
            .line(
                ("{\"type\":\"message\",\"id\":\"%s\",\"parentId\":null,\"message\":{\"role\":"
                        + "\"toolResult\",\"toolCallId\":\"%s\",\"content\":[]}}")
                    .formatted(id, Samples.GITHUB))
            .user("b", id, "on");

    assertThat(Files.readAllLines(redacted(written(text))).subList(1, 3))
        .isEqualTo(text.lines().subList(1, 3));
  }

  @Test
  void tornLinesAreLeftOutAndWrongBytesBecomeWhatPiReads() throws IOException {
    byte[] bytes =
        SessionText.headed()
            .user("a", null, "x@ " + Samples.AWS)
            .line("{\"torn\":\"" + Samples.GITHUB)
            .bytes();
    bytes[new String(bytes, StandardCharsets.ISO_8859_1).indexOf('@')] = (byte) 0xFF;
    Path file = Files.write(folder.resolve("s.jsonl"), bytes);
    Path copy = folder.resolve("clean.jsonl");

    assertThat(scan(file)).hasSize(2);
    RedactionReport report = SessionRedaction.write(file, copy, RULES, AllowList.EMPTY, _ -> {});

    assertThat(report.leftOutBytes()).isEqualTo(9 + Samples.GITHUB.length());
    assertThat(Files.readString(copy)).contains("x\uFFFD [redacted aws").doesNotContain("torn");
    assertThat(report.hash()).isEqualTo(Blake3.hash(Files.readAllBytes(copy)));
  }

  @Test
  void imagesAreKeptAndCounted() throws IOException {
    String image = "iVBORw0KGgo".repeat(2000);
    Path file = written(SessionText.headed().line(custom("a", "{\"data\":\"" + image + "\"}")));

    Path copy = folder.resolve("clean.jsonl");
    RedactionReport report = SessionRedaction.write(file, copy, RULES, AllowList.EMPTY, _ -> {});

    assertThat(report.scan().binaryStrings()).isEqualTo(1);
    assertThat(report.scan().binaryBytes()).isEqualTo(image.length());
    assertThat(Files.readString(copy)).contains(image);
  }

  @Test
  void whatAnAllowListExcusesIsKept() throws IOException {
    Path file =
        written(
            SessionText.headed()
                .user("a", null, Samples.AWS + " " + Samples.GITHUB)
                .user("b", "a", Samples.SLACK)
                .user("c", "b", "password='" + Samples.PASSWORD + "'"));
    Path list =
        Files.writeString(
            folder.resolve("allow"),
            "# no secrets\nrule slack-bot-token\nvalue "
                + Samples.AWS
                + "\npattern ^ghp_16C7\n\nplace "
                + SessionText.SESSION
                + ":c:/message/content/0/text:generic-api-key\n");
    AllowList allowed = AllowList.of(list);
    List<SecretFinding> found = new ArrayList<>();

    ScanReport report = SessionScan.of(file, RULES, allowed, found::add, _ -> {});

    assertThat(found).isEmpty();
    assertThat(report.allowed()).isEqualTo(4);
    SessionRedaction.write(file, folder.resolve("clean.jsonl"), RULES, allowed, _ -> {});
    assertThat(Files.readString(folder.resolve("clean.jsonl"))).contains(Samples.AWS);
    Files.writeString(list, "whatever it is\n");
    assertThatThrownBy(() -> AllowList.of(list))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("allow:1");
  }

  @Test
  void nothingInASessionExcusesItself() throws IOException {
    Path file = written(SessionText.headed().user("a", null, Samples.AWS + " // gitleaks:allow"));

    assertThat(scan(file)).hasSize(1);
  }

  @Test
  void whatIsNoSessionOrWouldOverwriteIsRefusedAndLeavesNothing() throws IOException {
    Path notes = Files.writeString(folder.resolve("notes"), "mine\n");
    Path file = written(SessionText.headed().user("a", null, Samples.AWS));

    assertThatThrownBy(
            () ->
                SessionRedaction.write(notes, folder.resolve("x"), RULES, AllowList.EMPTY, _ -> {}))
        .isInstanceOf(StoreException.Invalid.class);
    assertThatThrownBy(() -> SessionRedaction.write(file, notes, RULES, AllowList.EMPTY, _ -> {}))
        .isInstanceOf(StoreException.Conflict.class);
    assertThat(notes).hasContent("mine");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(2);
    }
  }
}
