// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Collects the texts of a turn: knows in which arguments calls of tools name commands, files and
/// changes.
record TextSink(List<FoundText> texts) {

  private static final Set<String> COMMANDS = Set.of("command", "cmd", "script", "code");

  private static final Set<String> PATHS =
      Set.of(
          "path",
          "file_path",
          "filePath",
          "file",
          "filename",
          "notebook_path",
          "target_file",
          "paths",
          "files");

  private static final Set<String> CHANGES =
      Set.of(
          "content",
          "contents",
          "old_string",
          "new_string",
          "oldText",
          "newText",
          "oldString",
          "newString",
          "old_str",
          "new_str",
          "file_text",
          "new_source",
          "patch",
          "diff",
          "edits");

  private static final Pattern PATH_LIKE =
      Pattern.compile("[\\w.@~+-]*(?:/[\\w.@~+-]+)+|[\\w@~+-]+\\.[A-Za-z]\\w{0,7}");

  /// Paths behind this many are not looked for in a command.
  private static final int PATHS_MAX = 32;

  private static final int COMMAND_CHARS_MAX = 4096;

  private static final Pattern STATUS =
      Pattern.compile("(?:[Ee]xit(?:ed with)? code:?|exit status:?) (\\d{1,3})\\b");

  /// Where tools that write the status into their text do so: at one of the ends.
  private static final int STATUS_LOOK_CHARS = 200;

  void add(TextKind kind, String text) {
    texts.add(FoundText.of(kind, text));
  }

  /// A call of a tool.
  ///
  /// @param arguments an object, or a string that holds one, or any other value
  void call(String tool, String id, PayloadNode arguments) {
    PayloadNode given =
        arguments.string() ? PayloadParser.nested(arguments.text()).orElse(arguments) : arguments;
    List<String> paths = new ArrayList<>();
    List<String> changes = new ArrayList<>();
    List<String> commands = new ArrayList<>();
    List<String> others = new ArrayList<>();
    if (given.isObject()) {
      given
          .members()
          .forEach(
              (name, value) -> {
                if (COMMANDS.contains(name)) {
                  commands.add(value.items().isEmpty() ? value.text() : words(value));
                } else if (PATHS.contains(name)) {
                  value.eachString(paths::add);
                } else if (CHANGES.contains(name)) {
                  value.eachString(changes::add);
                } else {
                  value.eachString(others::add);
                }
              });
    } else {
      given.eachString(commands::add);
    }
    commands.addAll(others);
    String command = String.join("\n", commands);
    String path = String.join(" ", paths.isEmpty() ? pathsIn(command) : paths);
    // A call without words of its own is found by its tool and its files.
    String shown = command.isBlank() ? (tool + " " + String.join(" ", paths)).strip() : command;
    texts.add(new FoundText(TextKind.COMMAND, shown, tool, path, null, id));
    paths.forEach(each -> texts.add(new FoundText(TextKind.PATH, each, tool, each, null, id)));
    changes.forEach(each -> texts.add(new FoundText(TextKind.EDIT, each, tool, path, null, id)));
  }

  private static String words(PayloadNode list) {
    List<String> words = new ArrayList<>();
    list.eachString(words::add);
    return String.join(" ", words);
  }

  private static List<String> pathsIn(String command) {
    Matcher matcher =
        PATH_LIKE.matcher(command.substring(0, Math.min(command.length(), COMMAND_CHARS_MAX)));
    List<String> paths = new ArrayList<>();
    while (paths.size() < PATHS_MAX && matcher.find()) {
      paths.add(matcher.group());
    }
    return paths;
  }

  /// A result of a tool.
  ///
  /// @param failed whether the result says that the tool failed
  /// @param exit the exit status as digits; empty if only the text may say
  void result(String tool, String id, String text, boolean failed, String exit) {
    Integer status = status(exit, text);
    int meant = status == null ? (failed ? 1 : 0) : status;
    texts.add(new FoundText(TextKind.OUTPUT, text, tool, "", meant, id));
  }

  private static @Nullable Integer status(String exit, String text) {
    if (exit.matches("-?[0-9]{1,9}")) {
      return Integer.valueOf(exit);
    }
    Matcher start = STATUS.matcher(text.substring(0, Math.min(text.length(), STATUS_LOOK_CHARS)));
    if (start.find()) {
      return Integer.valueOf(start.group(1));
    }
    Matcher end = STATUS.matcher(text.substring(Math.max(0, text.length() - STATUS_LOOK_CHARS)));
    return end.find() ? Integer.valueOf(end.group(1)) : null;
  }
}
