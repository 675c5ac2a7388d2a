// SPDX-License-Identifier: Apache-2.0
package dev.varve.house;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Rules for names, sizes and first sentences in the main sources.
///
/// A name that a list below has and the sources do not is reported, so that no list keeps an entry
/// that nothing needs.
final class NameRules {

  private static final int ROOM_FILES_MAX = 40;
  private static final int COMPONENTS_MAX = 9;

  /// Class names of one word: each is a term of the field that a reader can look up, or a term of
  /// the glossary.
  private static final Set<String> TERMS =
      Set.of(
          "Acceptor",
          "Authentication",
          "Authenticator",
          "Batch",
          "Blake3",
          "Branch",
          "Checkout",
          "Checkpoint",
          "Checkpointer",
          "Codec",
          "Commit",
          "Committer",
          "Compressor",
          "Connection",
          "Conversation",
          "Deadline",
          "Disk",
          "Durability",
          "Encoding",
          "Flock",
          "Frame",
          "Git",
          "Gunzip",
          "Gzip",
          "Journal",
          "Main",
          "Metrics",
          "Overlay",
          "Payload",
          "Permissions",
          "Principal",
          "Projection",
          "Provenance",
          "Recovery",
          "Request",
          "Response",
          "Rewind",
          "Rfc3339",
          "Route",
          "Router",
          "Scope",
          "Server",
          "Sha256",
          "Sidecar",
          "Snapshot",
          "Snippet",
          "Statx",
          "Store",
          "Subscription",
          "Terminal",
          "Tree",
          "Turn",
          "Version",
          "View",
          "Workspace",
          "Worktree");

  /// Records that have the fields of their frame or file, in the order of the format.
  private static final Set<String> FORMAT_RECORDS = Set.of("AppendTurn", "Item", "Batch", "Turn");

  private static final Pattern PATH =
      Pattern.compile("(\\w+)/src/main/java/(?:dev/varve/?)?((?:.*/)?)(\\w+)\\.java");

  private static final Pattern RIDDLE =
      Pattern.compile("\\s*/// (What|Whoever|Those|How|Whether|That|Who)\\b.*");

  private static final Pattern RECORD =
      Pattern.compile("\\brecord (\\w+)(?:<[^>]*>)?\\(([^{;]*?)\\)\\s*(?:implements [^{]*)?\\{");

  private NameRules() {}

  private static List<String> sources(SourceTree tree) {
    return tree.paths("\\w+/src/main/java/.*(?<!package-info|module-info)\\.java");
  }

  /// The module and the package below `dev.varve` of a source, as `agents/jp/sweep`.
  private static String room(String path) {
    Matcher parts = PATH.matcher(path);
    if (!parts.matches()) {
      return path;
    }
    return (parts.group(1) + "/" + parts.group(2)).replaceFirst("/$", "");
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1).replace(".java", "");
  }

  static List<String> twice(SourceTree tree) {
    Map<String, String> known = new TreeMap<>();
    List<String> complaints = new ArrayList<>();
    for (String path : sources(tree)) {
      String first = known.putIfAbsent(name(path), path);
      if (first != null) {
        complaints.add(path + ": " + first + " has that name");
      }
    }
    return complaints;
  }

  static List<String> guesses(SourceTree tree) {
    return sources(tree).stream()
        .filter(path -> name(path).matches("[A-Z][a-z0-9]*"))
        .filter(path -> !TERMS.contains(name(path)))
        .map(path -> path + ": one word, and not a term that a reader can look up")
        .toList();
  }

  /// Names on the lists that nothing in the sources has.
  static List<String> staleEntries(SourceTree tree) {
    List<String> paths = sources(tree);
    Set<String> names = paths.stream().map(NameRules::name).collect(Collectors.toSet());
    Set<String> records = new TreeSet<>();
    for (String path : paths) {
      Matcher found = RECORD.matcher(tree.text(path));
      while (found.find()) {
        if (components(found.group(2)) > COMPONENTS_MAX) {
          records.add(found.group(1));
        }
      }
    }
    return Stream.of(
            TERMS.stream().filter(term -> !names.contains(term)),
            FORMAT_RECORDS.stream().filter(record -> !records.contains(record)))
        .flatMap(each -> each)
        .sorted()
        .toList();
  }

  static List<String> halls(SourceTree tree) {
    Map<String, Integer> counts = new TreeMap<>();
    for (String path : sources(tree)) {
      counts.merge(path.substring(0, path.lastIndexOf('/')), 1, Integer::sum);
    }
    List<String> complaints = new ArrayList<>();
    counts.forEach(
        (folder, count) -> {
          if (count > ROOM_FILES_MAX) {
            complaints.add(folder + ": " + count + " files in one room");
          }
        });
    return complaints;
  }

  static List<String> wideRecords(SourceTree tree) {
    List<String> complaints = new ArrayList<>();
    for (String path : sources(tree)) {
      Matcher records = RECORD.matcher(tree.text(path));
      while (records.find()) {
        int components = components(records.group(2));
        if (components > COMPONENTS_MAX && !FORMAT_RECORDS.contains(records.group(1))) {
          complaints.add(path + ": " + records.group(1) + " has " + components + " components");
        }
      }
    }
    return complaints;
  }

  private static int components(String list) {
    int count = list.isBlank() ? 0 : 1;
    int depth = 0;
    for (char c : list.toCharArray()) {
      depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
      count += c == ',' && depth == 0 ? 1 : 0;
    }
    return count;
  }

  /// First sentences of doc comments that begin with a question word or a pronoun.
  static List<String> riddles(SourceTree tree) {
    List<String> complaints = new ArrayList<>();
    for (String path : tree.paths("\\w+/src/main/java/.*\\.java")) {
      String before = "";
      int number = 0;
      for (String line : tree.text(path).lines().toList()) {
        number++;
        if (!before.strip().startsWith("///") && RIDDLE.matcher(line).matches()) {
          complaints.add(path + ":" + number + ": " + line.strip());
        }
        before = line;
      }
    }
    return complaints;
  }
}
