// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A copy that cannot be read is no success; what leaves the computer is looked through first; what
/// came back longer continues the file that it began with.
final class PiExchangeTrustTest {

  private static final String HEADER =
      """
      {"type":"session","version":3,"id":"aaaa-1","timestamp":"2026-01-05T09:00:00.000Z",\
      "cwd":"/src/shop"}
      """;

  @TempDir Path folder;

  private Path session;

  @BeforeEach
  void writeSession() throws IOException {
    session = folder.toRealPath().resolve("session.jsonl");
    Files.writeString(session, HEADER + message("a", "hello"));
  }

  private static String message(String id, String text) {
    return """
    {"type":"message","id":"%s","parentId":null,\
    "message":{"role":"user","content":[{"type":"text","text":"%s"}]}}
    """
        .formatted(id, text);
  }

  private Call.Result on(String store, String... arguments) {
    return new Call()
        .with("PI_CODING_AGENT_DIR", folder.resolve("agent").toString())
        .on(folder.resolve(store), arguments);
  }

  private String done(String store, String... arguments) {
    Call.Result result = on(store, arguments);
    assertThat(result.status()).as(result.err()).isZero();
    return result.out();
  }

  private String stick() {
    return folder.resolve("stick").toString();
  }

  private List<Path> blobs() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("stick/v1/blobs"))) {
      return files.sorted().toList();
    }
  }

  @Test
  void aFolderThatWasPushedToIsVerified() throws IOException {
    done("s", "pi", "push", session.toString(), "--to", stick());

    assertThat(done("s", "pi", "verify", stick()))
        .contains("1 branch, 2 blobs")
        .contains("no problems");
    Files.write(blobs().getFirst(), new byte[0]);
    Call.Result damaged = on("s", "pi", "verify", stick());
    assertThat(damaged.status()).isEqualTo(3);
    assertThat(damaged.out()).contains(blobs().getFirst().getFileName().toString());
    done("s", "pi", "push", session.toString(), "--to", stick());
    assertThat(done("s", "pi", "verify", stick())).contains("no problems");
    Files.writeString(folder.resolve("stick/v1/blobs/notes"), "x");
    assertThat(on("s", "pi", "verify", stick()).out()).contains("does not belong");
    assertThat(on("s", "pi", "verify", folder.resolve("agent").toString()).status()).isEqualTo(1);
  }

  @Test
  void aSessionThatIsMissingFromAFolderIsAProblem() throws IOException {
    done("s", "pi", "push", session.toString(), "--to", stick());
    String branch = done("s", "pi", "publish", session.toString()).strip();
    for (Path blob : blobs()) {
      if (!blob.endsWith(branch)) {
        Files.delete(blob);
      }
    }

    Call.Result found = on("s", "pi", "verify", stick());

    assertThat(found.status()).isEqualTo(3);
    assertThat(found.out()).contains("branch " + branch + ": its session");
  }

  @Test
  void aStoreThatCannotReadItsCopyIsSentItAgain() throws IOException {
    StringBuilder text = new StringBuilder();
    SplittableRandom random = new SplittableRandom(1);
    while (text.length() < 50_000) {
      text.append((char) random.nextInt('a', 'z' + 1));
    }
    Files.writeString(session, HEADER + message("a", text.toString()));
    String other = folder.resolve("other").toString();
    done("other", "put", session.toString());
    done("s", "pi", "push", session.toString(), "--to", other);
    Path pack = folder.resolve("other/blobs.pack");
    byte[] bytes = Files.readAllBytes(pack);
    bytes[5_000] ^= 1; // in the stored bytes of the first record, the session
    Files.write(pack, bytes);

    String again = done("s", "pi", "push", "--json", session.toString(), "--to", other);

    assertThat(again).contains("\"blobs_sent\":1");
    assertThat(done("s", "pi", "push", "--json", session.toString(), "--to", other))
        .contains("\"blobs_sent\":0");
    assertThat(done("other", "check")).contains("no problems");
  }

  @Test
  void aPushReadsBackWhatItIsTold() {
    done("s", "pi", "push", "--verify", session.toString(), "--to", stick());

    assertThat(done("s", "pi", "push", "--verify", "--json", session.toString(), "--to", stick()))
        .contains("\"blobs_sent\":0");
  }

  @Test
  void aCredentialDoesNotLeaveWithoutAWord() throws IOException {
    String token = "ghp_" + "x8Rk2LmQ9vTz4BnW7cJd1FhS6gYp3KaE5uVo".substring(0, 36);
    Files.writeString(session, HEADER + message("a", "my token is " + token));

    Call.Result refused = on("s", "pi", "push", session.toString(), "--to", stick());

    assertThat(refused.status()).isEqualTo(3);
    assertThat(refused.err())
        .contains("1 likely credential: github-pat (1); nothing was sent")
        .doesNotContain(token);
    assertThat(folder.resolve("stick")).doesNotExist();
    Call.Result bundled =
        on("s", "pi", "bundle", session.toString(), "-o", folder.resolve("b").toString());
    assertThat(bundled.status()).isEqualTo(3);
    assertThat(folder.resolve("b")).doesNotExist();
    Call.Result sent =
        on("s", "pi", "push", "--allow-secrets", session.toString(), "--to", stick());
    assertThat(sent.status()).isZero();
    assertThat(sent.err()).contains("1 likely credential: github-pat (1)");
    try (Stream<Path> left = Files.list(folder.resolve("s/pi/outgoing"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void whatWasContinuedElsewhereContinuesTheFile() throws IOException {
    String begun = Files.readString(session);
    Path longer = Files.writeString(folder.resolve("longer.jsonl"), begun + message("b", "more"));
    String branch = done("s", "pi", "publish", longer.toString()).strip();

    Call.Result refused = on("s", "pi", "get", branch, "-o", session.toString());
    assertThat(refused.status()).isNotZero();
    assertThat(refused.err()).contains("--update");
    assertThat(session).hasContent(begun);

    done("s", "pi", "get", "--update", branch, "-o", session.toString());
    assertThat(session).hasSameBinaryContentAs(longer);
    Files.writeString(session, message("c", "mine"), StandardOpenOption.APPEND);
    assertThat(on("s", "pi", "get", "--update", branch, "-o", session.toString()).status())
        .as("a later version")
        .isNotZero();
    Files.writeString(session, begun.replace("hello", "HELLO"));
    assertThat(on("s", "pi", "get", "--update", branch, "-o", session.toString()).status())
        .as("another file")
        .isNotZero();
    assertThat(session).hasContent(begun.replace("hello", "HELLO"));
  }

  @Test
  @Timeout(120)
  void noCommandWaitsForAPipe() throws Exception {
    Path pipe = folder.resolve("pipe.jsonl");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    for (List<String> command :
        List.of(
            List.of("pi", "publish", pipe.toString()),
            List.of("pi", "push", pipe.toString(), "--to", stick()),
            List.of("pi", "scan", pipe.toString()),
            List.of("pi", "doctor", pipe.toString()),
            List.of("pi", "tree", pipe.toString()),
            List.of("pi", "redact", pipe.toString(), "-o", folder.resolve("r").toString()),
            List.of("pi", "verify", pipe.toString()),
            List.of("import", "pi", "--publish", pipe.toString()))) {
      assertThat(on("s", command.toArray(String[]::new)).status()).as("%s", command).isNotZero();
    }
  }
}
