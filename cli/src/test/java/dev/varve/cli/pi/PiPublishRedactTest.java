// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PiPublishRedactTest {

  /// Opens nothing; put together so that no scanner takes this file for a leak.
  private static final String KEY = "AKIA" + "YVP4CIPPERUVIFXG";

  @TempDir Path folder;

  private Path session(String name, String parent) throws IOException {
    String fork = parent.isEmpty() ? "" : ",\"parentSession\":\"" + parent + "\"";
    return Files.writeString(
        folder.toRealPath().resolve(name + ".jsonl"),
        "{\"type\":\"session\",\"version\":3,\"id\":\""
            + name
            + "\",\"cwd\":\"/src\""
            + fork
            + "}\n"
            + "{\"type\":\"custom\",\"customType\":\"x\",\"data\":\""
            + KEY
            + "\",\"id\":\"a\",\"parentId\":null}\n");
  }

  private Call.Result varve(String... args) {
    return Call.varve(folder.resolve("s"), args);
  }

  private static String field(String line, String name) {
    Matcher field = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(line);
    assertThat(field.find()).as("%s in %s", name, line).isTrue();
    return field.group(1);
  }

  @Test
  void aForkIsPublishedWithoutCredentialsAndSoIsItsParent() throws IOException {
    Path root = session("root", "");
    Path fork = session("fork", root.toString());
    byte[] before = Files.readAllBytes(fork);

    Call.Result published = varve("pi", "publish", fork.toString(), "--redact", "--json");

    assertThat(published.status()).as(published.err()).isZero();
    assertThat(published.out()).contains("\"chain\":2").contains("\"problems\":[]");
    String source = varve("cat", field(published.out(), "src_hash")).out();
    assertThat(source)
        .contains("[redacted aws-access-token 1]")
        .contains("\"redactedFrom\":\"")
        .contains("\"parentSession\":\"" + folder.resolve("s/pi/redacted").toRealPath());
    assertThat(files())
        .as("the key is in the originals alone")
        .containsExactlyInAnyOrder(root, fork);
    assertThat(fork).hasBinaryContent(before);
    assertThat(varve("pi", "publish", fork.toString(), "--redact", "--json").out())
        .as("the same again")
        .contains(field(published.out(), "branch_hash"));
  }

  /// The files in which the key can be read.
  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder.toRealPath())) {
      return all.filter(Files::isRegularFile).filter(PiPublishRedactTest::tells).toList();
    }
  }

  private static boolean tells(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(KEY);
    } catch (IOException e) {
      throw new AssertionError(file.toString(), e);
    }
  }

  @Test
  void aForkWhoseParentIsNotHereNamesNone() throws IOException {
    Path fork = session("fork", "/nowhere/root.jsonl");

    Call.Result published = varve("pi", "publish", fork.toString(), "--redact", "--json");

    assertThat(published.err()).contains("the copy names none");
    assertThat(varve("cat", field(published.out(), "src_hash")).out())
        .contains("\"parentSession\":null");
    assertThat(published.out()).contains("\"parent_hash\":null");
  }

  @Test
  void whatIsExcusedIsPublishedAsItIs() throws IOException {
    Path root = session("root", "");
    Path list = Files.writeString(folder.resolve("list"), "value " + KEY + "\n");

    Call.Result published =
        varve("pi", "publish", root.toString(), "--redact", "--allow", list.toString(), "--json");

    assertThat(varve("cat", field(published.out(), "src_hash")).out()).contains(KEY);
  }
}
