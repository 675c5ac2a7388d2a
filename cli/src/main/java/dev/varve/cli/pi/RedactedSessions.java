// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.StoreException;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.disk.FileAccess;
import dev.varve.pi.branch.Branch;
import dev.varve.pi.branch.BranchBuilder;
import dev.varve.pi.branch.HashStates;
import dev.varve.pi.branch.KnownBranches;
import dev.varve.pi.branch.SessionHasher;
import dev.varve.pi.secrets.RedactionReport;
import dev.varve.pi.secrets.SessionRedaction;
import dev.varve.pi.session.SessionHeader;
import dev.varve.secrets.AllowList;
import dev.varve.secrets.RuleSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/// Copies without credentials of sessions that are to be published, and of the sessions they were
/// forked from: a branch brings its parents along, so each copy names the copy of its parent.
///
/// They lie in a folder of Varve's, each under the hash of its content.
final class RedactedSessions {

  private final Path folder;
  private final RuleSet rules;
  private final AllowList allowed;
  private final Terminal terminal;
  private final LongConsumer progress;
  private final Map<Path, Path> copies = new HashMap<>();

  RedactedSessions(
      Path folder, RuleSet rules, AllowList allowed, Terminal terminal, LongConsumer progress) {
    this.folder = folder.toAbsolutePath();
    this.rules = rules;
    this.allowed = allowed;
    this.terminal = terminal;
    this.progress = progress;
  }

  /// The copy of `session`, made with those of its parents.
  Path of(Path session) {
    SessionHasher hasher = new SessionHasher(new HashStates.None(), terminal.clock(), progress);
    SessionRedaction.Parent parent = new SessionRedaction.Parent.None();
    Path copy = session;
    for (Branch branch : BranchBuilder.of(hasher, KnownBranches.NONE).of(session).rootFirst()) {
      Path known = copies.get(branch.session());
      copy = known != null ? known : make(branch.session(), parent);
      copies.put(branch.session(), copy);
      parent = new SessionRedaction.Parent.In(copy);
    }
    return copy;
  }

  private Path make(Path session, SessionRedaction.Parent parent) {
    if (parent instanceof SessionRedaction.Parent.None && isFork(session)) {
      terminal.say(session + ": the session it was forked from is not here; the copy names none");
    }
    try {
      FileAccess.OWNER_ONLY.makeFolders(folder);
    } catch (IOException e) {
      throw new StoreException.Io(folder.toString(), "cannot be written", e);
    }
    RedactionReport report =
        SessionRedaction.writeByHash(session, folder, parent, rules, allowed, progress);
    terminal.say(
        session
            + ": "
            + HumanText.count(report.secrets(), "credential")
            + " replaced; looked through again: none is seen");
    PiRedact.warn(report, terminal);
    return report.copy();
  }

  private static boolean isFork(Path session) {
    return SessionHeader.find(session).filter(h -> h.parentSession() != null).isPresent();
  }
}
