// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HexDump;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.PayloadPreview;
import dev.varve.cli.terminal.PrettyJson;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve show`
@Command(
    name = "show",
    description = "Shows a turn: its fields, then its payload.",
    footer = {
      "  varve show 12                  as it counts now",
      "  varve show 12 --as-written     before any patch",
      "  varve show 12 --as-of 3        as it was after overlay 3 of the store",
      "  varve show 12 --raw > f.json   exactly the bytes of the payload",
      "  varve show 12 --json           for programs"
    })
final class ShowCommand implements Callable<Integer> {

  private static final int NAME_COLUMNS = 11;

  /// Which of a turn's states.
  private static final class Moment {
    @Option(
        names = "--as-of",
        required = true,
        paramLabel = "SEQ",
        description = "Ignores the overlays after this overlay.")
    private long seq = -1;

    @Option(names = "--as-written", required = true, description = "Ignores all overlays.")
    private boolean written;
  }

  private final CommandSession command;

  @Parameters(paramLabel = "TURN", description = "The number of the turn.")
  private TurnId id = TurnId.NONE;

  @ArgGroup private @Nullable Moment moment;

  @Option(names = "--raw", description = "Writes the bytes of the payload and nothing else.")
  private boolean raw;

  @Mixin private final JsonOption output = new JsonOption();

  ShowCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    if (raw && output.json()) {
      throw new CommandException(ExitCodes.USAGE, "--raw does not go with --json", null);
    }
    try (Store store = command.openExisting()) {
      Turn turn = store.turn(id, view());
      if (output.json()) {
        printJson(turn, terminal);
      } else if (raw) {
        terminal.write(payload(turn));
      } else {
        printHeader(turn, store.overlays(id), terminal);
        printPayload(turn, terminal);
      }
    }
    return ExitCodes.OK;
  }

  private View view() {
    if (moment == null) {
      return View.LATEST;
    }
    if (moment.written) {
      return View.AS_WRITTEN;
    }
    if (moment.seq < 0) {
      throw new CommandException(
          ExitCodes.USAGE, "--as-of: expected 0 or more, found " + moment.seq, null);
    }
    return View.asOf(moment.seq);
  }

  private static Payload payload(Turn turn) {
    if (turn.payload() == null) {
      throw new CommandException(
          ExitCodes.NOT_FOUND,
          "turn " + turn.id() + " is deleted",
          "'varve show " + turn.id() + " --as-written' shows the former payload.");
    }
    return turn.payload();
  }

  private static void printJson(Turn turn, Terminal terminal) {
    JsonLine line = TurnJson.of(turn);
    Payload payload = turn.payload();
    String text = payload == null ? null : PayloadPreview.findText(payload).orElse(null);
    line.text("payload_text", text);
    line.text("payload_base64", payload == null || text != null ? null : base64(payload));
    line.print(terminal);
  }

  private static String base64(Payload payload) {
    return Base64.getEncoder().encodeToString(payload.unsafeArray());
  }

  private static void printHeader(Turn turn, List<Overlay> overlays, Terminal terminal) {
    Instant at = turn.createdAt();
    field("turn", turn.id().toString(), terminal);
    field("parent", turn.parent().isNone() ? "none, it is a root" : "" + turn.parent(), terminal);
    field("depth", HumanText.number(turn.depth()), terminal);
    field("context", turn.context().toString(), terminal);
    field("type", TurnJson.typeName(turn.type()), terminal);
    field("encoding", turn.encoding().toString(), terminal);
    field("hash", turn.payloadHash().toString(), terminal);
    field("size", HumanText.count(turn.payloadSizeBytes(), "byte"), terminal);
    field(
        "written",
        HumanText.time(at, terminal.zone()) + ", " + HumanText.age(at, terminal.clock().instant()),
        terminal);
    if (turn.fsRoot() != null) {
      field("files", turn.fsRoot().toString(), terminal);
    }
    for (Overlay overlay : overlays) {
      boolean applied = overlay.seq() <= turn.overlaySeq();
      field(
          "overlay",
          overlay.seq() + ": " + word(overlay) + (applied ? "" : " (not applied)"),
          terminal);
    }
    terminal.println("");
  }

  private static String word(Overlay overlay) {
    return switch (overlay.kind()) {
      case PATCH -> "another payload";
      case TOMBSTONE -> "deleted";
      case FS_ROOT -> "a file tree";
    };
  }

  private static void field(String name, String value, Terminal terminal) {
    terminal.println(
        new StyledLine().add(StyledLine.Style.FAINT, name).tab(NAME_COLUMNS).add(value));
  }

  private static void printPayload(Turn turn, Terminal terminal) {
    if (turn.payload() == null) {
      terminal.println("(deleted)");
      return;
    }
    if (!terminal.outIsTerminal()) {
      terminal.write(turn.payload());
      return;
    }
    Optional<String> text = PayloadPreview.findText(TurnPreview.readable(turn, turn.payload()));
    if (text.isPresent()) {
      String pretty = PrettyJson.find(text.get()).orElse(text.get());
      terminal.print(pretty.endsWith("\n") ? pretty : pretty + "\n");
    } else {
      HexDump.print(turn.payload(), terminal);
    }
  }
}
