// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.disk.DiskErrors;
import dev.varve.git.Git;
import dev.varve.rewind.HomeFolder;
import dev.varve.rewind.SmallFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The rules, besides `.gitignore` files, by which the user's git ignores and tracks files in a
/// worktree: the index, the settings, and patterns in files outside the worktree.
final class UserGitRules {

  /// The version of the shadow's settings: a shadow of an earlier version is made again.
  private static final String SHADOW_VERSION = "2";

  /// The number of bytes that are read of one file at most.
  private static final int BYTES_MAX = 4 << 20;

  private final Worktree worktree;

  UserGitRules(Worktree worktree) {
    this.worktree = worktree;
  }

  /// A text that differs once one of the files changed. Reads no file.
  String signature() {
    List<String> parts = new ArrayList<>();
    parts.add(SHADOW_VERSION);
    parts.add(SmallFile.signature(worktree.userIndex()));
    for (Path file : files()) {
      parts.add(SmallFile.signature(file));
    }
    return String.join(" ", parts);
  }

  private List<Path> files() {
    Path home = HomeFolder.folder();
    String xdg = System.getenv().getOrDefault("XDG_CONFIG_HOME", "");
    Path config = xdg.isEmpty() ? home.resolve(".config") : Path.of(xdg);
    return List.of(
        worktree.commonFolder().resolve("info").resolve("exclude"),
        worktree.commonFolder().resolve("config"),
        worktree.gitFolder().resolve("config.worktree"),
        home.resolve(".gitconfig"),
        config.resolve("git").resolve("config"),
        config.resolve("git").resolve("ignore"));
  }

  /// The patterns of the repository's `info/exclude` and of the user's own file, a line each.
  String excludes() {
    StringBuilder patterns = new StringBuilder();
    List<Path> sources = new ArrayList<>();
    String own = setting("core.excludesFile", "");
    sources.add(own.isEmpty() ? files().getLast() : worktree.root().resolve(own));
    sources.add(files().getFirst());
    for (Path file : sources) {
      if (Files.isRegularFile(file)) {
        text(file)
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .forEach(line -> patterns.append(line).append('\n'));
      }
    }
    return patterns.toString();
  }

  /// The text of a file. Bytes that are no UTF-8 make a pattern that matches nothing.
  private static String text(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(BYTES_MAX), UTF_8);
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      throw DiskErrors.of(file, "read", e);
    }
  }

  boolean isSparse() {
    return setting("core.sparseCheckout", "false").equals("true");
  }

  /// A setting of the user's git, or `otherwise` if it is not set.
  String setting(String name, String otherwise) {
    String type = name.endsWith("File") ? "path" : "bool";
    Git.Output output =
        worktree.git().tryRun(new byte[0], "config", "--type=" + type, "--get", name);
    return output.status() == 0 && !output.line().isEmpty() ? output.line() : otherwise;
  }
}
