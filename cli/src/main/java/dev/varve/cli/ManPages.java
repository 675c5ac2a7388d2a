// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.cli.session.Version;
import dev.varve.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// The manual pages of `varve` and of each subcommand, in the language of `man` (man(7)).
///
/// The build of the self-contained archive runs this class; the pages are made from the same model
/// as the help. Arguments: a folder, and the date that the pages carry.
public final class ManPages {

  private ManPages() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    String date = args[1].substring(0, "2026-01-01".length());
    for (CommandLine command :
        all(CommandModel.of(new String[0], Terminal.ofProcess(), Main::run))) {
      CommandSpec spec = command.getCommandSpec();
      String name = spec.qualifiedName("-");
      Files.writeString(folder.resolve(name + ".1"), page(spec, name, date));
    }
  }

  private static List<CommandLine> all(CommandLine command) {
    List<CommandLine> found = new ArrayList<>(List.of(command));
    command.getSubcommands().values().forEach(sub -> found.addAll(all(sub)));
    return found;
  }

  static String page(CommandSpec spec, String name, String date) {
    StringBuilder page = new StringBuilder();
    page.append(".TH \"").append(name.toUpperCase(java.util.Locale.ROOT)).append("\" \"1\" \"");
    page.append(date).append("\" \"").append(Version.text()).append("\" \"Varve\"\n");
    String[] description = spec.usageMessage().description();
    page.append(".SH NAME\n").append(name).append(" \\- ");
    page.append(description.length == 0 ? name : text(description[0])).append('\n');
    page.append(".SH SYNOPSIS\n.nf\n");
    page.append(text(spec.commandLine().getHelp().synopsis(0).strip())).append("\n.fi\n");
    if (description.length > 1) {
      page.append(".SH DESCRIPTION\n");
      for (int i = 1; i < description.length; i++) {
        page.append(text(description[i])).append("\n.br\n");
      }
    }
    if (!spec.positionalParameters().isEmpty()) {
      page.append(".SH ARGUMENTS\n");
      for (PositionalParamSpec parameter : spec.positionalParameters()) {
        entry(page, parameter.paramLabel(), parameter.description());
      }
    }
    page.append(".SH OPTIONS\n");
    for (OptionSpec option : ListedOptions.of(spec)) {
      String label = option.typeInfo().isBoolean() ? "" : " " + option.paramLabel();
      entry(page, String.join(", ", option.names()) + label, option.description());
    }
    if (!spec.subcommands().isEmpty()) {
      page.append(".SH COMMANDS\n");
      spec.subcommands()
          .forEach(
              (sub, line) -> entry(page, sub, line.getCommandSpec().usageMessage().description()));
    }
    examples(page, spec.usageMessage().footer());
    return page.toString();
  }

  private static void entry(StringBuilder page, String term, String[] description) {
    page.append(".TP\n.B ").append(text(term)).append('\n');
    page.append(text(String.join(" ", description))).append('\n');
  }

  private static void examples(StringBuilder page, String[] footer) {
    if (footer.length > 0) {
      page.append(".SH EXAMPLES\n.nf\n");
      for (String line : footer) {
        page.append(text(line)).append('\n');
      }
      page.append(".fi\n");
    }
  }

  /// Text without picocli's marks, and with the characters escaped that mean something to `man`.
  private static String text(String marked) {
    String plain =
        Ansi.OFF.string(marked.replace("%n", "\n").replace("%%", "%")).replace("$$", "$");
    String escaped = plain.replace("\\", "\\e").replace("-", "\\-");
    StringBuilder lines = new StringBuilder();
    for (String line : escaped.split("\n", -1)) {
      boolean control = line.startsWith(".") || line.startsWith("'");
      lines.append(lines.isEmpty() ? "" : "\n").append(control ? "\\&" : "").append(line);
    }
    return lines.toString();
  }
}
