// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.StoreException;
import dev.varve.cli.pi.PiOptions;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.Terminal;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.pi.RestorePoints;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A session whose entries stand for snapshots.
final class PointOption {

  @Option(
      names = "--session",
      paramLabel = "SESSION",
      description = "A session of Pi, a file or an id: names are then ids of its entries.")
  private @Nullable String session;

  @Mixin private final PiOptions pi = new PiOptions();

  /// The points of the session; null if the command line names none.
  @Nullable RestorePoints points(Rewind rewind, Terminal terminal) {
    return session == null ? null : RestorePoints.of(file(session, terminal), rewind);
  }

  /// The snapshot of this name, or the one of the session's entry of this name.
  Snapshot snapshot(Rewind rewind, String name, Terminal terminal) {
    RestorePoints points = points(rewind, terminal);
    if (points == null) {
      return rewind.snapshot(name);
    }
    String snapshot = points.at(name);
    if (snapshot == null) {
      throw new StoreException.NotFound("point", name);
    }
    return rewind.snapshot(snapshot);
  }

  private Path file(String named, Terminal terminal) {
    try {
      Path file = Path.of(named);
      if (Files.isRegularFile(file)) {
        return file.toAbsolutePath();
      }
    } catch (InvalidPathException e) {
      // an id, then
    }
    List<Path> found = pi.folder(terminal).find(named);
    if (found.size() != 1) {
      throw new CommandException(
          ExitCodes.NOT_FOUND,
          "--session " + named + ": " + (found.isEmpty() ? "no such session" : "several sessions"),
          null);
    }
    return found.getFirst();
  }
}
