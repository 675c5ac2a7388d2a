// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import dev.varve.BlobHash;
import dev.varve.imports.StrictJson;
import dev.varve.pi.session.EntryReader;
import dev.varve.pi.session.EntryTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A header for a session that lost its own, from where the file lies and what it is called.
final class RebuiltHeader {

  /// `2026-11-27T20-37-21-818Z_<id>.jsonl`, as Pi names its files.
  private static final Pattern NAME =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\dT\\d\\d)-(\\d\\d)-(\\d\\d)-(\\d{3})Z_([A-Za-z0-9][A-Za-z0-9._-]{0,100})\\.jsonl");

  private static final long VERSION_BITS = 0xF000L;

  private RebuiltHeader() {}

  static String of(
      Path file, @Nullable String cwd, BlobHash hash, EntryTable entries, EntryReader reader) {
    Matcher name = NAME.matcher(name(file));
    boolean named = name.matches();
    String id = named ? name.group(5) : idOf(hash).toString();
    String timestamp =
        named
            ? name.group(1) + ":" + name.group(2) + ":" + name.group(3) + "." + name.group(4) + "Z"
            : Optional.ofNullable(reader.words(entries.offset(0), entries.sizeBytes(0)).timestamp())
                .orElse("1970-01-01T00:00:00.000Z");
    byte[] line =
        StrictJson.write(
            json -> {
              json.writeStartObject();
              json.writeStringProperty("type", "session");
              json.writeNumberProperty("version", entries.id(0) == null ? 1 : 3);
              json.writeStringProperty("id", id);
              json.writeStringProperty("timestamp", timestamp);
              json.writeStringProperty("cwd", cwd == null ? guess(file) : cwd);
              json.writeEndObject();
            });
    return new String(line, StandardCharsets.UTF_8);
  }

  private static String name(Path file) {
    Path name = file.getFileName();
    return name == null ? "" : name.toString();
  }

  /// True if the file's name holds the id of another session than `id`.
  static boolean namedDifferently(Path file, String id) {
    Matcher name = NAME.matcher(name(file));
    return name.matches() && !name.group(5).equals(id);
  }

  /// The same id each time: a UUID of version 8, whose bits are anybody's.
  private static UUID idOf(BlobHash hash) {
    return new UUID(
        hash.w0() & ~VERSION_BITS | 0x8000L, hash.w1() & 0x3FFFFFFFFFFFFFFFL | Long.MIN_VALUE);
  }

  /// Pi turns separators into dashes, and so cannot be sure where dashes were.
  private static String guess(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    String name = folder == null ? "" : name(folder);
    if (name.length() >= 4 && name.startsWith("--") && name.endsWith("--")) {
      return "/" + name.substring(2, name.length() - 2).replace('-', '/');
    }
    return folder == null ? "/" : folder.toString();
  }
}
