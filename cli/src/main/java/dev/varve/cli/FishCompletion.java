// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// Completion for the fish shell, which picocli does not write: a `complete` line for each
/// subcommand and option.
final class FishCompletion {

  private static final int INDIRECT_DEPTH_MAX = 3;

  private final StringBuilder script =
      new StringBuilder("# Completion of varve for fish, written by 'varve completion fish'.\n");

  private FishCompletion() {}

  static String script(CommandLine varve) {
    FishCompletion completion = new FishCompletion();
    completion.add(varve, List.of());
    return completion.script.toString();
  }

  private void add(CommandLine command, List<String> path) {
    if (path.size() > INDIRECT_DEPTH_MAX) {
      throw new AssertionError("subcommands nested " + path.size() + " deep");
    }
    Map<String, CommandLine> subs = command.getSubcommands();
    for (Map.Entry<String, CommandLine> sub : subs.entrySet()) {
      String[] description = sub.getValue().getCommandSpec().usageMessage().description();
      line(
          condition(path, subs.keySet())
              + " -f -a "
              + sub.getKey()
              + describe(description.length == 0 ? "" : description[0]));
    }
    for (OptionSpec option : ListedOptions.of(command.getCommandSpec())) {
      if (path.isEmpty() || !option.inherited()) {
        line(condition(path, List.of()) + names(option) + describe(text(option)));
      }
    }
    subs.forEach(
        (name, sub) -> {
          List<String> longer = new ArrayList<>(path);
          longer.add(name);
          add(sub, longer);
        });
  }

  private void line(String rest) {
    script.append("complete -c varve").append(rest).append('\n');
  }

  /// All words of `path` were typed, and none of `others`.
  private static String condition(List<String> path, Iterable<String> others) {
    StringBuilder test = new StringBuilder();
    for (String word : path) {
      test.append(test.isEmpty() ? "" : "; and ")
          .append("__fish_seen_subcommand_from ")
          .append(word);
    }
    String excluded = String.join(" ", others);
    if (!excluded.isEmpty()) {
      test.append(test.isEmpty() ? "" : "; and ");
      test.append("not __fish_seen_subcommand_from ").append(excluded);
    }
    return test.isEmpty() ? "" : " -n '" + test + "'";
  }

  private static String names(OptionSpec option) {
    StringBuilder names = new StringBuilder();
    for (String name : option.names()) {
      boolean isLong = name.startsWith("--");
      names.append(isLong ? " -l " : " -s ").append(name.substring(isLong ? 2 : 1));
    }
    return names + (option.arity().max() > 0 ? " -r" : "");
  }

  private static String text(OptionSpec option) {
    return option.description().length == 0 ? "" : option.description()[0];
  }

  private static String describe(String text) {
    String shown = text.replace("$$", "$").replaceAll(" \\(default: \\$\\{DEFAULT-VALUE}\\)", "");
    return shown.isEmpty() ? "" : " -d '" + shown.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
