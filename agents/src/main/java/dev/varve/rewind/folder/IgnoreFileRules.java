// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.git.RepoPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The patterns of a `.varveignore` file at a folder's top. A file that they match is neither
/// captured nor ever changed. The patterns mean what they mean in a `.gitignore` (gitignore(5)),
/// byte by byte.
///
/// Patterns come with the folder, perhaps from strangers: they are matched in time that grows with
/// the name (RE2).
final class IgnoreFileRules {

  static final String FILE = ".varveignore";
  static final IgnoreFileRules NONE = new IgnoreFileRules("", List.of());

  private static final int BYTES_MAX = 1 << 20;

  private final String text;
  private final List<Rule> rules;

  private record Rule(Pattern pattern, boolean ignores, boolean foldersOnly, boolean wholePath) {

    boolean matches(String path, boolean isFolder) {
      String subject = wholePath ? path : path.substring(path.lastIndexOf('/') + 1);
      return (isFolder || !foldersOnly) && pattern.matches(subject);
    }
  }

  private IgnoreFileRules(String text, List<Rule> rules) {
    this.text = text;
    this.rules = rules;
  }

  /// Reads the rules of a folder; none if it has no such file.
  ///
  /// @throws StoreException.TooLarge if the file has more than a mebibyte
  /// @throws StoreException.Io if it cannot be read
  static IgnoreFileRules of(Path root) {
    Path file = root.resolve(FILE);
    try {
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        return NONE;
      }
      if (Files.size(file) > BYTES_MAX) {
        throw new StoreException.TooLarge(file.toString(), Files.size(file), BYTES_MAX);
      }
      return parse(new String(Files.readAllBytes(file), ISO_8859_1));
    } catch (IOException e) {
      throw DiskErrors.of(file, "read", e);
    }
  }

  /// @param text a character a byte
  static IgnoreFileRules parse(String text) {
    List<Rule> rules = new ArrayList<>();
    StringBuilder kept = new StringBuilder();
    for (String line :
        (text.startsWith("\u00ef\u00bb\u00bf") ? text.substring(3) : text).split("\n", -1)) {
      rule(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line)
          .ifPresent(
              rule -> {
                rules.add(rule);
                kept.append(line).append('\n');
              });
    }
    return new IgnoreFileRules(kept.toString(), rules);
  }

  /// The lines that are patterns: what [#parse] is to be given to get the same rules.
  String text() {
    return text;
  }

  /// True if a path is ignored that is in no ignored folder: the last pattern that matches decides.
  boolean ignores(RepoPath path, boolean isFolder) {
    if (rules.isEmpty()) {
      return false;
    }
    String bytes = new String(path.bytes(), ISO_8859_1);
    for (Rule rule : rules.reversed()) {
      if (rule.matches(bytes, isFolder)) {
        return rule.ignores();
      }
    }
    return false;
  }

  /// True if a path, or a folder around it, is ignored.
  boolean ignoresSomewhere(RepoPath path, boolean isFolder) {
    for (Optional<RepoPath> step = path.parent(); step.isPresent(); step = step.get().parent()) {
      if (ignores(step.get(), true)) {
        return true;
      }
    }
    return ignores(path, isFolder);
  }

  private static Optional<Rule> rule(String line) {
    String text = withoutSpaces(line);
    if (text.isEmpty() || text.startsWith("#")) {
      return Optional.empty();
    }
    boolean ignores = !text.startsWith("!");
    text = ignores ? text : text.substring(1);
    boolean foldersOnly = text.endsWith("/");
    text = foldersOnly ? text.substring(0, text.length() - 1) : text;
    boolean wholePath = text.contains("/");
    text = text.startsWith("/") ? text.substring(1) : text;
    try {
      Pattern pattern = Pattern.compile(new GlobPattern(text).regex(), Pattern.DOTALL);
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(new Rule(pattern, ignores, foldersOnly, wholePath));
    } catch (PatternSyntaxException e) {
      return Optional.empty(); // git's own never matches either: a bracket without an end
    }
  }

  /// The line without the spaces at its end that have no backslash before them.
  private static String withoutSpaces(String line) {
    int end = line.length();
    while (end > 0 && line.charAt(end - 1) == ' ' && !(end > 1 && line.charAt(end - 2) == '\\')) {
      end--;
    }
    return line.substring(0, end);
  }
}
