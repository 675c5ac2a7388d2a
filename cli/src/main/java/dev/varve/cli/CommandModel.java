// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.cli.cassandra.CassandraCommands;
import dev.varve.cli.demo.DemoCommand;
import dev.varve.cli.erase.ErasureCommands;
import dev.varve.cli.history.HistoryCommands;
import dev.varve.cli.jp.JpCommands;
import dev.varve.cli.pi.PiCommands;
import dev.varve.cli.rewind.RewindCommands;
import dev.varve.cli.search.SearchCommands;
import dev.varve.cli.serve.ServeCommands;
import dev.varve.cli.session.CommandEntry;
import dev.varve.cli.session.CommandRunner;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.PayloadArguments;
import dev.varve.cli.store.StoreCommands;
import dev.varve.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// The list of all commands, and picocli's model of them.
final class CommandModel {

  /// The commands that are about all commands.
  private static final Set<String> ABOUT_ALL = Set.of("help", "completion");

  private CommandModel() {}

  /// The commands by the heading that they are listed under.
  ///
  /// @param runner runs the command lines that JP sends to its plugin
  static Map<String, List<CommandEntry>> commands(CommandRunner runner) {
    Map<String, List<CommandEntry>> commands = new LinkedHashMap<>();
    commands.put(
        "Start",
        List.of(
            DemoCommand.ENTRY,
            new CommandEntry("import", ImportCommands::new, imports()),
            new CommandEntry(
                "export",
                _ -> new ExportCommands(),
                List.of(PiCommands.EXPORT, JpCommands.EXPORT))));
    List<CommandEntry> read = new ArrayList<>(StoreCommands.READ);
    read.add(SearchCommands.SEARCH);
    commands.put("Read", read);
    commands.put("Write", StoreCommands.WRITE);
    List<CommandEntry> agents = new ArrayList<>(HistoryCommands.ALL);
    agents.addAll(List.of(PiCommands.ENTRY, JpCommands.entry(runner), RewindCommands.ENTRY));
    commands.put("Agents", agents);
    commands.put("Serve", ServeCommands.ALL);
    List<CommandEntry> care = new ArrayList<>(StoreCommands.CARE);
    care.addAll(ErasureCommands.ALL);
    care.add(CassandraCommands.ENTRY);
    care.add(new CommandEntry("completion", CompletionCommand::new));
    care.add(new CommandEntry("help", HelpCommand::new));
    commands.put("Care", care);
    return commands;
  }

  /// The commands of `varve import`, one for each format.
  static List<CommandEntry> imports() {
    List<CommandEntry> imports = new ArrayList<>(List.of(PiCommands.IMPORT));
    imports.addAll(HistoryCommands.IMPORTS);
    imports.addAll(
        List.of(JpCommands.IMPORT, StoreCommands.IMPORT_JSONL, StoreCommands.IMPORT_CXDB));
    return imports;
  }

  /// The model for one call. Reading all annotations takes picocli longer than most commands run,
  /// so only the subcommand that `args` names is modelled, where they name one. `help` and
  /// `completion` get the model of all commands, which they are about.
  static CommandLine of(String[] args, Terminal terminal, CommandRunner runner) {
    Map<String, List<CommandEntry>> commands = commands(runner);
    List<CommandEntry> all = commands.values().stream().flatMap(List::stream).toList();
    CommandSession session = new CommandSession(terminal);
    CommandLine root = new CommandLine(new RootCommand(session));
    named(args, all)
        .map(List::of)
        .orElse(all)
        .forEach(entry -> root.addSubcommand(entry.name(), model(entry, session)));
    root.registerConverter(ContextId.class, id(ContextId::parse));
    root.registerConverter(TurnId.class, id(TurnId::parse));
    root.registerConverter(BlobHash.class, id(BlobHash::parse));
    root.registerConverter(int.class, number(Integer::parseInt));
    root.registerConverter(long.class, number(Long::parseLong));
    root.registerConverter(DeclaredType.class, id(PayloadArguments::parse));
    root.registerConverter(Encoding.class, id(PayloadArguments::parseEncoding));
    root.setColorScheme(
        Help.defaultColorScheme(terminal.outHasColour() ? Help.Ansi.ON : Help.Ansi.OFF));
    root.setUsageHelpWidth(Math.clamp(terminal.columns(), 55, 100)); // picocli refuses less
    HelpPages.dress(root, commands);
    return root;
  }

  private static CommandLine model(CommandEntry entry, CommandSession session) {
    CommandLine model = new CommandLine(entry.make().apply(session));
    for (CommandEntry sub : entry.subcommands()) {
      model.addSubcommand(sub.name(), model(sub, session));
    }
    return model;
  }

  private static Optional<CommandEntry> named(String[] args, List<CommandEntry> all) {
    for (int i = 0; i < args.length; i++) {
      String arg = args[i];
      if (arg.equals("--store")) {
        i++; // its value is no subcommand
      } else if (arg.equals("--help") || arg.equals("-h")) {
        return Optional.empty(); // the help of varve itself lists all
      } else if (!arg.startsWith("-")) {
        return all.stream()
            .filter(entry -> entry.name().equals(arg) && !ABOUT_ALL.contains(arg))
            .findFirst();
      }
    }
    return Optional.empty();
  }

  private static <T> ITypeConverter<T> id(Function<String, T> parse) {
    return text -> {
      try {
        return parse.apply(text);
      } catch (StoreException.Invalid | StoreException.TooLarge e) {
        // The message begins with what was read; the argument's name says that better.
        throw new TypeConversionException(
            String.valueOf(e.getMessage()).replaceFirst("^[a-z ]*: ", ""));
      }
    };
  }

  private static <T> ITypeConverter<T> number(Function<String, T> parse) {
    return text -> {
      try {
        return parse.apply(text);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("expected a number, found '" + text + "'");
      }
    };
  }
}
