// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.json.JsonKind;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonText;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// An `events.json` taken apart: its text without payloads, and the payloads; and put together
/// again, byte for byte.
///
/// @param text the file with references in the place of payloads
/// @param inline where references stand that were payloads; others were references before
/// @param spelling what must be remembered to put them back
/// @param contents the payloads that were taken out
/// @param references those that were not in the file
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PortableEvents(
    JsonText text,
    List<String> inline,
    byte[] spelling,
    Map<Sha256, byte[]> contents,
    List<BlobContent.Reference> references) {

  /// Takes a file apart; empty if it is no array of events in strict JSON.
  public static Optional<PortableEvents> of(byte[] file) {
    if (!(JsonReading.of(file) instanceof JsonText before) || !before.is(0, JsonKind.ARRAY)) {
      return Optional.empty();
    }
    PayloadExternalizer.Result result =
        PayloadExternalizer.externalize(before, PayloadSpellings.NONE);
    if (!(JsonReading.of(result.bytes()) instanceof JsonText after)) {
      throw new AssertionError("externalized to something that is no JSON");
    }
    Set<String> ours = new HashSet<>(result.pointers());
    List<BlobContent.Reference> references =
        PayloadSites.in(after).sites().stream()
            .filter(site -> !ours.contains(site.pointer()))
            .map(PayloadSite::content)
            .map(BlobContent.Reference.class::cast)
            .toList();
    return Optional.of(
        new PortableEvents(
            after, result.pointers(), result.spellings().bytes(), result.contents(), references));
  }

  /// Puts a file together again.
  ///
  /// @param name of the file, for refusals
  /// @throws StoreException.Corrupt if the parts do not belong together
  public static byte[] restore(
      String name, byte[] text, List<String> inline, byte[] spelling, BlobContent.Source source) {
    Optional<PayloadSpellings> spellings = PayloadSpellings.read(spelling);
    if (!(JsonReading.of(text) instanceof JsonText json) || spellings.isEmpty()) {
      throw new StoreException.Corrupt(name, 0, "events and their spelling", "other bytes");
    }
    Set<String> pointers = new HashSet<>(inline);
    PayloadInliner.Result result =
        PayloadInliner.inline(
            json, spellings.get(), source, site -> pointers.contains(site.pointer()));
    return result.bytes();
  }
}
