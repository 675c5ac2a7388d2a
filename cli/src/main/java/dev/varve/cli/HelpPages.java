// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.cli.session.CommandEntry;
import dev.varve.cli.session.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/// The layout of all help pages: the order of their parts, and the headings.
final class HelpPages {

  /// The columns of the commands' names, with the gap after them.
  private static final int NAME_COLUMNS = 14;

  private HelpPages() {}

  static void dress(CommandLine root, Map<String, List<CommandEntry>> commands) {
    dressAll(root);
    root.getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> commandsByHeading(help, commands));
    root.getCommandSpec()
        .usageMessage()
        .footer(
            "Begin with 'varve demo'. 'varve COMMAND --help' explains a command by example,",
            "and 'varve help exit-status' the exit statuses.");
    List<String> parts = new ArrayList<>(root.getHelpSectionKeys());
    List<String> first =
        List.of(
            UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING,
            UsageMessageSpec.SECTION_KEY_COMMAND_LIST);
    parts.removeAll(first);
    parts.addAll(parts.indexOf(UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING), first);
    root.setHelpSectionKeys(parts);
    root.getCommandSpec().usageMessage().footerHeading("%n");
  }

  private static void dressAll(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    spec.version(Version.text());
    UsageMessageSpec page = spec.usageMessage();
    page.sortOptions(false);
    page.synopsisHeading("Usage: ");
    page.descriptionHeading("%n");
    page.parameterListHeading("%nParameters:%n");
    page.optionListHeading("%nOptions:%n");
    if (command.getParent() == null) {
      page.commandListHeading("%n");
    } else if (page.commandListHeading().equals("Commands:%n")) {
      page.commandListHeading("%nFormats:%n");
    }
    if (!page.exitCodeList().isEmpty()) {
      page.exitCodeListHeading("%nExit status:%n");
    }
    if (page.footer().length > 0) {
      page.footerHeading("%nExamples:%n");
    }
    for (CommandLine sub : command.getSubcommands().values()) {
      dressAll(sub);
    }
  }

  private static String commandsByHeading(Help help, Map<String, List<CommandEntry>> commands) {
    int width = help.commandSpec().usageMessage().width() - NAME_COLUMNS;
    StringBuilder list = new StringBuilder();
    commands.forEach(
        (heading, entries) -> {
          list.append(list.isEmpty() ? "" : "\n").append(heading).append(":\n");
          for (CommandEntry entry : entries) {
            Help page = Objects.requireNonNull(help.subcommands().get(entry.name()));
            String[] description = page.commandSpec().usageMessage().description();
            list.append("  ")
                .append(help.colorScheme().commandText(entry.name()))
                .append(" ".repeat(NAME_COLUMNS - 2 - entry.name().length()))
                .append(description.length == 0 ? "" : wrapped(description[0], width))
                .append('\n');
          }
        });
    return list.toString();
  }

  /// The text in lines of at most `width` columns; the lines after the first are indented.
  private static String wrapped(String text, int width) {
    StringBuilder lines = new StringBuilder();
    int column = 0;
    for (String word : text.split(" ", -1)) {
      if (column > 0 && column + 1 + word.length() >= width) {
        lines.append('\n').append(" ".repeat(NAME_COLUMNS));
        column = 0;
      }
      lines.append(column == 0 ? "" : " ").append(word);
      column += word.length() + (column == 0 ? 0 : 1);
    }
    return lines.toString();
  }
}
