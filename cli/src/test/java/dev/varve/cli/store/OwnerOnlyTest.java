// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import static dev.varve.cli.Call.varve;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store in a folder that other users may enter: they can enter no folder within, and read no
/// file.
final class OwnerOnlyTest {

  private static final String SESSION =
      """
      {"type":"session","version":3,"id":"0a0a0a0a-0000-4000-8000-000000000001","timestamp":"2026-06-01T10:00:00.000Z","cwd":"/tmp"}
      {"type":"message","id":"aaaaaaaa","parentId":null,"timestamp":"2026-06-01T10:00:01.000Z","message":{"role":"user","content":"hello","timestamp":1780308001000}}
      """;

  @TempDir Path folder;

  @Test
  void nothingInTheFolderOfAStoreIsForOthers() throws IOException {
    Path store = Files.createDirectory(folder.resolve("store"));
    Path session = Files.writeString(folder.resolve("session.jsonl"), SESSION);
    Files.setPosixFilePermissions(store, PosixFilePermissions.fromString("rwxr-xr-x"));

    run(store, "new");
    append(store, "a word to be found");
    append(store, "what is to be erased");
    run(store, "pi", "publish", session.toString(), "--states", "store");
    run(store, "pi", "push", session.toString(), "--to", folder.resolve("pushed").toString());
    run(store, "erase", "--secret", "what is to be erased", "--yes");
    run(store, "search", "word");
    run(store, "retention", "set", "--older-than", "9d");

    assertThat(store).isDirectoryContaining(inside -> inside.endsWith("search"));
    assertThat(store).isDirectoryContaining(inside -> inside.endsWith("pi"));
    assertThat(openToOthers(store)).isEmpty();
  }

  private static void append(Path store, String text) {
    Call.Result appended = new Call().input("{\"text\":\"" + text + "\"}").on(store, "append", "1");
    assertThat(appended.status()).as(appended.err()).isZero();
  }

  private static void run(Path store, String... args) {
    Call.Result result = varve(store, args);
    assertThat(result.status()).as(result.err()).isZero();
  }

  /// The files and folders that others may read or enter, and can reach.
  private static List<Path> openToOthers(Path within) throws IOException {
    List<Path> open = new ArrayList<>();
    try (Stream<Path> inside = Files.list(within)) {
      for (Path each : inside.toList()) {
        String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(each));
        if (!permissions.endsWith("------")) {
          open.add(each);
          if (Files.isDirectory(each)) {
            open.addAll(openToOthers(each));
          }
        }
      }
    }
    return open;
  }
}
