// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.travel;

import dev.varve.BlobHash;
import dev.varve.DeclaredType;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.json.JsonKind;
import dev.varve.jp.json.JsonReading;
import dev.varve.jp.json.JsonStrings;
import dev.varve.jp.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/// The recipe by which a conversation's folder is put together (docs/format/jp-manifest.md). The
/// same folder gives the same bytes.
///
/// @param name the folder's name
/// @param archived whether the folder lay in the archive
/// @param files all files, except a stream that is kept as turns
/// @param stream null if `events.json` is kept unchanged among the files
/// @param blobs the contents of the stream's references
record JpManifest(
    String conversation,
    String name,
    boolean archived,
    List<FileEntry> files,
    Optional<Stream> stream,
    List<BlobEntry> blobs) {

  static final DeclaredType TYPE = new DeclaredType("varve.jp.manifest", 1);

  /// A file kept as one blob.
  record FileEntry(String name, long sizeBytes, BlobHash hash, Instant modified) {}

  /// A stream kept as turns.
  ///
  /// @param head the last turn; [TurnId#NONE] if there are no events
  /// @param gaps the bytes before, between and behind the events, equal neighbours together
  /// @param inline the places of payloads in the file
  /// @param spelling the blob with the notes of their spelling
  record Stream(
      long sizeBytes,
      BlobHash hash,
      Instant modified,
      TurnId head,
      List<Gap> gaps,
      List<String> inline,
      BlobHash spelling) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Gap(int times, byte[] bytes) {}

  /// @param external whether the file had a reference; otherwise the file had the content itself
  record BlobEntry(Sha256 sha256, BlobHash hash, long sizeBytes, boolean external) {}

  byte[] bytes() {
    StringBuilder json = new StringBuilder("{\"format\":1");
    text(json, "conversation", conversation);
    text(json, "name", name);
    json.append(",\"archived\":").append(archived);
    list(
        json,
        "files",
        files,
        (out, file) -> {
          out.append("{\"size\":").append(file.sizeBytes);
          text(out, "name", file.name);
          text(out, "hash", file.hash.toString());
          text(out, "modified", file.modified.toString());
          out.append('}');
        });
    stream.ifPresent(each -> stream(json, each));
    list(
        json,
        "blobs",
        blobs,
        (out, blob) -> {
          out.append("{\"size\":").append(blob.sizeBytes);
          text(out, "sha256", blob.sha256.hex());
          text(out, "hash", blob.hash.toString());
          out.append(",\"external\":").append(blob.external).append('}');
        });
    return json.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void stream(StringBuilder json, Stream stream) {
    json.append(",\"stream\":{\"size\":").append(stream.sizeBytes);
    text(json, "hash", stream.hash.toString());
    text(json, "modified", stream.modified.toString());
    text(json, "head", stream.head.toString());
    text(json, "spelling", stream.spelling.toString());
    list(
        json,
        "gaps",
        stream.gaps,
        (out, gap) -> {
          out.append("{\"times\":").append(gap.times);
          text(out, "bytes", Base64.getEncoder().encodeToString(gap.bytes));
          out.append('}');
        });
    list(json, "inline", stream.inline, (out, pointer) -> out.append(quote(pointer)));
    json.append('}');
  }

  private static void text(StringBuilder json, String name, String value) {
    json.append(",\"").append(name).append("\":").append(quote(value));
  }

  private static String quote(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    return new String(JsonStrings.quote(utf8), StandardCharsets.UTF_8);
  }

  private static <T> void list(
      StringBuilder json, String name, List<T> items, BiConsumer<StringBuilder, T> each) {
    json.append(",\"").append(name).append("\":[");
    String separator = "";
    for (T item : items) {
      json.append(separator);
      each.accept(json, item);
      separator = ",";
    }
    json.append(']');
  }

  /// Reads the result of [#bytes].
  ///
  /// @param where names the turn in a refusal
  static JpManifest read(byte[] bytes, String where) {
    if (!(JsonReading.of(bytes) instanceof JsonText json)) {
      throw new StoreException.Corrupt(where, 0, "a manifest of a JP conversation", "other bytes");
    }
    return new Reader(json, where).manifest();
  }

  /// Reads members, and refuses members of a wrong form.
  private record Reader(JsonText json, String where) {

    JpManifest manifest() {
      if (number(0, "format") != 1) {
        throw new StoreException.FormatTooNew(where, (int) number(0, "format"), 1);
      }
      List<FileEntry> files = new ArrayList<>();
      json.each(
          list(0, "files"),
          file ->
              files.add(
                  new FileEntry(
                      text(file, "name"), number(file, "size"), hash(file, "hash"), time(file))));
      List<BlobEntry> blobs = new ArrayList<>();
      json.each(
          list(0, "blobs"),
          blob ->
              blobs.add(
                  new BlobEntry(
                      Sha256.find(text(blob, "sha256")).orElseThrow(() -> wrong(blob)),
                      hash(blob, "hash"),
                      number(blob, "size"),
                      isTrue(blob, "external"))));
      int stream = json.member(0, "stream").orElse(-1);
      return new JpManifest(
          text(0, "conversation"),
          text(0, "name"),
          isTrue(0, "archived"),
          files,
          stream < 0 ? Optional.empty() : Optional.of(stream(stream)),
          blobs);
    }

    private Stream stream(int stream) {
      List<Gap> gaps = new ArrayList<>();
      json.each(
          list(stream, "gaps"),
          gap -> {
            long times = number(gap, "times");
            if (times < 1 || times > Integer.MAX_VALUE) {
              throw wrong(gap);
            }
            gaps.add(new Gap((int) times, base64(gap)));
          });
      List<String> inline = new ArrayList<>();
      json.each(
          list(stream, "inline"),
          pointer -> inline.add(json.text(pointer).orElseThrow(() -> wrong(pointer))));
      return new Stream(
          number(stream, "size"),
          hash(stream, "hash"),
          time(stream),
          TurnId.parse(text(stream, "head")),
          gaps,
          inline,
          hash(stream, "spelling"));
    }

    private byte[] base64(int gap) {
      try {
        return Base64.getDecoder().decode(text(gap, "bytes"));
      } catch (IllegalArgumentException e) {
        throw wrong(gap);
      }
    }

    private int list(int object, String name) {
      int list = json.member(object, name).orElseThrow(() -> wrong(object));
      if (!json.is(list, JsonKind.ARRAY)) {
        throw wrong(list);
      }
      return list;
    }

    private String text(int object, String name) {
      return json.memberText(object, name).orElseThrow(() -> wrong(object));
    }

    private long number(int object, String name) {
      int value = json.member(object, name).orElseThrow(() -> wrong(object));
      String digits = json.spelling(value);
      if (!digits.matches("[0-9]{1,18}")) {
        throw wrong(value);
      }
      return Long.parseLong(digits);
    }

    private boolean isTrue(int object, String name) {
      return json.is(json.member(object, name).orElseThrow(() -> wrong(object)), JsonKind.TRUE);
    }

    private BlobHash hash(int object, String name) {
      try {
        return BlobHash.parse(text(object, name));
      } catch (StoreException.Invalid e) {
        throw wrong(object);
      }
    }

    private Instant time(int object) {
      try {
        return Instant.parse(text(object, "modified"));
      } catch (DateTimeParseException e) {
        throw wrong(object);
      }
    }

    private StoreException.Corrupt wrong(int value) {
      return new StoreException.Corrupt(
          where, json.from(value), "a manifest of a JP conversation", "other members");
    }
  }
}
