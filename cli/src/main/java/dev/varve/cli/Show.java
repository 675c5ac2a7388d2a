// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
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
    description = "Shows a turn: what is known of it, then its payload.",
    footer = {
      "  varve show 12                  as it counts now",
      "  varve show 12 --as-written     before any patch",
      "  varve show 12 --as-of 3        as it was after overlay 3 of the store",
      "  varve show 12 --raw > f.json   exactly the bytes of the payload",
      "  varve show 12 --json           for programs"
    })
final class Show implements Callable<Integer> {

  private static final int NAME_COLUMNS = 11;

  /// Which of a turn's states.
  private static final class Moment {
    @Option(
        names = "--as-of",
        required = true,
        paramLabel = "SEQ",
        description = "Ignores the overlays after this one.")
    private long seq = -1;

    @Option(names = "--as-written", required = true, description = "Ignores all overlays.")
    private boolean written;
  }

  private final Varve varve;

  @Parameters(paramLabel = "TURN", description = "Its number.")
  private TurnId id = TurnId.NONE;

  @ArgGroup private @Nullable Moment moment;

  @Option(names = "--raw", description = "Writes the bytes of the payload and nothing else.")
  private boolean raw;

  @Mixin private final JsonOption output = new JsonOption();

  Show(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    if (raw && output.json()) {
      throw new Refusal(ExitCodes.USAGE, "--raw does not go with --json", null);
    }
    try (Store store = varve.openExisting()) {
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
      throw new Refusal(ExitCodes.USAGE, "--as-of: expected 0 or more, found " + moment.seq, null);
    }
    return View.asOf(moment.seq);
  }

  private static Payload payload(Turn turn) {
    if (turn.payload() == null) {
      throw new Refusal(
          ExitCodes.NOT_FOUND,
          "turn " + turn.id() + " is deleted",
          "'varve show " + turn.id() + " --as-written' shows what it was.");
    }
    return turn.payload();
  }

  private static void printJson(Turn turn, Terminal terminal) {
    JsonLine line = TurnJson.of(turn);
    Payload payload = turn.payload();
    String text = payload == null ? null : Preview.findText(payload).orElse(null);
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
    field("depth", Words.number(turn.depth()), terminal);
    field("context", turn.context().toString(), terminal);
    field("type", TurnJson.typeName(turn.type()), terminal);
    field("encoding", turn.encoding().toString(), terminal);
    field("hash", turn.payloadHash().toString(), terminal);
    field("size", Words.count(turn.payloadSizeBytes(), "byte"), terminal);
    field(
        "written",
        Words.time(at, terminal.zone()) + ", " + Words.age(at, terminal.clock().instant()),
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
    terminal.println(new Line().add(Line.Style.FAINT, name).tab(NAME_COLUMNS).add(value));
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
    Optional<String> text = Preview.findText(turn.payload());
    if (text.isPresent()) {
      String pretty = PrettyJson.find(text.get()).orElse(text.get());
      terminal.print(pretty.endsWith("\n") ? pretty : pretty + "\n");
    } else {
      HexDump.print(turn.payload(), terminal);
    }
  }
}
