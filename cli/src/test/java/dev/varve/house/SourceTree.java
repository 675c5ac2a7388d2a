// SPDX-License-Identifier: Apache-2.0
package dev.varve.house;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The files that belong to the project.
///
/// @param files content by path from the root, with `/`
record SourceTree(Map<String, byte[]> files) {

  /// The files that git tracks, and those it would track.
  static SourceTree tracked(Path root) throws IOException, InterruptedException {
    Process git =
        new ProcessBuilder("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
            .directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String names = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (git.waitFor() != 0) {
      throw new IOException(root + ": git does not list its files");
    }
    Map<String, byte[]> files = new TreeMap<>();
    for (String name : names.split("\0")) {
      Path file = root.resolve(name);
      if (Files.isRegularFile(file)) { // neither deleted meanwhile nor a link to elsewhere
        files.put(name, Files.readAllBytes(file));
      }
    }
    return new SourceTree(files);
  }

  /// The paths that match a pattern whole.
  List<String> paths(String pattern) {
    return files.keySet().stream().filter(path -> path.matches(pattern)).toList();
  }

  List<String> java() {
    return paths(".*\\.java");
  }

  boolean isText(String path) {
    for (byte b : files.getOrDefault(path, new byte[0])) {
      if (b == 0) {
        return false;
      }
    }
    return true;
  }

  String text(String path) {
    return new String(files.getOrDefault(path, new byte[0]), StandardCharsets.UTF_8);
  }

  /// Whether there is a file or a folder of that name.
  boolean has(String path) {
    return path.isEmpty()
        || files.containsKey(path)
        || files.keySet().stream().anyMatch(each -> each.startsWith(path + "/"));
  }

  /// Where a pattern is found: `path:line: what was found`.
  List<String> find(List<String> paths, Pattern pattern) {
    List<String> found = new ArrayList<>();
    for (String path : paths) {
      int number = 0;
      for (String line : text(path).lines().toList()) {
        number++;
        Matcher matcher = pattern.matcher(line);
        if (matcher.find()) {
          found.add(path + ":" + number + ": " + matcher.group());
        }
      }
    }
    return found;
  }
}
