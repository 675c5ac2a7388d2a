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
import dev.varve.jp.place.Copy;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What can be said of a copy of a conversation without opening a blob.
///
/// @param title empty if it has none
/// @param events how many entries its stream has, JP's count
/// @param inline payloads in the file, and `inlineBytes` their size
/// @param references payloads beside it, and `referencedBytes` their size as the references say
/// @param hashes everything in the file that is a reference, of unknown kinds of events too
public record Overview(
    Copy copy,
    String title,
    long sizeBytes,
    int events,
    int turns,
    int inline,
    long inlineBytes,
    int references,
    long referencedBytes,
    List<Content.Reference> referenced,
    Set<Sha256> hashes,
    List<Problem> problems) {

  private static final int METADATA_BYTES_MAX = 1 << 20;

  /// @throws StoreException.Invalid if `events.json` is not JSON
  public static Overview of(Copy copy) {
    try {
      EventsFile file = EventsFile.read(copy);
      return of(copy, file.text());
    } catch (EventsFile.NotJson e) {
      throw new StoreException.Invalid(copy.events() + "", e.malformed().toString());
    }
  }

  private static Overview of(Copy copy, JsonText text) {
    int[] turns = {0};
    if (text.is(0, JsonKind.ARRAY)) {
      text.each(
          0,
          event ->
              turns[0] += text.memberText(event, "type").orElse("").equals("turn_start") ? 1 : 0);
    }
    PayloadSites.Found found = PayloadSites.in(text);
    List<Content.Reference> references = new ArrayList<>();
    int inline = 0;
    long inlineBytes = 0;
    long referencedBytes = 0;
    for (Site site : found.sites()) {
      switch (site.content()) {
        case Content.Loaded loaded -> {
          inline++;
          inlineBytes += loaded.sizeBytes();
        }
        case Content.Reference reference -> {
          references.add(reference);
          referencedBytes += reference.sizeBytes();
        }
      }
    }
    return new Overview(
        copy,
        title(copy),
        text.bytes().length,
        text.is(0, JsonKind.ARRAY) ? text.count(0) : 0,
        turns[0],
        inline,
        inlineBytes,
        references.size(),
        referencedBytes,
        references,
        hashes(text),
        found.problems());
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

  private static String title(Copy copy) {
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
