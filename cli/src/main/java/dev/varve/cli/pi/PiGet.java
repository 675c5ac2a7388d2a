// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.access.StoreVisits;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ErrorExit;
import dev.varve.cli.session.ErrorHints;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.pi.branch.AgentFolder;
import dev.varve.pi.exchange.BlobSource;
import dev.varve.pi.exchange.BranchFetch;
import dev.varve.pi.exchange.BundleFile;
import dev.varve.pi.exchange.FetchResult;
import dev.varve.pi.exchange.NoBlobs;
import dev.varve.pi.exchange.SessionMove;
import dev.varve.pi.exchange.SessionPlacement;
import dev.varve.pi.exchange.TransferBudget;
import dev.varve.pi.session.SessionHeader;
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
      "A file with other content is never overwritten. A fetch that broke off goes on at the next"
          + " call."
    },
    footer = {
      "  varve pi get HASH --from http://example.org:9010",
      "  varve pi get --from fork.bundle                   all branches of a bundle",
      "  varve pi get HASH                                 from this store, say after a loss",
      "  varve pi get HASH --from /media/stick --cwd .     as a new session of this folder",
      "  pi --session \"$(varve pi get HASH --from /media/stick)\""
    })
final class PiGet implements Callable<Integer> {

  private final CommandSession command;
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
          "Makes a new session for that folder of this computer. The new session has a new id, and"
              + " the fetched session as its parent.")
  private @Nullable Path cwd;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "The file of the session, instead of the place where Pi finds the session.")
  private @Nullable Path target;

  @Option(
      names = "--update",
      description =
          "Appends the new entries to an earlier version of the session. Not while Pi has the"
              + " session open.")
  private boolean update;

  @Option(
      names = "--parents",
      description = "Writes also the sessions from which the session was forked.")
  private boolean parents;

  @Option(
      names = "--max-bytes",
      paramLabel = "N",
      description =
          "The most bytes that the source may send for a branch (default: ${DEFAULT-VALUE}).")
  private long bytesMax = 16L << 30;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "The longest time for a branch (default: ${DEFAULT-VALUE}).")
  private long timeoutSeconds = 3_600;

  @Mixin private final PiPlaces places = new PiPlaces();
  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiGet(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    demandSense();
    try (StoreVisits store = new StoreVisits(from == null ? command::openExisting : command::open);
        BlobSource source = source()) {
      if (from == null) {
        store.with(_ -> {}); // refuses at once if there is none
      }
      List<BlobHash> wanted = wanted(source);
      if (target != null && wanted.size() > 1) {
        throw new CommandException(
            ExitCodes.USAGE, "one file, but " + wanted.size() + " branches", null);
      }
      int status = ExitCodes.OK;
      for (BlobHash branch : wanted) {
        try {
          get(branch, source, store);
        } catch (StoreException | CommandException e) {
          if (wanted.size() == 1) {
            throw e;
          }
          command.terminal().complain(StyledLine.of("branch " + branch + ": not written"));
          int its = ErrorExit.of(e, command.terminal());
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
      throw new CommandException(ExitCodes.USAGE, "--output and --cwd exclude each other", null);
    }
    if (bytesMax < 1 || timeoutSeconds < 1) {
      throw new CommandException(
          ExitCodes.USAGE, "--max-bytes, --timeout: expected 1 or more", null);
    }
    if (cwd != null && !Files.isDirectory(cwd)) {
      throw new CommandException(ExitCodes.NOT_FOUND, cwd + ": no such folder", null);
    }
  }

  private BlobSource source() {
    return from == null
        ? new NoBlobs(command.storeFolder().toString())
        : places.source(from, command);
  }

  private List<BlobHash> wanted(BlobSource source) {
    if (arguments.isEmpty() && source instanceof BundleFile bundle) {
      if (bundle.branches().isEmpty()) {
        throw new CommandException(
            ExitCodes.NOT_FOUND, bundle.describe() + ": names no branch", null);
      }
      return bundle.branches();
    }
    if (arguments.isEmpty()) {
      throw new CommandException(
          ExitCodes.USAGE, "get: which branch?", "'varve pi publish' prints its hash.");
    }
    List<BlobHash> branches = new ArrayList<>();
    for (String argument : arguments) {
      branches.add(
          PiPlaces.branch(argument, PiOptions.index(command))
              .orElseThrow(
                  () ->
                      new CommandException(
                          ExitCodes.USAGE,
                          argument + ": expected a branch hash, 64 hex digits",
                          null)));
    }
    return branches;
  }

  private void get(BlobHash branch, BlobSource source, StoreVisits store) {
    Terminal terminal = command.terminal();
    TransferBudget budget =
        new TransferBudget(
            bytesMax, terminal.clock().instant().plusSeconds(timeoutSeconds), terminal.clock());
    BranchFetch get =
        new BranchFetch(
            source,
            store,
            PiOptions.notes(command).resolve("incoming"),
            budget,
            here -> progress = "receiving, " + HumanText.size(here));
    FetchResult got;
    try (ProgressIndicator _ = ProgressIndicator.on(() -> progress, terminal)) {
      got = get.branch(branch);
    } catch (StoreException.NotFound e) {
      throw new CommandException(
          ExitCodes.NOT_FOUND,
          String.valueOf(e.getMessage()),
          from == null ? "--from PLACE says where else to look." : null);
    } catch (StoreException.Corrupt e) {
      throw new CommandException(
          ExitCodes.DAMAGED,
          String.valueOf(e.getMessage()),
          from == null ? ErrorHints.of(e) : "Nothing of the branch was kept.");
    }
    reportEnd(got);
    store.with(open -> place(got, open));
  }

  private void reportEnd(FetchResult got) {
    Terminal terminal = command.terminal();
    switch (got.end()) {
      case FetchResult.End.Root() -> {}
      case FetchResult.End.Missing(BlobHash blob, BlobHash of) ->
          terminal.say(
              blob.equals(of)
                  ? "The parent branch "
                      + blob
                      + " cannot be fetched; the session is whole without it."
                  : "The parent branch " + of + " has no session there (" + blob + ").");
      case FetchResult.End.Failed(BlobHash of, String why) ->
          terminal.say("The parent branch " + of + " was not taken: " + why);
    }
  }

  private void place(FetchResult got, Store store) {
    AgentFolder agent = pi.folder(command.terminal());
    SessionPlacement placing = new SessionPlacement(store, agent, update);
    FetchResult.Link link = got.links().getFirst();
    Map<BlobHash, Path> placed = new LinkedHashMap<>();
    if (parents) {
      for (FetchResult.Link parent : got.links().subList(1, got.links().size()).reversed()) {
        placed.put(parent.hash(), file(placing, parent).file());
      }
    }
    SessionPlacement.Placed session;
    SessionMove.@Nullable Moved moved = null;
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
    PiOptions.index(command).add(placed);
    report(got, session, moved);
  }

  private SessionPlacement.Placed file(SessionPlacement placing, FetchResult.Link link) {
    try {
      boolean tip = target != null && !parents;
      return tip && target != null
          ? placing.at(target.toAbsolutePath(), link.sidecar().src())
          : placing.byHeader(link.sidecar().src());
    } catch (StoreException.Conflict e) {
      throw new CommandException(
          ExitCodes.of(e),
          String.valueOf(e.getMessage()),
          e.found().startsWith("an earlier version")
              ? "The branch is in the store. --update appends the new entries, once Pi has closed"
                  + " the session; -o FILE writes it elsewhere."
              : "The branch is in the store. -o FILE writes its session elsewhere.");
    } catch (StoreException.Invalid e) {
      throw new CommandException(
          ExitCodes.of(e),
          String.valueOf(e.getMessage()),
          "The branch is in the store. -o FILE writes its session; --cwd DIR makes a new one.");
    }
  }

  /// Null if its header cannot be part of a path: a new session can be made of it all the same.
  private static SessionPlacement.@Nullable Placed original(
      SessionPlacement placing, FetchResult.Link link) {
    try {
      return placing.byHeader(link.sidecar().src());
    } catch (StoreException.Invalid e) {
      return null;
    }
  }

  private SessionMove.Moved move(
      Path folder,
      SessionPlacement.@Nullable Placed original,
      AgentFolder agent,
      Store store,
      FetchResult.Link link) {
    try {
      return new SessionMove(store, agent, command.terminal().clock().instant(), new SecureRandom())
          .to(folder.toRealPath(), original == null ? null : original.file(), link.sidecar().src());
    } catch (IOException e) {
      throw new CommandException(ExitCodes.NOT_FOUND, folder + ": no such folder", null);
    }
  }

  private void report(
      FetchResult got,
      SessionPlacement.@Nullable Placed session,
      SessionMove.@Nullable Moved moved) {
    Terminal terminal = command.terminal();
    FetchResult.Link link = got.links().getFirst();
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
      terminal.say("This is a new session, " + moved.id() + ", made from the fetched session.");
    } else if (session != null && !session.isNew()) {
      terminal.say("The file was there already.");
    }
    if (moved == null && session != null) {
      session.header().ifPresent(header -> reportFolder(header, terminal));
    }
  }

  private static void reportFolder(SessionHeader header, Terminal terminal) {
    if (!isFolder(header.cwd())) {
      terminal.say(
          header.cwd() + ": no such folder here; --cwd DIR makes a new session for another.");
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
