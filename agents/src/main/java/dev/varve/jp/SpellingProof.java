// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.json.JsonKind;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonText;
import dev.varve.jp.json.Utf8Bytes;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The proof that a remembered spelling puts back the content that a reference names, and nothing
/// else.
///
/// `varve-spelling.json` has no checksum and travels with repositories: anybody may have written
/// it. Its bytes go into a conversation only if they are one payload, whose content has the hash of
/// the reference, with the same members beside it.
final class SpellingProof {

  static final String REFUSED =
      PayloadSpellings.FILE + " spells another content: the blob's own is used, in the usual form";

  private SpellingProof() {}

  /// The entries that would put something else into a text, at their references.
  static List<EventProblem> faults(JsonText text, PayloadSpellings spellings) {
    List<EventProblem> faults = new ArrayList<>();
    if (spellings.unreadable() > 0) {
      faults.add(new EventProblem(text.position(0), "", PayloadSpellings.FILE + " cannot be read"));
    }
    for (PayloadSite site : PayloadSites.in(text).sites()) {
      if (site.isReference()) {
        spellings
            .find(site)
            .filter(entry -> entry.form().isRaw() && applies(text, site, entry))
            .filter(entry -> !holds(text, site, entry, new byte[0]))
            .ifPresent(
                _ ->
                    faults.add(
                        new EventProblem(
                            text.position(site.value()),
                            site.pointer(),
                            PayloadSpellings.FILE + " spells another content than the blob's")));
      }
    }
    return faults;
  }

  /// Returns whether an entry is about the reference as it stands now. An edit since then makes the
  /// entry void: the content counts, not its old spelling.
  static boolean applies(JsonText text, PayloadSite site, PayloadSpellings.Entry entry) {
    if (!PayloadInliner.fits(text, entry.form(), site)) {
      return false;
    }
    if (!entry.form().isRaw()) {
      return true;
    }
    PayloadInliner.Span span = PayloadInliner.span(text, site, entry.form().shape());
    return entry.bytes() != null
        && Sha256.of(Arrays.copyOfRange(text.bytes(), span.from(), span.to()))
            .equals(entry.after());
  }

  /// Returns whether what an entry puts back is read as the content of the reference.
  ///
  /// @param content of the reference; a raw form is held against its hash alone
  static boolean holds(
      JsonText text, PayloadSite site, PayloadSpellings.Entry entry, byte[] content) {
    String timestamp = timestamp(text, site);
    byte[] bytes = entry.bytes();
    if (bytes != null) {
      Sha256 hash = site.content().hash();
      return switch (entry.form().shape()) {
        case FLAT -> isFlat(bytes, hash, timestamp);
        case WRAPPED -> isObject(bytes, hash, others(text, site.container()));
        case BARE -> isObject(inBraces(bytes), hash, List.of());
      };
    }
    return switch (entry.form()) {
      case BASE64, BASE64_URL, PLAIN -> isRead(entry.form(), content, timestamp);
      case TEXT, BARE_TEXT -> new Utf8Bytes(content).isText();
      case BLOB, BARE_BLOB -> true;
      case RAW_FLAT, RAW_WRAPPED, RAW_BARE -> false;
    };
  }

  private static String timestamp(JsonText text, PayloadSite site) {
    int event = site.container();
    while (text.parent(event) > 0) {
      event = text.parent(event);
    }
    return text.memberText(event, "timestamp").orElse("");
  }

  /// Returns whether JP reads a flat string in that form as this content.
  private static boolean isRead(PayloadForm form, byte[] content, String timestamp) {
    FlatText.Spelling spelling =
        switch (form) {
          case BASE64 -> FlatText.Spelling.BASE64;
          case BASE64_URL -> FlatText.Spelling.BASE64_URL;
          default -> FlatText.Spelling.PLAIN;
        };
    byte[] spelled = FlatText.spell(content, spelling);
    return new Utf8Bytes(content).isText()
        && FlatText.find(() -> new ByteArrayInputStream(spelled), spelled.length, timestamp)
            .equals(new FlatText.Found(spelling, content.length));
  }

  private static boolean isFlat(byte[] bytes, Sha256 hash, String timestamp) {
    if (!(JsonReading.of(bytes) instanceof JsonText json) || !json.is(0, JsonKind.STRING)) {
      return false;
    }
    long sizeBytes = PayloadInput.sizeBytes(json, 0);
    if (sizeBytes < 0) {
      return false;
    }
    FlatText.Found found = FlatText.find(() -> new PayloadInput(json, 0), sizeBytes, timestamp);
    return new BlobContent.Inline(json, 0, found.spelling(), found.sizeBytes()).hash().equals(hash);
  }

  private static byte[] inBraces(byte[] member) {
    byte[] object = new byte[member.length + 2];
    object[0] = '{';
    System.arraycopy(member, 0, object, 1, member.length);
    object[object.length - 1] = '}';
    return object;
  }

  /// Returns whether bytes are one object with one payload of that hash and the same other members.
  private static boolean isObject(byte[] bytes, Sha256 hash, List<String> others) {
    if (!(JsonReading.of(bytes) instanceof JsonText json)
        || !json.is(0, JsonKind.OBJECT)
        || json.duplicate(0).isPresent()
        || json.member(0, "$blob").isPresent()
        || !others(json, 0).equals(others)) {
      return false;
    }
    OptionalInt plain = json.member(0, "text");
    OptionalInt blob = json.member(0, "blob");
    if (plain.isPresent() == blob.isPresent()) {
      return false;
    }
    int value = plain.orElseGet(blob::getAsInt);
    if (!json.is(value, JsonKind.STRING) || PayloadInput.sizeBytes(json, value) < 0) {
      return false;
    }
    OptionalLong sizeBytes =
        plain.isPresent()
            ? OptionalLong.of(PayloadInput.sizeBytes(json, value))
            : FlatText.base64Size(new PayloadInput(json, value));
    FlatText.Spelling spelling =
        plain.isPresent() ? FlatText.Spelling.PLAIN : FlatText.Spelling.BASE64;
    return sizeBytes.isPresent()
        && new BlobContent.Inline(json, value, spelling, sizeBytes.getAsLong()).hash().equals(hash);
  }

  /// The members of a `content` object that are not its payload, as they stand.
  private static List<String> others(JsonText json, int object) {
    List<String> others = new ArrayList<>();
    json.each(
        object,
        value -> {
          if (!List.of("$blob", "text", "blob", "size").contains(json.name(value))) {
            int from = json.nameFrom(value);
            others.add(
                new String(json.bytes(), from, json.to(value) - from, StandardCharsets.UTF_8));
          }
        });
    return others;
  }
}
