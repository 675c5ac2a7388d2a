// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonText;
import dev.varve.jp.json.TextEdits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Turns payloads into references, changing not a byte beside them.
///
/// What comes out is turned back at once and compared with what went in: a file that would not come
/// back byte for byte is never written.
final class PayloadExternalizer {

  private final JsonText before;
  private final TextEdits edits = new TextEdits();
  private final Map<Sha256, byte[]> contents = new LinkedHashMap<>();

  /// By the pointer that the reference will have.
  private final Map<String, PayloadSite> sites = new HashMap<>();

  private PayloadExternalizer(JsonText before) {
    this.before = before;
  }

  /// @param bytes of the whole file; the same array if nothing was to be done
  /// @param payloads those that became references, in the order of the file, as they stood in it
  /// @param pointers where their references stand now
  /// @param contents the different ones among them
  /// @param spellings what must be remembered, of earlier runs too
  /// @param references how many there were before
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Result(
      byte[] bytes,
      List<PayloadSite> payloads,
      List<String> pointers,
      Map<Sha256, byte[]> contents,
      PayloadSpellings spellings,
      int references,
      List<EventProblem> problems) {}

  /// @param known what earlier runs remembered
  static Result externalize(JsonText before, PayloadSpellings known) {
    PayloadSites.Found found = PayloadSites.in(before);
    List<PayloadSite> payloads =
        found.sites().stream().filter(site -> !site.isReference()).toList();
    int references = found.sites().size() - payloads.size();
    if (payloads.isEmpty()) {
      return new Result(
          before.bytes(), payloads, List.of(), Map.of(), known, references, found.problems());
    }
    PayloadExternalizer work = new PayloadExternalizer(before);
    payloads.forEach(work::edit);
    byte[] bytes = work.edits.apply(before.bytes());
    if (!(JsonReading.of(bytes) instanceof JsonText after)) {
      throw new AssertionError("externalized to something that is no JSON");
    }
    PayloadSpellings spellings = work.remember(after, known);
    work.proveReversible(after, spellings);
    return new Result(
        bytes,
        payloads,
        payloads.stream().map(PayloadExternalizer::pointerAfter).toList(),
        work.contents,
        spellings,
        references,
        found.problems());
  }

  private void edit(PayloadSite site) {
    byte[] content = loaded(site.content());
    Sha256 hash = Sha256.of(content);
    long size = content.length;
    contents.putIfAbsent(hash, content);
    sites.put(pointerAfter(site), site);
    int value = site.value();
    JsonStyle style = JsonStyle.around(before, value);
    switch (site.shape()) {
      case FLAT -> edits.replace(before.from(value), before.to(value), style.block(hash, size));
      case BARE -> {
        edits.replace(before.nameFrom(value), before.nameTo(value), "\"content\"");
        edits.replace(before.from(value), before.to(value), style.object(hash, size));
      }
      case WRAPPED -> {
        edits.replace(before.nameFrom(value), before.nameTo(value), "\"$blob\"");
        String reference = '"' + hash.hex() + '"';
        if (site.size() < 0) {
          reference += style.size(size);
        } else { // left over from the reference that the user replaced by a text
          edits.replace(before.from(site.size()), before.to(site.size()), Long.toString(size));
        }
        edits.replace(before.from(value), before.to(value), reference);
      }
    }
  }

  private static byte[] loaded(BlobContent content) {
    return switch (content) {
      case BlobContent.Inline inline -> inline.bytes();
      case BlobContent.Reference reference ->
          throw new IllegalArgumentException(reference.hash() + " is external already");
    };
  }

  private static String pointerAfter(PayloadSite site) {
    return switch (site.shape()) {
      case FLAT -> site.pointer() + "/0/content";
      case WRAPPED -> site.pointer();
      case BARE -> site.pointer().replaceFirst("/[^/]*$", "/content");
    };
  }

  private PayloadSpellings remember(JsonText after, PayloadSpellings known) {
    SortedMap<String, PayloadSpellings.Entry> entries = new TreeMap<>();
    Set<String> seen = new HashSet<>();
    for (PayloadSite reference : PayloadSites.in(after).sites()) {
      seen.add(reference.pointer());
      PayloadSite site = sites.get(reference.pointer());
      if (site == null) {
        known.find(reference).ifPresent(entry -> entries.put(reference.pointer(), entry));
        continue;
      }
      PayloadForm form = PayloadForm.of(site);
      Sha256 hash = reference.content().hash();
      byte[] content = Objects.requireNonNull(contents.get(hash));
      if (!isSpelledAs(form, site, content)) {
        PayloadInliner.Span now = PayloadInliner.span(after, reference, form.shape());
        Sha256 guard = Sha256.of(Arrays.copyOfRange(after.bytes(), now.from(), now.to()));
        entries.put(
            reference.pointer(),
            new PayloadSpellings.Entry(hash, form.raw(), guard, spelled(site)));
      } else if (form != PayloadInliner.usual(after, reference, content)) {
        entries.put(reference.pointer(), new PayloadSpellings.Entry(hash, form, null, null));
      }
    }
    if (!seen.containsAll(sites.keySet())) {
      throw new AssertionError("a payload became something else than a reference");
    }
    return new PayloadSpellings(entries, 0);
  }

  /// Returns whether the payload is written exactly as the form says.
  private boolean isSpelledAs(PayloadForm form, PayloadSite site, byte[] content) {
    int value = site.value();
    byte[] bytes = before.bytes();
    byte[] name = ('"' + form.member() + '"').getBytes(StandardCharsets.UTF_8);
    byte[] string = form.string(content);
    return site.size() < 0
        && equals(bytes, before.from(value), before.to(value), string)
        && equals(bytes, before.nameFrom(value), before.nameTo(value), name);
  }

  private static boolean equals(byte[] bytes, int from, int to, byte[] other) {
    return Arrays.equals(bytes, from, to, other, 0, other.length);
  }

  /// The bytes that a raw form keeps.
  private byte[] spelled(PayloadSite site) {
    int value = site.value();
    return switch (site.shape()) {
      case FLAT -> Arrays.copyOfRange(before.bytes(), before.from(value), before.to(value));
      case WRAPPED ->
          Arrays.copyOfRange(
              before.bytes(), before.from(site.container()), before.to(site.container()));
      case BARE -> Arrays.copyOfRange(before.bytes(), before.nameFrom(value), before.to(value));
    };
  }

  private void proveReversible(JsonText after, PayloadSpellings spellings) {
    PayloadInliner.Result back =
        PayloadInliner.inline(
            after,
            spellings,
            (hash, _) -> {
              byte[] content = contents.get(hash);
              if (content == null) {
                throw new AssertionError("no content for " + hash);
              }
              return content;
            },
            site -> sites.containsKey(site.pointer()));
    if (!Arrays.equals(back.bytes(), before.bytes())) {
      throw new AssertionError("would not come back byte for byte");
    }
  }
}
