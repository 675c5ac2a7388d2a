// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.StoreException;
import dev.varve.TurnId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/// The list of subcommands, and picocli's model of them.
final class Commands {

  /// A subcommand: under which heading it is listed, its name, how it is made, and its own
  /// subcommands.
  record Entry(String heading, String name, Function<Varve, Object> make, List<Entry> subcommands) {
    Entry(String heading, String name, Function<Varve, Object> make) {
      this(heading, name, make, List.of());
    }

    CommandLine model(Varve varve) {
      CommandLine model = new CommandLine(make.apply(varve));
      for (Entry sub : subcommands) {
        model.addSubcommand(sub.name, sub.model(varve));
      }
      return model;
    }
  }

  private static final String START = "Start";
  private static final String READ = "Read";
  private static final String WRITE = "Write";
  private static final String SERVE = "Serve";
  private static final String CARE = "Care";

  static final List<Entry> ALL =
      List.of(
          new Entry(START, "demo", Demo::new),
          new Entry(
              START,
              "import",
              _ -> new Import(),
              List.of(new Entry("", "pi", ImportPi::new), new Entry("", "cxdb", ImportCxdb::new))),
          new Entry(
              START, "export", _ -> new Export(), List.of(new Entry("", "pi", ExportPi::new))),
          new Entry(
              START,
              "pi",
              _ -> new Pi(),
              List.of(
                  new Entry("", "sessions", PiSessions::new),
                  new Entry("", "tree", PiTree::new),
                  new Entry("", "doctor", PiDoctor::new),
                  new Entry("", "scan", PiScan::new),
                  new Entry("", "redact", PiRedact::new),
                  new Entry("", "publish", PiPublish::new),
                  new Entry("", "get", PiGet::new),
                  new Entry("", "push", PiPush::new),
                  new Entry("", "bundle", PiBundle::new),
                  new Entry("", "verify", PiVerify::new),
                  new Entry("", "list", PiList::new),
                  new Entry("", "manifest", PiManifest::new))),
          new Entry(
              START,
              "jp",
              _ -> new Jp(),
              List.of(
                  new Entry("", "externalize", JpExternalize::new),
                  new Entry("", "inline", JpInline::new),
                  new Entry("", "print", JpPrint::new),
                  new Entry("", "show", JpShow::new),
                  new Entry("", "gc", JpGc::new),
                  new Entry("", "sweep", JpSweep::new),
                  new Entry("", "migrate", JpMigrate::new),
                  new Entry("", "check", JpCheck::new),
                  new Entry("", "verify", JpVerify::new),
                  new Entry("", "du", JpDu::new),
                  new Entry("", "fix", JpFix::new),
                  new Entry("", "import", JpImports::new),
                  new Entry("", "export", JpExports::new),
                  new Entry("", "plugin", JpPlugin::new))),
          new Entry(
              START,
              "rewind",
              _ -> new RewindCommands(),
              List.of(
                  new Entry("", "capture", RewindCapture::new),
                  new Entry("", "list", RewindList::new),
                  new Entry("", "show", RewindShow::new),
                  new Entry("", "diff", RewindDiff::new),
                  new Entry("", "restore", RewindRestore::new),
                  new Entry("", "undo", RewindUndo::new),
                  new Entry("", "redo", RewindRedo::new),
                  new Entry("", "gc", RewindGc::new),
                  new Entry("", "outside", RewindOutside::new),
                  new Entry("", "doctor", RewindDoctor::new),
                  new Entry("", "serve", RewindServe::new))),
          new Entry(READ, "contexts", Contexts::new),
          new Entry(READ, "log", Log::new),
          new Entry(READ, "show", Show::new),
          new Entry(READ, "cat", Cat::new),
          new Entry(WRITE, "new", New::new),
          new Entry(WRITE, "append", Append::new),
          new Entry(WRITE, "fork", Fork::new),
          new Entry(WRITE, "patch", Patch::new),
          new Entry(WRITE, "put", Put::new),
          new Entry(SERVE, "serve", Serve::new),
          new Entry(
              SERVE,
              "token",
              _ -> new Token(),
              List.of(
                  new Entry("", "create", TokenCreate::new),
                  new Entry("", "list", TokenList::new),
                  new Entry("", "revoke", TokenRevoke::new))),
          new Entry(CARE, "stats", Stats::new),
          new Entry(CARE, "check", Check::new),
          new Entry(CARE, "completion", Completion::new),
          new Entry(CARE, "help", HelpCommand::new));

  private Commands() {}

  /// The model for one call. Reading all annotations takes picocli longer than most commands run,
  /// so only the subcommand that `args` names is modelled, where they name one.
  static CommandLine model(String[] args, Terminal terminal) {
    Optional<Entry> named = named(args);
    return model(named.map(List::of).orElse(ALL), terminal);
  }

  /// The model of all subcommands.
  static CommandLine model(Terminal terminal) {
    return model(ALL, terminal);
  }

  private static CommandLine model(List<Entry> entries, Terminal terminal) {
    Varve varve = new Varve(terminal);
    CommandLine root = new CommandLine(varve);
    for (Entry entry : entries) {
      root.addSubcommand(entry.name(), entry.model(varve));
    }
    root.registerConverter(ContextId.class, id(ContextId::parse));
    root.registerConverter(TurnId.class, id(TurnId::parse));
    root.registerConverter(BlobHash.class, id(BlobHash::parse));
    root.registerConverter(int.class, number(Integer::parseInt));
    root.registerConverter(long.class, number(Long::parseLong));
    root.registerConverter(DeclaredType.class, id(Types::parse));
    root.registerConverter(Encoding.class, id(Types::parseEncoding));
    root.setColorScheme(
        Help.defaultColorScheme(terminal.outHasColour() ? Help.Ansi.ON : Help.Ansi.OFF));
    root.setUsageHelpWidth(Math.clamp(terminal.columns(), 55, 100)); // picocli refuses less
    HelpPages.dress(root);
    return root;
  }

  private static Optional<Entry> named(String[] args) {
    for (int i = 0; i < args.length; i++) {
      String arg = args[i];
      if (arg.equals("--store")) {
        i++; // its value is no subcommand
      } else if (!arg.startsWith("-")) {
        return ALL.stream()
            .filter(entry -> entry.name().equals(arg) && !arg.equals("help"))
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

  /// The heading a subcommand is listed under; empty if it has none.
  static String heading(CommandSpec spec) {
    return ALL.stream()
        .filter(entry -> entry.name().equals(spec.name()))
        .map(Entry::heading)
        .findFirst()
        .orElse("");
  }
}
