// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandRunner;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.Version;
import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.place.UserData;
import dev.varve.json.JsonLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// `varve jp plugin`: `varve jp …` as a command of JP's own, spoken in JP's plugin protocol (one
/// JSON object a line).
///
/// JP starts `jp-varve` and sends `init` with the arguments and the places; what the command prints
/// goes back as `print`, its status as `exit`. On `shutdown` the process ends where it is, which no
/// command minds.
@Command(
    name = "plugin",
    description = {
      "Speaks JP's plugin protocol; started by jp-varve as 'jp varve …'.",
      "",
      "Reads one message from standard input: 'describe' or 'init'."
    },
    footer = {"  echo '{\"type\":\"describe\"}' | varve jp plugin"})
final class JpPlugin implements Callable<Integer> {

  private static final JsonFactory JSON = new JsonFactory();
  private static final int MESSAGE_CHARS_MAX = 32 << 20;
  private static final int PROTOCOL_VERSION = 1;

  private final CommandSession command;
  private final CommandRunner runner;

  JpPlugin(CommandSession command, CommandRunner runner) {
    this.command = command;
    this.runner = runner;
  }

  @Override
  public Integer call() throws IOException {
    Terminal terminal = command.terminal();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(terminal.in(), StandardCharsets.UTF_8));
    Map<String, List<String>> message = read(in);
    return switch (first(message, "type")) {
      case "describe" -> {
        describe(terminal);
        yield ExitCodes.OK;
      }
      case "init" -> init(message, in, terminal);
      default ->
          throw new CommandException(
              ExitCodes.USAGE,
              "jp plugin: expected a message 'init' or 'describe' on standard input",
              "This is for JP: install jp-varve on the PATH and call 'jp varve'.");
    };
  }

  private void describe(Terminal terminal) {
    new JsonLine()
        .text("type", "describe")
        .text("name", "varve")
        .text("version", Version.text().replaceFirst("^varve ", ""))
        .text("description", "Keeps payloads of conversations in blobs beside them (RFD 066)")
        .text("help", help(terminal))
        .print(terminal);
  }

  private String help(Terminal terminal) {
    StringBuilder text = new StringBuilder();
    OutputStream out = new PrintedText(text::append);
    runner.run(new String[] {"jp", "--help"}, captured(out, out, Map.of(), terminal));
    return text.toString().replace("varve jp", "jp varve");
  }

  private int init(Map<String, List<String>> message, BufferedReader in, Terminal terminal) {
    if (!first(message, "version").equals(Integer.toString(PROTOCOL_VERSION))) {
      terminal.say(
          "JP speaks another version of its plugin protocol; this plugin is for version 1.");
    }
    Thread.ofPlatform().daemon().name("jp-shutdown").start(() -> endOnShutdown(in));
    new JsonLine().text("type", "ready").print(terminal);
    terminal.flush();
    List<String> args = new ArrayList<>(List.of("jp"));
    args.addAll(message.getOrDefault("args", List.of()));
    boolean named =
        args.stream().anyMatch(arg -> arg.startsWith("-w") || arg.startsWith("--workspace"));
    if (args.size() > 1 && !args.get(1).startsWith("-") && !named) {
      args.add(2, "--workspace=" + first(message, "workspace.root"));
    }
    Map<String, String> environment = new HashMap<>();
    String data = first(message, "paths.user_data");
    if (!data.isEmpty()) {
      environment.put(UserData.VARIABLE, data);
    }
    OutputStream out = new PrintedText(text -> print(text, "content", terminal));
    OutputStream err = new PrintedText(text -> print(text, "error", terminal));
    int status = runner.run(args.toArray(String[]::new), captured(out, err, environment, terminal));
    new JsonLine().text("type", "exit").number("code", Math.clamp(status, 0, 255)).print(terminal);
    terminal.flush();
    return ExitCodes.OK;
  }

  private static synchronized void print(String text, String channel, Terminal terminal) {
    new JsonLine()
        .text("type", "print")
        .text("text", text)
        .text("channel", channel)
        .print(terminal);
    terminal.flush();
  }

  private static Terminal captured(
      OutputStream out, OutputStream err, Map<String, String> environment, Terminal terminal) {
    return terminal.with(InputStream.nullInputStream(), out, err, environment);
  }

  private static void endOnShutdown(BufferedReader in) {
    try {
      while (true) {
        Map<String, List<String>> message = read(in);
        if (first(message, "type").equals("shutdown")) {
          Runtime.getRuntime().halt(130); // as after Ctrl-C
        }
        if (message.isEmpty()) {
          return; // JP has closed its end
        }
      }
    } catch (IOException e) {
      // Nothing more is coming; the command goes on to its end.
    }
  }

  /// The members of the next message that are strings or numbers, by their path; lists of strings
  /// under one path.
  private static Map<String, List<String>> read(BufferedReader in) throws IOException {
    Map<String, List<String>> members = new HashMap<>();
    String line = readLine(in);
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isScalarValue()) {
          String path =
              parser.streamReadContext().pathAsPointer().toString().replaceFirst("^/", "");
          path = path.replaceFirst("/[0-9]+$", "").replace('/', '.');
          members.computeIfAbsent(path, _ -> new ArrayList<>()).add(parser.getString());
        }
      }
    } catch (JacksonException e) {
      return Map.of("type", List.of("no JSON"));
    }
    return members;
  }

  private static String readLine(BufferedReader in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (line.length() == MESSAGE_CHARS_MAX) {
        throw new CommandException(ExitCodes.USAGE, "jp plugin: a message is too long", null);
      }
      line.append((char) c);
    }
    return line.toString();
  }

  private static String first(Map<String, List<String>> message, String path) {
    return message.getOrDefault(path, List.of("")).getFirst();
  }
}
