// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.blobs.Gzip;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.json.JsonKind;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonStrings;
import dev.varve.jp.json.JsonText;
import dev.varve.jp.place.ConversationCopy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// The spellings that payloads had before they became references, where a spelling does not follow
/// from what they are (docs/format/jp-spelling.md). Kept beside `events.json`, so that it moves, is
/// copied and is deleted with it.
///
/// @param entries by the pointer of the reference
/// @param unreadable how many entries of the file could not be read
record PayloadSpellings(SortedMap<String, Entry> entries, int unreadable) {

  /// The file's name. Not `*.tmp`, which JP deletes.
  static final String FILE = "varve-spelling.json";

  static final int SIZE_BYTES_MAX = 64 << 20;

  /// Of all entries together.
  private static final int RAW_BYTES_MAX = 256 << 20;

  static final PayloadSpellings NONE = new PayloadSpellings(new TreeMap<>(), 0);

  /// @param hash of the content that is referred to: an entry about another content says nothing
  /// @param after of a raw form, the SHA-256 of what stands in the place of `bytes` now
  /// @param bytes of a raw form, what stood there
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(Sha256 hash, PayloadForm form, @Nullable Sha256 after, byte @Nullable [] bytes) {}

  boolean isEmpty() {
    return entries.isEmpty();
  }

  Optional<Entry> find(PayloadSite reference) {
    return Optional.ofNullable(entries.get(reference.pointer()))
        .filter(entry -> entry.hash.equals(reference.content().hash()));
  }

  /// The file's content. The same entries give the same bytes.
  byte[] bytes() {
    StringBuilder json = new StringBuilder("{\n  \"format\": 1,\n  \"spellings\": [");
    String separator = "\n";
    for (Map.Entry<String, Entry> each : entries.entrySet()) {
      Entry entry = each.getValue();
      json.append(separator)
          .append("    {\"pointer\": ")
          .append(quote(each.getKey()))
          .append(", \"sha256\": \"")
          .append(entry.hash)
          .append("\", \"form\": \"")
          .append(entry.form.words())
          .append('"');
      if (entry.after != null && entry.bytes != null) {
        json.append(", \"after\": \"").append(entry.after).append("\", \"bytes\": \"");
        json.append(Base64.getEncoder().encodeToString(Gzip.compress(entry.bytes))).append('"');
      }
      json.append('}');
      separator = ",\n";
    }
    return json.append("\n  ]\n}\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String quote(String text) {
    return new String(
        JsonStrings.quote(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  /// The spellings that lie beside a copy's `events.json`; [#NONE] if there is no such file. A file
  /// that is something else counts as one entry that cannot be read.
  static PayloadSpellings of(ConversationCopy copy) {
    Path file = copy.folder().resolve(FILE);
    if (!RealFiles.isFile(file)) {
      return NONE;
    }
    return read(RealFiles.read(file, SIZE_BYTES_MAX))
        .orElseGet(() -> new PayloadSpellings(new TreeMap<>(), 1));
  }

  /// Reads what [#bytes] wrote; empty if it is something else. An entry that is damaged is left
  /// out, and counted: without it the content still comes back, in the usual form.
  static Optional<PayloadSpellings> read(byte[] file) {
    if (!(JsonReading.of(file) instanceof JsonText text)) {
      return Optional.empty();
    }
    int list = text.member(0, "spellings").orElse(-1);
    int format = text.member(0, "format").orElse(-1);
    if (format < 0
        || !text.spelling(format).equals("1")
        || list < 0
        || !text.is(list, JsonKind.ARRAY)) {
      return Optional.empty();
    }
    SortedMap<String, Entry> entries = new TreeMap<>();
    int[] unreadable = {0};
    long[] room = {RAW_BYTES_MAX};
    text.each(
        list,
        item -> {
          Optional<Entry> entry = entry(text, item, room);
          Optional<String> pointer = text.memberText(item, "pointer");
          if (entry.isPresent() && pointer.isPresent()) {
            entries.put(pointer.get(), entry.get());
          } else {
            unreadable[0]++;
          }
        });
    return Optional.of(new PayloadSpellings(entries, unreadable[0]));
  }

  private static Optional<Entry> entry(JsonText text, int item, long[] room) {
    Optional<Sha256> hash = text.memberText(item, "sha256").flatMap(Sha256::find);
    Optional<PayloadForm> form = text.memberText(item, "form").flatMap(PayloadForm::find);
    if (hash.isEmpty() || form.isEmpty()) {
      return Optional.empty();
    }
    if (!form.get().isRaw()) {
      return Optional.of(new Entry(hash.get(), form.get(), null, null));
    }
    Optional<Sha256> after = text.memberText(item, "after").flatMap(Sha256::find);
    Optional<byte[]> bytes =
        text.memberText(item, "bytes")
            .flatMap(FlatText::base64)
            .flatMap(gzip -> decompress(gzip, room));
    return after.isPresent() && bytes.isPresent()
        ? Optional.of(new Entry(hash.get(), form.get(), after.get(), bytes.get()))
        : Optional.empty();
  }

  /// @param room how many bytes may still be taken into memory; less afterwards
  private static Optional<byte[]> decompress(byte[] gzip, long[] room) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      byte[] bytes = in.readNBytes((int) room[0] + 1);
      if (bytes.length > room[0]) {
        return Optional.empty();
      }
      room[0] -= bytes.length;
      return Optional.of(bytes);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
