// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.pi.branch.BranchLineage.Problem;
import dev.varve.pi.session.PlainFileName;
import dev.varve.pi.session.SessionHeader;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// From a session file to its branch (spec 000): the session is hashed, its parents' branches are
/// computed, root first, and its own follows.
///
/// A session that is as it was when it was last published is the same branch again, though its
/// parent may have grown since. A parent that is no longer here is taken from what is remembered;
/// so a session that came from another computer, where its parents' paths mean something, keeps its
/// parents when it goes on here.
///
/// Each session is hashed once in the life of one of these, so that many forks of one parent agree
/// on it. Lines of parents may be of any length.
public final class BranchBuilder {

  private final SessionHasher hasher;
  private final KnownBranches known;
  private final boolean verifying;
  private final Map<Path, Resolved> resolved = new HashMap<>();

  private BranchBuilder(SessionHasher hasher, KnownBranches known, boolean verifying) {
    this.hasher = hasher;
    this.known = known;
    this.verifying = verifying;
  }

  public static BranchBuilder of(SessionHasher hasher, KnownBranches known) {
    return new BranchBuilder(hasher, known, false);
  }

  /// Reads every session from its first byte to its last, whatever is remembered of it.
  public static BranchBuilder verifying(SessionHasher hasher, KnownBranches known) {
    return new BranchBuilder(hasher, known, true);
  }

  /// The branch of `session` and those it was forked from.
  ///
  /// @throws StoreException.NotFound if there is no such file
  /// @throws StoreException.Invalid if no session header begins it
  /// @throws StoreException.Io if it, or a parent, cannot be read
  public BranchLineage of(Path session) {
    Path file =
        real(session).orElseThrow(() -> new StoreException.NotFound("file", session.toString()));
    SessionHeader header =
        SessionHeader.find(file)
            .orElseThrow(
                () ->
                    new StoreException.Invalid(
                        session.toString(), "expected a session of Pi, found no header"));
    Map<Path, SessionHeader> line = new LinkedHashMap<>(); // from the session to its parents
    Map<Path, Step> steps = new HashMap<>();
    Step step = new Step.To(file, header, List.of());
    while (step instanceof Step.To(Path to, SessionHeader read, List<Problem> _)
        && !resolved.containsKey(to)) {
      line.put(to, read);
      step = stepFrom(to, read, line);
      steps.put(to, step);
    }
    for (Path each : List.copyOf(line.keySet()).reversed()) {
      resolved.put(each, resolve(each, Objects.requireNonNull(steps.get(each))));
    }
    return lineage(file);
  }

  private record Resolved(Branch branch, @Nullable Path parent, List<Problem> problems) {}

  private Resolved resolve(Path session, Step step) {
    return switch (step) {
      case Step.To(Path parent, SessionHeader _, List<Problem> problems) -> {
        Resolved before = Objects.requireNonNull(resolved.get(parent));
        yield new Resolved(branch(session, before.branch.hash()), parent, problems);
      }
      case Step.End(BlobHash parent, List<Problem> problems) ->
          new Resolved(branch(session, parent), null, problems);
    };
  }

  private BranchLineage lineage(Path session) {
    List<Branch> branches = new ArrayList<>();
    List<Problem> problems = new ArrayList<>();
    for (Path at = session; at != null; ) {
      Resolved found = Objects.requireNonNull(resolved.get(at));
      branches.add(found.branch);
      problems.addAll(found.problems);
      at = found.parent;
    }
    return new BranchLineage(branches.reversed(), problems);
  }

  /// A step to the session that `parentSession` names.
  private sealed interface Step {
    record To(Path file, SessionHeader header, List<Problem> problems) implements Step {}

    record End(@Nullable BlobHash parent, List<Problem> problems) implements Step {}
  }

  private Step stepFrom(Path session, SessionHeader header, Map<Path, SessionHeader> line) {
    String named = header.parentSession();
    if (named == null || named.isEmpty()) {
      return new Step.End(null, List.of());
    }
    List<Problem> problems = new ArrayList<>();
    Optional<Path> parent = absolute(named).flatMap(BranchBuilder::real);
    if (parent.isEmpty()) {
      parent = beside(session, named);
      parent.ifPresent(found -> problems.add(new Problem.Moved(session, named, found)));
    }
    if (parent.isEmpty()) {
      return remembered(session, new Problem.Missing(session, named));
    }
    Path file = parent.get();
    if (line.containsKey(file)) {
      return new Step.End(null, List.of(new Problem.Circle(session, named)));
    }
    // Not just any file may be published because a header, which may come from anywhere, names it.
    try {
      return SessionHeader.find(file)
          .<Step>map(next -> new Step.To(file, next, problems))
          .orElseGet(() -> new Step.End(null, List.of(new Problem.NoSession(session, named))));
    } catch (StoreException.Io e) {
      return remembered(session, new Problem.Unreadable(session, named));
    }
  }

  /// Whole folders are moved and copied; a session's file name has its id.
  private static Optional<Path> beside(Path session, String named) {
    String name = named.substring(Math.max(named.lastIndexOf('/'), named.lastIndexOf('\\')) + 1);
    return PlainFileName.is(name)
        ? real(session.resolveSibling(name)).filter(found -> !found.equals(session))
        : Optional.empty();
  }

  /// The parent that this session had, else the branch that the missing file was.
  ///
  /// @param otherwise what is wrong if neither is known
  private Step remembered(Path session, Problem otherwise) {
    String named = otherwise.parent();
    Optional<BlobHash> parent =
        known.of(session).stream()
            .map(sidecar -> Sidecar.read(sidecar, session.toString()).parent())
            .filter(Objects::nonNull)
            .findFirst();
    if (parent.isEmpty()) {
      parent =
          absolute(named).stream()
              .flatMap(path -> known.of(path).stream())
              .map(sidecar -> Blake3.hash(sidecar.unsafeArray()))
              .findFirst();
    }
    Problem problem =
        parent.isPresent() ? new Problem.Remembered(session, named, parent.get()) : otherwise;
    return new Step.End(parent.orElse(null), List.of(problem));
  }

  private Branch branch(Path session, @Nullable BlobHash parent) {
    HashedSession content = verifying ? hasher.hashWhole(session) : hasher.hash(session);
    Sidecar fresh = new Sidecar(content.hash(), parent);
    if (parent != null) {
      for (Payload former : known.of(session)) {
        Sidecar sidecar = Sidecar.read(former, session.toString());
        if (sidecar.src().equals(content.hash()) && sidecar.parent() != null) {
          return new Branch(session, content, former);
        }
      }
    }
    return new Branch(session, content, fresh.payload());
  }

  private static Optional<Path> absolute(String named) {
    try {
      return Optional.of(Path.of(named)).filter(Path::isAbsolute);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static Optional<Path> real(Path file) {
    try {
      return Optional.of(file.toRealPath());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
