// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.EraseRequest;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.SafeText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.rewind.removal.RepositoryErasure;
import dev.varve.rewind.removal.WantedContent;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The snapshots in repositories of git that have content of an erasure, or belong to erased
/// contexts.
///
/// @param findings repositories with such snapshots
/// @param unread folders in which nothing could be searched, with the reason
record GitSnapshots(List<GitFinding> findings, Map<String, String> unread) {

  static final GitSnapshots NONE = new GitSnapshots(List.of(), Map.of());

  private static final int LISTED_MAX = 20;

  /// Searches the repositories that the store and the command line know.
  ///
  /// @param named folders of repositories
  /// @param now the time by which holds last
  /// @param progress hears which repository is read
  /// @throws StoreException.NotFound if a named folder is in no repository
  static GitSnapshots find(
      Store store, EraseRequest request, List<Path> named, Instant now, Consumer<String> progress) {
    if (request.contexts().isEmpty() && request.blobs().isEmpty() && request.secrets().isEmpty()) {
      return NONE;
    }
    boolean isByContext = request.blobs().isEmpty() && request.secrets().isEmpty();
    GitRepositories repositories =
        GitRepositories.of(named, isByContext ? request.contexts() : Set.of(), store);
    Map<String, String> unread = new LinkedHashMap<>(repositories.unread());
    List<GitFinding> findings = new ArrayList<>();
    if (!repositories.found().isEmpty()) {
      WantedContent wanted =
          new WantedContent(
              ContentLook.of(request), new SessionSnapshots(store, now).of(request.contexts()));
      for (RepositoryErasure repository : repositories.found()) {
        int[] read = {0};
        try {
          GitFinding finding =
              GitFinding.in(
                  repository, wanted, () -> progress.accept(reading(repository.root(), read[0]++)));
          if (!finding.isEmpty()) {
            findings.add(finding);
          }
          if (finding.isIncomplete()) {
            unread.put(finding.root(), "objects of snapshots are missing");
          }
        } catch (StoreException e) {
          unread.put(repository.root().toString(), String.valueOf(e.getMessage()));
        }
      }
    }
    return new GitSnapshots(findings, unread);
  }

  private static String reading(Path root, int snapshots) {
    return "reading " + HumanText.count(snapshots, "snapshot") + " of " + root.getFileName();
  }

  int snapshots() {
    return findings.stream().mapToInt(GitFinding::snapshots).sum();
  }

  /// Takes the snapshots out of all repositories. A repository that refuses leaves the others as
  /// they are wanted.
  List<GitFinding.Outcome> remove(Consumer<String> progress) {
    List<GitFinding.Outcome> outcomes = new ArrayList<>();
    for (GitFinding finding : findings) {
      progress.accept("pruning " + finding.repository().root().getFileName());
      outcomes.add(finding.remove());
    }
    return outcomes;
  }

  void print(Terminal terminal) {
    for (GitFinding finding : findings) {
      terminal.println(
          "snapshots in git: "
              + HumanText.number(finding.snapshots())
              + " of "
              + SafeText.line(finding.root()));
      list(finding.paths().stream(), terminal);
      list(
          finding.users().entrySet().stream()
              .map(user -> finding.path(user.getKey()) + " also in your " + user.getValue()),
          terminal);
      if (finding.isBegun()) {
        terminal.println("  a removal broke off here");
      }
    }
    unread.entrySet().stream()
        .limit(LISTED_MAX)
        .forEach(
            folder ->
                terminal.println(
                    "snapshots not searched: "
                        + SafeText.line(folder.getKey() + ": " + folder.getValue())));
    if (unread.size() > LISTED_MAX) {
      terminal.println(
          "… and " + HumanText.number(unread.size() - LISTED_MAX) + " more; --json lists all");
    }
  }

  private static void list(Stream<String> lines, Terminal terminal) {
    List<String> all = lines.toList();
    all.stream().limit(LISTED_MAX).forEach(line -> terminal.println("  " + SafeText.line(line)));
    if (all.size() > LISTED_MAX) {
      terminal.println("  … and " + HumanText.number(all.size() - LISTED_MAX) + " more");
    }
  }

  /// Prints the outcome of a removal.
  static void print(List<GitFinding.Outcome> outcomes, Terminal terminal) {
    for (GitFinding.Outcome outcome : outcomes) {
      if (!outcome.problem().isEmpty()) {
        terminal.println("not pruned: " + SafeText.line(outcome.root() + ": " + outcome.problem()));
        continue;
      }
      terminal.println(
          "pruned: "
              + HumanText.count(outcome.snapshots(), "snapshot")
              + " of "
              + SafeText.line(outcome.root())
              + ", "
              + HumanText.count(outcome.objects(), "object"));
      list(
          outcome.staying().entrySet().stream()
              .map(
                  object ->
                      outcome.finding().path(object.getKey()) + " stays in " + object.getValue()),
          terminal);
    }
  }

  JsonLine add(JsonLine line) {
    return line.objects(
            "git",
            findings,
            (each, finding) ->
                each.text("repository", finding.root())
                    .number("snapshots", finding.snapshots())
                    .bool("broken_off", finding.isBegun())
                    .objects("paths", finding.paths(), (path, name) -> path.text("path", name))
                    .objects(
                        "own",
                        finding.users().entrySet(),
                        (object, user) ->
                            object
                                .text("object", user.getKey())
                                .text("path", finding.path(user.getKey()))
                                .text("place", user.getValue())))
        .objects(
            "git_unread",
            unread.entrySet(),
            (each, folder) -> each.text("folder", folder.getKey()).text("why", folder.getValue()));
  }

  /// Adds the outcome of a removal.
  static JsonLine add(List<GitFinding.Outcome> outcomes, JsonLine line) {
    return line.objects(
        "git_pruned",
        outcomes,
        (each, outcome) ->
            each.text("repository", outcome.root())
                .number("snapshots", outcome.snapshots())
                .number("objects_gone", outcome.objects())
                .objects("objects", outcome.gone(), (object, id) -> object.text("object", id))
                .objects(
                    "staying",
                    outcome.staying().entrySet(),
                    (object, why) ->
                        object
                            .text("object", why.getKey())
                            .text("path", outcome.finding().path(why.getKey()))
                            .text("why", why.getValue()))
                .text("problem", outcome.problem().isEmpty() ? null : outcome.problem()));
  }
}
