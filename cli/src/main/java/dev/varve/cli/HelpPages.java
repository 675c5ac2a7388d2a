// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/// What all help pages have in common: their order, their headings, the exit statuses.
final class HelpPages {

  private HelpPages() {}

  static void dress(CommandLine root) {
    dressAll(root);
    root.getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpPages::commandsByHeading);
    root.getCommandSpec()
        .usageMessage()
        .footer("Begin with 'varve demo'. 'varve COMMAND --help' explains a command by example.");
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
    page.exitCodeListHeading("%nExit status:%n");
    if (page.exitCodeList().isEmpty()) {
      page.exitCodeList(ExitCodes.meanings());
    }
    if (page.footer().length > 0) {
      page.footerHeading("%nExamples:%n");
    }
    for (CommandLine sub : command.getSubcommands().values()) {
      dressAll(sub);
    }
  }

  private static String commandsByHeading(Help help) {
    StringBuilder list = new StringBuilder();
    String heading = "";
    for (Map.Entry<String, Help> sub : help.subcommands().entrySet()) {
      CommandSpec spec = sub.getValue().commandSpec();
      String own = Commands.heading(spec);
      if (!own.equals(heading)) {
        list.append(heading.isEmpty() ? "" : "\n").append(own).append(":\n");
        heading = own;
      }
      String[] description = spec.usageMessage().description();
      String name = sub.getKey();
      list.append("  ")
          .append(help.colorScheme().commandText(name))
          .append(" ".repeat(12 - name.length()))
          .append(description.length == 0 ? "" : description[0])
          .append('\n');
    }
    return list.toString();
  }
}
