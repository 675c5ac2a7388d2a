// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.branch.AgentFolder;
import dev.varve.pi.SessionHeader;
import dev.varve.travel.BlobSource;
import dev.varve.travel.Budget;
import dev.varve.travel.BundleFile;
import dev.varve.travel.Door;
import dev.varve.travel.Get;
import dev.varve.travel.Got;
import dev.varve.travel.Moving;
import dev.varve.travel.NoBlobs;
import dev.varve.travel.Placing;
import dev.varve.travel.Visits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve pi get`
@Command(
    name = "get",
    description = {
      "Fetches a branch with the sessions it was forked from, verifies every byte, and writes its"
          + " session where Pi finds it. Prints the file's name.",
      "",
      "A file with other content is never overwritten. What breaks off goes on when called again."
    },
    footer = {
      "  varve pi get HASH --from http://example.org:9010",
      "  varve pi get --from fork.bundle                   all branches of a bundle",
      "  varve pi get HASH                                 from this store, say after a loss",
      "  varve pi get HASH --from /media/stick --cwd .     as a new session of this folder",
      "  pi --session \"$(varve pi get HASH --from /media/stick)\""
    })
final class PiGet implements Callable<Integer> {

  private final Varve varve;
  private volatile String progress = "asking";

  @Parameters(
      arity = "0..*",
      paramLabel = "HASH",
      description = "Branch hashes (default: those of the bundle).")
  private List<String> arguments = List.of();

  @Option(
      names = "--from",
      paramLabel = "PLACE",
      description =
          "A server's address, a bundle, a folder of blobs, or another store's folder (default:"
              + " this store).")
  private @Nullable String from;

  @Option(
      names = "--cwd",
      paramLabel = "DIR",
      description =
          "Makes a new session of it for that folder of this computer. It has a new id, and the"
              + " fetched one as its parent.")
  private @Nullable Path cwd;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where to write the session, instead of where Pi finds it.")
  private @Nullable Path target;

  @Option(names = "--parents", description = "Writes the sessions it was forked from, too.")
  private boolean parents;

  @Option(
      names = "--max-bytes",
      paramLabel = "N",
      description = "How much the source may send for a branch (default: ${DEFAULT-VALUE}).")
  private long bytesMax = 16L << 30;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long a branch may take (default: ${DEFAULT-VALUE}).")
  private long timeoutSeconds = 3_600;

  @Mixin private final PiPlaces places = new PiPlaces();
  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiGet(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    demandSense();
    try (Visits store = new Visits(from == null ? varve::openExisting : varve::openInTurn);
        BlobSource source = source()) {
      if (from == null) {
        store.with(_ -> {}); // refuses at once if there is none
      }
      List<BlobHash> wanted = wanted(source);
      if (target != null && wanted.size() > 1) {
        throw new Refusal(ExitCodes.USAGE, "one file, but " + wanted.size() + " branches", null);
      }
      int status = ExitCodes.OK;
      for (BlobHash branch : wanted) {
        try {
          get(branch, source, store);
        } catch (StoreException | Refusal e) {
          if (wanted.size() == 1) {
            throw e;
          }
          varve.terminal().complain(Line.of("branch " + branch + ": not written"));
          int its = Ending.of(e, varve.terminal());
          status = status == ExitCodes.OK ? its : status;
        }
      }
      return status;
    } catch (StoreException.Io e) {
      throw PiPlaces.refusal(e);
    }
  }

  private void demandSense() {
    if (target != null && cwd != null) {
      throw new Refusal(ExitCodes.USAGE, "--output and --cwd exclude each other", null);
    }
    if (bytesMax < 1 || timeoutSeconds < 1) {
      throw new Refusal(ExitCodes.USAGE, "--max-bytes, --timeout: expected 1 or more", null);
    }
    if (cwd != null && !Files.isDirectory(cwd)) {
      throw new Refusal(ExitCodes.NOT_FOUND, cwd + ": no such folder", null);
    }
  }

  private BlobSource source() {
    return from == null
        ? new NoBlobs(varve.storeFolder().toString())
        : places.source(from, varve.terminal());
  }

  private List<BlobHash> wanted(BlobSource source) {
    if (arguments.isEmpty() && source instanceof BundleFile bundle) {
      if (bundle.branches().isEmpty()) {
        throw new Refusal(ExitCodes.NOT_FOUND, bundle.describe() + ": names no branch", null);
      }
      return bundle.branches();
    }
    if (arguments.isEmpty()) {
      throw new Refusal(
          ExitCodes.USAGE, "get: which branch?", "'varve pi publish' prints its hash.");
    }
    List<BlobHash> branches = new ArrayList<>();
    for (String argument : arguments) {
      branches.add(
          PiPlaces.branch(argument, PiOptions.index(varve))
              .orElseThrow(
                  () ->
                      new Refusal(
                          ExitCodes.USAGE,
                          argument + ": expected a branch hash, 64 hex digits",
                          null)));
    }
    return branches;
  }

  private void get(BlobHash branch, BlobSource source, Door store) {
    Terminal terminal = varve.terminal();
    Budget budget =
        new Budget(
            bytesMax, terminal.clock().instant().plusSeconds(timeoutSeconds), terminal.clock());
    Get get =
        new Get(
            source,
            store,
            PiOptions.notes(varve).resolve("incoming"),
            budget,
            here -> progress = "receiving, " + Words.size(here));
    Got got;
    try (Waiting _ = Waiting.on(() -> progress, terminal)) {
      got = get.branch(branch);
    } catch (StoreException.NotFound e) {
      throw new Refusal(
          ExitCodes.NOT_FOUND,
          String.valueOf(e.getMessage()),
          from == null ? "--from PLACE says where else to look." : null);
    } catch (StoreException.Corrupt e) {
      throw new Refusal(
          ExitCodes.DAMAGED,
          String.valueOf(e.getMessage()),
          from == null ? Hints.of(e) : "Nothing of it was kept.");
    }
    tellEnd(got);
    store.with(open -> place(got, open));
  }

  private void tellEnd(Got got) {
    Terminal terminal = varve.terminal();
    switch (got.end()) {
      case Got.End.Root() -> {}
      case Got.End.Missing(BlobHash blob, BlobHash of) ->
          terminal.say(
              blob.equals(of)
                  ? "The parent branch " + blob + " cannot be had; the session is whole without it."
                  : "The parent branch " + of + " has no session there (" + blob + ").");
      case Got.End.Failed(BlobHash of, String why) ->
          terminal.say("The parent branch " + of + " was not taken: " + why);
    }
  }

  private void place(Got got, Store store) {
    AgentFolder agent = pi.folder(varve.terminal());
    Placing placing = new Placing(store, agent);
    Got.Link link = got.links().getFirst();
    Map<BlobHash, Path> placed = new LinkedHashMap<>();
    if (parents) {
      for (Got.Link parent : got.links().subList(1, got.links().size()).reversed()) {
        placed.put(parent.hash(), file(placing, parent).file());
      }
    }
    Placing.Placed session;
    Moving.@Nullable Moved moved = null;
    if (cwd == null) {
      session = file(placing, link);
      placed.put(link.hash(), session.file());
    } else {
      session = original(placing, link);
      if (session != null) {
        placed.put(link.hash(), session.file());
      }
      moved = move(cwd, session, agent, store, link);
    }
    PiOptions.index(varve).add(placed);
    tell(got, session, moved);
  }

  private Placing.Placed file(Placing placing, Got.Link link) {
    try {
      boolean tip = target != null && !parents;
      return tip && target != null
          ? placing.at(target.toAbsolutePath(), link.sidecar().src())
          : placing.byHeader(link.sidecar().src());
    } catch (StoreException.Conflict e) {
      throw new Refusal(
          ExitCodes.of(e),
          String.valueOf(e.getMessage()),
          "The branch is in the store. -o FILE writes its session elsewhere.");
    } catch (StoreException.Invalid e) {
      throw new Refusal(
          ExitCodes.of(e),
          String.valueOf(e.getMessage()),
          "The branch is in the store. -o FILE writes its session where you say; --cwd DIR makes a"
              + " new one of it.");
    }
  }

  /// Null if its header cannot be part of a path: a new session can be made of it all the same.
  private static Placing.@Nullable Placed original(Placing placing, Got.Link link) {
    try {
      return placing.byHeader(link.sidecar().src());
    } catch (StoreException.Invalid e) {
      return null;
    }
  }

  private Moving.Moved move(
      Path folder,
      Placing.@Nullable Placed original,
      AgentFolder agent,
      Store store,
      Got.Link link) {
    try {
      return new Moving(store, agent, varve.terminal().clock().instant(), new SecureRandom())
          .to(folder.toRealPath(), original == null ? null : original.file(), link.sidecar().src());
    } catch (IOException e) {
      throw new Refusal(ExitCodes.NOT_FOUND, folder + ": no such folder", null);
    }
  }

  private void tell(Got got, Placing.@Nullable Placed session, Moving.@Nullable Moved moved) {
    Terminal terminal = varve.terminal();
    Got.Link link = got.links().getFirst();
    String file =
        moved != null
            ? moved.file().toString()
            : session == null ? null : session.file().toString();
    if (output.json()) {
      new JsonLine()
          .text("file", file)
          .hash("branch_hash", link.hash())
          .hash("src_hash", link.sidecar().src())
          .hash("parent_hash", link.sidecar().parent())
          .bool("written", moved != null || (session != null && session.isNew()))
          .text("new_session", moved == null ? null : moved.id())
          .number("chain", got.links().size())
          .bool("complete", got.complete())
          .number("blobs_new", got.blobsNew())
          .number("bytes_received", got.bytesReceived())
          .print(terminal);
    } else {
      terminal.println(String.valueOf(file));
    }
    if (moved != null) {
      terminal.say("This is a new session, " + moved.id() + ", made of the one that was fetched.");
    } else if (session != null && !session.isNew()) {
      terminal.say("It was there already.");
    }
    if (moved == null && session != null) {
      session.header().ifPresent(header -> tellFolder(header, terminal));
    }
  }

  private static void tellFolder(SessionHeader header, Terminal terminal) {
    if (!isFolder(header.cwd())) {
      terminal.say(
          "Its folder "
              + header.cwd()
              + " is not on this computer; --cwd DIR makes a new session of it for another one.");
    }
  }

  private static boolean isFolder(String name) {
    try {
      return Files.isDirectory(Path.of(name));
    } catch (InvalidPathException e) {
      return false; // a header may say anything
    }
  }
}
