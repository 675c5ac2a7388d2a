// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;

/// Small sessions in a folder, and what hashes them.
public record Sessions(Path folder) {

  /// Long after every file of a test was written.
  static final InstantSource LATER = InstantSource.fixed(Instant.parse("2999-01-01T00:00:00Z"));

  /// A session that was forked from `parent`, or from none if that is empty.
  public Path write(String name, String parent, int entries) throws IOException {
    StringBuilder text = new StringBuilder(header(name, parent)).append('\n');
    for (int i = 0; i < entries; i++) {
      text.append(entry(i)).append('\n');
    }
    return Files.writeString(folder.resolve(name + ".jsonl"), text);
  }

  public Path fork(String name, Path parent) throws IOException {
    return write(name, parent.toString(), 3);
  }

  public static String header(String id, String parent) {
    String fork = parent.isEmpty() ? "" : ",\"parentSession\":\"" + parent + "\"";
    return "{\"type\":\"session\",\"version\":3,\"id\":\""
        + id
        + "\",\"timestamp\":\"2026-11-27T20:37:22.939Z\",\"cwd\":\"/src/demo\""
        + fork
        + "}";
  }

  static String entry(int number) {
    return "{\"type\":\"message\",\"id\":\"%08x\",\"parentId\":null,\"text\":\"the %dth\"}"
        .formatted(number, number);
  }

  public static void append(Path session, String text) throws IOException {
    Files.write(session, text.getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
  }

  static SessionHasher hasher() {
    return new SessionHasher(new HashStates.Beside(), LATER);
  }

  public LocalStore store() {
    return LocalStore.open(folder.resolve("store"), StoreOptions.DEFAULTS);
  }

  BranchIndex index() {
    return new BranchIndex(folder.resolve("manifest.json"));
  }
}
