// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.blobs.StoredBlob;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.json.JsonKind;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonText;
import dev.varve.jp.place.ConversationCopy;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The facts about a copy of a conversation that can be found without opening a blob.
///
/// @param title empty if the conversation has none
/// @param sizeBytes the size of `events.json`
/// @param events the number of entries of the event stream, as JP counts
/// @param inline the payloads in the file
/// @param references the references to payloads beside the file
/// @param hashes everything in the file that is a reference, also in events of unknown kinds
public record CopyOverview(
    ConversationCopy copy,
    String title,
    long sizeBytes,
    int events,
    int turns,
    SizedCount inline,
    List<BlobContent.Reference> references,
    Set<Sha256> hashes,
    List<EventProblem> problems) {

  private static final int METADATA_BYTES_MAX = 1 << 20;

  /// The referenced payloads, with the sizes that the references state.
  public SizedCount referenced() {
    return SizedCount.of(references, BlobContent.Reference::sizeBytes);
  }

  /// @throws StoreException.Invalid if `events.json` is not JSON
  public static CopyOverview of(ConversationCopy copy) {
    try {
      EventsFile file = EventsFile.read(copy);
      return of(copy, file.text());
    } catch (EventsFile.NotJson e) {
      throw new StoreException.Invalid(copy.events() + "", e.error().toString());
    }
  }

  private static CopyOverview of(ConversationCopy copy, JsonText text) {
    int[] turns = {0};
    if (text.is(0, JsonKind.ARRAY)) {
      text.each(
          0,
          event ->
              turns[0] += text.memberText(event, "type").orElse("").equals("turn_start") ? 1 : 0);
    }
    PayloadSites.Found found = PayloadSites.in(text);
    List<BlobContent.Reference> references = new ArrayList<>();
    SizedCount inline = new SizedCount(0, 0);
    for (PayloadSite site : found.sites()) {
      switch (site.content()) {
        case BlobContent.Inline payload -> inline = inline.plus(payload.sizeBytes());
        case BlobContent.Reference reference -> references.add(reference);
      }
    }
    return new CopyOverview(
        copy,
        title(copy),
        text.bytes().length,
        text.is(0, JsonKind.ARRAY) ? text.count(0) : 0,
        turns[0],
        inline,
        references,
        hashes(text),
        Stream.concat(
                found.problems().stream(),
                SpellingProof.faults(text, PayloadSpellings.of(copy)).stream())
            .toList());
  }

  private static Set<Sha256> hashes(JsonText text) {
    Set<Sha256> hashes = new LinkedHashSet<>();
    for (int value = 0; value < text.size(); value++) {
      if (text.isNamed(value, "$blob")) {
        text.text(value).flatMap(Sha256::find).ifPresent(hashes::add);
      }
    }
    return hashes;
  }

  private static String title(ConversationCopy copy) {
    try {
      return JsonReading.of(RealFiles.read(copy.metadata(), METADATA_BYTES_MAX))
              instanceof JsonText text
          ? text.memberText(0, "title").orElse("")
          : "";
    } catch (StoreException e) {
      return "";
    }
  }

  /// The files that make up the conversation in its root: what is in its folder, then its blobs,
  /// each once.
  ///
  /// @param missing blobs that are not in the root
  public record Files(List<Path> files, List<Sha256> missing) {}

  public Files files() {
    Set<Path> files = new LinkedHashSet<>();
    for (Path file : List.of(copy.metadata(), copy.baseConfig(), copy.events())) {
      if (RealFiles.isFile(file)) {
        files.add(file);
      }
    }
    for (Path file : RealFiles.list(copy.folder())) {
      boolean regular = RealFiles.look(file).filter(BasicFileAttributes::isRegularFile).isPresent();
      if (regular && !file.toString().endsWith(".tmp")) {
        files.add(file);
      }
    }
    BlobFolder blobs = new BlobFolder(copy.root().blobs(), InstantSource.system());
    List<Sha256> missing = new ArrayList<>();
    for (Sha256 hash : hashes) {
      Optional<StoredBlob> blob = blobs.find(hash);
      blob.ifPresentOrElse(found -> files.add(found.file()), () -> missing.add(hash));
    }
    return new Files(List.copyOf(files), missing);
  }
}
