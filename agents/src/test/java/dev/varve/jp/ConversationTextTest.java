// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.ContentSink;
import dev.varve.jp.blobs.Sha256;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConversationTextTest {

  private static final String ID = "17800000001";

  @TempDir Path folder;

  private final StringBuilder out = new StringBuilder();
  private JpFolders jp;
  private int longestPiece;

  @BeforeEach
  void makeFolders() {
    jp = new JpFolders(folder);
  }

  private List<String> write(BlobContent.Source source, int linesMax) {
    return ConversationText.write(
        jp.conversation(ID).newest(),
        source,
        Integer.MAX_VALUE,
        linesMax,
        piece -> {
          out.append(piece);
          longestPiece = Math.max(longestPiece, piece.length());
        });
  }

  private WorkspaceContents contents() {
    return new WorkspaceContents(
        jp.workspace(), jp.workspace().shared(), JpFolders.CLOCK, BlobFolder.SIZE_BYTES_MAX);
  }

  private void result(String content) {
    jp.add(
        jp.storage(),
        ID,
        "[{\"timestamp\": \"x\", \"type\": \"tool_call_response\", \"content\": " + content + "}]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"type\": \"text\", \"content\": {\"$blob\": \"ABC\", \"size\": 1}}]",
        "[{\"type\": \"text\", \"content\": {\"$blob\": 7, \"size\": 1}}]",
        "[{\"type\": \"text\", \"content\": {\"text\": \"a\", \"blob\": \"YQ==\"}}]",
        "[{\"type\": \"text\", \"content\": {}}]",
        "[{\"type\": \"text\", \"content\": {\"blob\": \"no base64\"}}]",
        "[{\"type\": \"text\", \"text\": \"a\", \"text\": \"b\"}]",
        "[{\"type\": \"text\"}]",
        "[{\"type\": \"resource\"}]",
        "{\"text\": \"a\\ud800\"}",
        "\"a\\udc00b\"",
        "7",
        "null"
      })
  void aResultThatCannotBeShownIsNamedInItsPlace(String content) {
    result(content);

    List<String> problems = write(contents(), 10);

    assertThat(problems).singleElement().asString().startsWith("events.json:1:");
    assertThat(out.toString()).startsWith("## Tool result").containsPattern("\\n\\(.+\\)\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "chat_request | \"content\": \"lo\\ud800ne\"",
        "chat_request | \"content\": 7",
        "chat_request | \"other\": 7",
        "chat_response | \"message\": \"\\udfffx\"",
        "chat_response | \"reasoning\": \"x\\ud83c\"",
        "chat_response | \"other\": \"x\"",
        "inquiry_request | \"question\": {\"text\": null}"
      })
  void wordsThatCannotBeShownAreReported(String type, String member) {
    jp.add(jp.storage(), ID, "[{\"type\": \"" + type + "\", " + member + "}]");

    assertThat(write(contents(), 10)).hasSize(1);
    assertThat(out.toString()).containsPattern("\\n\\(.+\\)\n");
  }

  @Test
  void aBlockOfAnUnknownTypeIsNamed() {
    result("[{\"type\": \"video\", \"content\": 1}]");

    assertThat(write(contents(), 10)).isEmpty();
    assertThat(out.toString()).contains("(a block of the type 'video', not shown)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "null", "\"text\""})
  void whatIsNoArrayOfEventsIsRefused(String events) {
    jp.add(jp.storage(), ID, events);

    assertThatThrownBy(() -> write(contents(), 10))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("array of events");
  }

  @Test
  void wordsLoseOnlyTheWhiteSpaceAtTheirEnd() {
    String words = "a" + " ".repeat(3 * TextPieces.CHARS_MAX) + "b";
    jp.add(
        jp.storage(),
        ID,
        "[{\"type\": \"chat_request\", \"content\": \"" + words + "\\n \\t\\n\"}]");

    assertThat(write(contents(), 10)).isEmpty();
    assertThat(out.toString()).isEqualTo("## User  (no time)\n\n" + words + "\n\n");
  }

  @Test
  void theFirstLinesAreShownWhateverEndsThem() {
    result("\"one\\r\\ntwo\\rthree\\n\\n`` ```` five\"");

    write(contents(), 10);
    assertThat(out.toString()).endsWith("`````\none\ntwo\nthree\n\n`` ```` five\n`````\n\n");
    out.setLength(0);

    write(contents(), 2);
    assertThat(out.toString()).endsWith("`````\none\ntwo\n`````\n(3 more lines)\n\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, Integer.MAX_VALUE})
  void aLargePayloadPassesThroughInSmallPieces(int linesMax) {
    String line = "é line of text, \ud83c\udf0a and so on\n";
    String large = line.repeat(100_000);
    BlobFolder blobs = new BlobFolder(jp.storage().resolve("blobs"), JpFolders.CLOCK);
    byte[] bytes = large.getBytes(UTF_8);
    Sha256 hash = Sha256.of(bytes);
    blobs.put(Map.of(hash, bytes));
    result(
        "[{\"type\": \"text\", \"content\": {\"$blob\": \""
            + hash
            + "\", \"size\": "
            + bytes.length
            + "}}]");
    WorkspaceContents contents = contents();

    // Whoever asks for the whole content takes memory for it.
    List<String> problems =
        write(
            new BlobContent.Source() {
              @Override
              public byte[] get(Sha256 wanted, long sizeBytes) {
                throw new AssertionError("asked for " + sizeBytes + " bytes at once");
              }

              @Override
              public void stream(Sha256 wanted, long sizeBytes, ContentSink sink) {
                contents.stream(wanted, sizeBytes, sink);
              }
            },
            linesMax);

    assertThat(problems).isEmpty();
    assertThat(longestPiece).isLessThanOrEqualTo(TextPieces.CHARS_MAX + 1);
    String shown = line.repeat(Math.min(linesMax, 100_000));
    assertThat(out.toString().replaceFirst("(?s).*?```\n", ""))
        .isEqualTo(shown + "```\n" + (linesMax == 3 ? "(99997 more lines)\n" : "") + "\n");
  }

  @Test
  void aDamagedBlobIsNotShownNotEvenItsBeginning() throws Exception {
    BlobFolder blobs = new BlobFolder(jp.storage().resolve("blobs"), JpFolders.CLOCK);
    byte[] bytes = "secret beginning ".repeat(50_000).getBytes(UTF_8);
    Sha256 hash = Sha256.of(bytes);
    blobs.put(Map.of(hash, bytes));
    byte[] file = Files.readAllBytes(blobs.file(hash));
    file[file.length - 6] ^= 1;
    Files.write(blobs.file(hash), file);
    result(
        "[{\"type\": \"text\", \"content\": {\"$blob\": \""
            + hash
            + "\", \"size\": "
            + bytes.length
            + "}}]");

    assertThat(write(contents(), 10)).hasSize(1);
    assertThat(out.toString()).contains("cannot be read").doesNotContain("secret");
  }
}
