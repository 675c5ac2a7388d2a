// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.cli.imports.ImportOutput;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.history.ArchivedSession;
import dev.varve.history.HistoryImport;
import dev.varve.history.HistoryProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve derive`
@Command(
    name = "derive",
    description = {
      "Derives the turns of archived histories again where a newer profile understands more.",
      "",
      "Only archived bytes are read: the agents' files are not needed."
    },
    footer = {"  varve derive"})
final class DeriveCommand implements Callable<Integer> {

  private static final int PAGE = 1000;

  private final CommandSession command;

  @Mixin private final JsonOption output = new JsonOption();

  DeriveCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    ImportOutput listener = new ImportOutput(terminal, output.json());
    try (Store store = command.openForImport();
        ProgressIndicator _ = ProgressIndicator.on(listener::progress, terminal)) {
      for (ArchivedSession session : sessions(store)) {
        Optional<HistoryProfile> profile = HistoryProfiles.find(session.about().agent());
        if (profile.isPresent()) {
          new HistoryImport(store, profile.get(), terminal.clock())
              .derive(session)
              .ifPresent(listener::done);
        }
      }
    } catch (IOException e) {
      throw new StoreException.Io("archive", "cannot be read", e);
    }
    listener.printSummary();
    return ExitCodes.OK;
  }

  /// All sessions, the oldest import first, so that a session stands behind those that it goes on
  /// from.
  private static List<ArchivedSession> sessions(Store store) {
    Map<ContextId, ArchivedSession> sessions = new LinkedHashMap<>();
    ContextId before = null;
    while (true) {
      List<ContextHead> page =
          store.contextsBelow(before, Math.min(PAGE, StoreLimits.DEFAULTS.pageTurns()));
      for (ContextHead head : page) {
        ArchivedSession.findManifest(store, head.id()).ifPresent(s -> sessions.put(head.id(), s));
      }
      if (page.isEmpty()) {
        return new ArrayList<>(sessions.values()).reversed();
      }
      before = page.getLast().id();
    }
  }
}
