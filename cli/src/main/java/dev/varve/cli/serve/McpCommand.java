// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.access.StoreVisits;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.Version;
import dev.varve.cli.terminal.Terminal;
import dev.varve.server.StoreTools;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/// `varve mcp`: the store as tools for an agent that starts this command and speaks the Model
/// Context Protocol with it over standard input and output, one message a line.
///
/// The store is open only while messages are answered, so that any number of agents and commands
/// use one store.
@Command(
    name = "mcp",
    description = "Gives an agent the store as tools, over standard input and output (MCP).",
    footer = {
      "  claude mcp add varve -- varve mcp          for Claude Code",
      "  codex mcp add varve -- varve mcp           for Codex",
      "  varve mcp --store ./shared                 the tools of another store"
    })
final class McpCommand implements Callable<Integer> {

  private static final Payload LINE_END = Payload.utf8("\n");

  private final CommandSession command;

  McpCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() throws IOException {
    Terminal terminal = command.terminal();
    InputStream in = new BufferedInputStream(terminal.in());
    try (StoreVisits visits = new StoreVisits(() -> command.access().open())) {
      for (byte[] line = line(in); line != null; line = line(in)) {
        if (line.length > 0) {
          answer(visits, line).ifPresent(answer -> print(answer, terminal));
        }
      }
    }
    return ExitCodes.OK;
  }

  private static void print(byte[] answer, Terminal terminal) {
    terminal.write(Payload.wrap(answer));
    terminal.write(LINE_END);
    terminal.flush();
  }

  private Optional<byte[]> answer(StoreVisits visits, byte[] line) {
    if (line.length > StoreTools.MESSAGE_BYTES_MAX) {
      return Optional.of(
          StoreTools.unreadable(
              "message: expected at most " + StoreTools.MESSAGE_BYTES_MAX + " bytes, found more"));
    }
    try {
      return visits.ask(
          store -> {
            try (StoreTools tools =
                StoreTools.of(
                    store,
                    command.storeFolder(),
                    Version.text().substring("varve ".length()),
                    command.terminal().clock())) {
              return tools.answer(line);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (StoreException e) {
      return StoreTools.failure(line, String.valueOf(e.getMessage()));
    }
  }

  /// The next line without its end, cut one byte above the longest message; null at the end.
  private static byte @Nullable [] line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    if (next < 0) {
      return null;
    }
    for (; next >= 0 && next != '\n'; next = in.read()) {
      if (line.size() <= StoreTools.MESSAGE_BYTES_MAX && next != '\r') {
        line.write(next);
      }
    }
    return line.toByteArray();
  }
}
