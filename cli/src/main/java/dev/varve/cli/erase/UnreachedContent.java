// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.BlobHash;
import dev.varve.ErasePlan;
import dev.varve.EraseRequest;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.SafeText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Content that an erasure does not reach, although it may be what somebody wanted gone.
///
/// @param files files of the store's folder that have a secret, or cannot be read
/// @param published published sessions whose contexts are erased
/// @param git snapshots in repositories of git
record UnreachedContent(
    List<SecretPlaces.Place> files, List<PublishedSessions.Copy> published, GitSnapshots git) {

  static final UnreachedContent NONE =
      new UnreachedContent(List.of(), List.of(), GitSnapshots.NONE);

  static UnreachedContent of(
      Path storeFolder, Store store, EraseRequest request, ErasePlan plan, GitSnapshots git)
      throws IOException {
    Set<BlobHash> going =
        plan.going().stream().map(ErasePlan.GoingBlob::hash).collect(Collectors.toSet());
    List<SecretPlaces.Place> files =
        new ArrayList<>(SecretPlaces.find(storeFolder, request.secrets()));
    List<PublishedSessions.Copy> published = List.of();
    try {
      published = new PublishedSessions(storeFolder, store).of(request.contexts(), going);
    } catch (StoreException.Corrupt | StoreException.TooLarge | StoreException.Io e) {
      files.add(new SecretPlaces.Place(PublishedSessions.INDEX.toString(), false));
    }
    return new UnreachedContent(files, published, git);
  }

  /// The same after the snapshots in git were taken out.
  UnreachedContent withoutGit() {
    return new UnreachedContent(files, published, new GitSnapshots(List.of(), git.unread()));
  }

  void print(Terminal terminal) {
    for (SecretPlaces.Place place : files) {
      terminal.println(
          (place.readable() ? "not reached, has the secret: " : "not reached, cannot be read: ")
              + SafeText.line(place.file()));
    }
    printPublished(terminal);
    git.print(terminal);
  }

  private void printPublished(Terminal terminal) {
    if (published.isEmpty()) {
      return;
    }
    terminal.println(
        "stays readable: " + HumanText.count(published.size(), "published copy") + " of sessions");
    for (PublishedSessions.Copy copy : published) {
      terminal.println(copy.hash().toString());
      terminal.println("  of " + SafeText.line(copy.file()));
    }
    terminal.say("'varve erase --blob HASH' erases a published copy.");
  }

  JsonLine add(JsonLine line) {
    return git.add(
        line.objects(
                "unreached",
                files,
                (each, place) -> each.text("file", place.file()).bool("readable", place.readable()))
            .objects(
                "published",
                published,
                (each, copy) -> each.hash("hash", copy.hash()).text("file", copy.file())));
  }
}
