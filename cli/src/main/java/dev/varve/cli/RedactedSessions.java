// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.StoreException;
import dev.varve.branch.Branch;
import dev.varve.branch.Branches;
import dev.varve.branch.HashStates;
import dev.varve.branch.KnownBranches;
import dev.varve.branch.SessionHasher;
import dev.varve.pi.SessionHeader;
import dev.varve.secrets.AllowList;
import dev.varve.secrets.Redaction;
import dev.varve.secrets.RedactionReport;
import dev.varve.secrets.RuleSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
    Redaction.Parent parent = new Redaction.Parent.None();
    Path copy = session;
    for (Branch branch : Branches.of(hasher, KnownBranches.NONE).of(session).rootFirst()) {
      Path known = copies.get(branch.session());
      copy = known != null ? known : make(branch.session(), parent);
      copies.put(branch.session(), copy);
      parent = new Redaction.Parent.In(copy);
    }
    return copy;
  }

  private Path make(Path session, Redaction.Parent parent) {
    if (parent instanceof Redaction.Parent.None && isFork(session)) {
      terminal.say(session + ": the session it was forked from is not here; the copy names none");
    }
    try {
      Files.createDirectories(folder);
      Path draft = folder.resolve(".draft-" + System.nanoTime() + ".jsonl");
      try {
        RedactionReport report = Redaction.write(session, draft, parent, rules, allowed, progress);
        terminal.say(
            session
                + ": "
                + Words.count(report.secrets(), "credential")
                + " replaced; looked through again: none is seen");
        PiRedact.warn(report, terminal);
        Path copy = folder.resolve(report.hash() + ".jsonl");
        Files.move(draft, copy, StandardCopyOption.REPLACE_EXISTING); // by the same bytes
        return copy;
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException e) {
      throw new StoreException.Io(folder.toString(), "cannot be written", e);
    }
  }

  private static boolean isFork(Path session) {
    return SessionHeader.find(session).filter(h -> h.parentSession() != null).isPresent();
  }
}
