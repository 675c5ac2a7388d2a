// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.ServiceProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A session that is too large to be read back unasked, and copies of it that were damaged after
/// they were made: `--verify` reads each, and sends the good bytes again.
final class DamagedCopiesTest {

  private static final int SESSION_BYTES = 17 << 20;

  @TempDir static Path folder;
  private static Path session;

  @BeforeAll
  static void writeSession() throws IOException {
    session = folder.toRealPath().resolve("session.jsonl");
    StringBuilder lines = new StringBuilder();
    lines.append(
        "{\"type\":\"session\",\"version\":3,\"id\":\"aaaa-1\","
            + "\"timestamp\":\"2026-01-05T09:00:00.000Z\",\"cwd\":\"/src/shop\"}\n");
    SplittableRandom random = new SplittableRandom(1);
    byte[] words = new byte[20_000];
    for (int i = 0; lines.length() < SESSION_BYTES; i++) {
      random.nextBytes(words);
      lines
          .append("{\"type\":\"message\",\"id\":\"m")
          .append(i)
          .append("\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"")
          .append(HexFormat.of().formatHex(words))
          .append("\"}}\n");
    }
    Files.writeString(session, lines);
  }

  private static String done(String store, String... arguments) {
    Call.Result result =
        new Call()
            .with("PI_CODING_AGENT_DIR", folder.resolve("agent").toString())
            .on(folder.resolve(store), arguments);
    assertThat(result.status()).as(result.err()).isZero();
    return result.out();
  }

  private static String pushed(String target) {
    return done("s", "pi", "push", "--verify", "--json", session.toString(), "--to", target);
  }

  /// Changes one bit in the middle of a file.
  private static void spoil(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      long middle = channel.size() / 2;
      channel.read(one, middle);
      channel.write(ByteBuffer.wrap(new byte[] {(byte) (one.get(0) ^ 4)}), middle);
    }
  }

  @Test
  void aFolder() throws IOException {
    Path stick = folder.resolve("stick");
    pushed(stick.toString());
    try (var blobs = Files.list(stick.resolve("v1/blobs"))) {
      for (Path blob : blobs.toList()) {
        spoil(blob);
      }
    }

    assertThat(pushed(stick.toString())).contains("\"blobs_sent\":2");
    assertThat(pushed(stick.toString())).contains("\"blobs_sent\":0");
    assertThat(done("s", "pi", "verify", stick.toString())).contains("no problems");
  }

  @Test
  void aStore() throws IOException {
    String other = folder.resolve("other").toString();
    done("other", "put", session.toString());
    pushed(other);
    spoil(folder.resolve("other/blobs.pack"));

    assertThat(pushed(other)).contains("\"blobs_sent\":1");
    assertThat(pushed(other)).contains("\"blobs_sent\":0");
    assertThat(done("other", "check")).contains("no problems");
  }

  @Test
  void aService() throws Exception {
    Path served = folder.resolve("served");
    Path talk = folder.resolve("talk");
    Process server = ServiceProcess.startReady(served, talk);
    try {
      String address = Files.readString(served.resolve("service.http")).strip();
      pushed(address);
      spoil(served.resolve("blobs.pack"));

      assertThat(pushed(address)).contains("\"blobs_sent\":1");
      assertThat(pushed(address)).contains("\"blobs_sent\":0");
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  @Test
  void aPublication() throws IOException {
    done("p", "pi", "publish", session.toString());
    spoil(folder.resolve("p/blobs.pack"));

    done("p", "pi", "publish", "--verify", session.toString());

    assertThat(done("p", "check")).contains("no problems");
  }
}
