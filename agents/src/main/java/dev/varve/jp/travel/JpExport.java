// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.travel;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.disk.DiskErrors;
import dev.varve.hash.Blake3;
import dev.varve.jp.PortableEvents;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.place.ConversationId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Gives a conversation's folder back, each file byte for byte and proved by its hash before any is
/// written.
public final class JpExport {

  /// A name that stays in its folder, on any system.
  private static final Pattern NAME = Pattern.compile("[^/\\\\:*?\"<>|\\p{Cntrl}]{1,255}");

  private JpExport() {}

  /// @param folder where the conversation lies now
  public record Report(Path folder, int files, int blobs) {}

  /// Writes a conversation below `storage`, as JP keeps one: `conversations/<name>/`, and what it
  /// refers to in `blobs/`.
  ///
  /// @param context the conversation's, or that of its manifests
  /// @throws StoreException.Invalid if the context is about something else
  /// @throws StoreException.Conflict if the folder exists
  /// @throws StoreException.Corrupt if a file would not be what was imported
  public static Report conversation(
      Store store, ContextId context, Path storage, InstantSource clock) {
    JpAbout about =
        Optional.ofNullable(store.head(context).about())
            .map(store::get)
            .flatMap(JpAbout::read)
            .orElseThrow(
                () -> new StoreException.Invalid("context " + context, "not a conversation of JP"));
    Turn turn = store.turn(about.manifest(), View.AS_WRITTEN);
    String where = "manifest in turn " + about.manifest();
    if (turn.payload() == null || !turn.type().equals(JpManifest.TYPE)) {
      throw new StoreException.Corrupt(where, 0, "a manifest", turn.type().toString());
    }
    JpManifest manifest = JpManifest.read(turn.payload().unsafeArray(), where);
    return write(store, manifest, where, storage, clock);
  }

  private static Report write(
      Store store, JpManifest manifest, String where, Path storage, InstantSource clock) {
    demandPlain(manifest.name(), where);
    new ConversationId(manifest.conversation());
    Map<String, byte[]> files = new HashMap<>();
    Map<String, Instant> times = new HashMap<>();
    for (JpManifest.FileEntry file : manifest.files()) {
      demandPlain(file.name(), where);
      files.put(file.name(), store.get(file.hash()).unsafeArray());
      times.put(file.name(), file.modified());
    }
    manifest.stream()
        .ifPresent(
            stream -> {
              files.put("events.json", stream(store, manifest, stream, where));
              times.put("events.json", stream.modified());
            });
    Path folder = folder(manifest, storage);
    int blobs = blobs(store, manifest, storage, clock);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      RealFiles.writeNew(path, file.getValue());
      setTime(path, times.getOrDefault(file.getKey(), clock.instant()));
    }
    return new Report(folder, files.size(), blobs);
  }

  private static void demandPlain(String name, String where) {
    if (!NAME.matcher(name).matches() || name.equals("..") || name.equals(".")) {
      throw new StoreException.Corrupt(where, 0, "the name of a file", "'" + name + "'");
    }
  }

  private static Path folder(JpManifest manifest, Path storage) {
    Path conversations = storage.resolve("conversations");
    Path parent = manifest.archived() ? conversations.resolve(".archive") : conversations;
    Path folder = parent.resolve(manifest.name());
    if (RealFiles.look(folder).isPresent()) {
      throw new StoreException.Conflict(folder.toString(), "no such folder yet", "one");
    }
    try {
      Files.createDirectories(storage);
    } catch (IOException e) {
      throw DiskErrors.ofWrite(storage, "create folder", 0, e);
    }
    List.of(conversations, parent, folder).forEach(RealFiles::makeFolder);
    return folder;
  }

  private static byte[] stream(
      Store store, JpManifest manifest, JpManifest.Stream stream, String where) {
    byte[] text = text(store, stream, where);
    Map<Sha256, BlobHash> hashes = new HashMap<>();
    manifest.blobs().forEach(blob -> hashes.put(blob.sha256(), blob.hash()));
    byte[] file =
        PortableEvents.restore(
            where,
            text,
            stream.inline(),
            store.get(stream.spelling()).unsafeArray(),
            (sha256, _) -> {
              BlobHash hash = hashes.get(sha256);
              if (hash == null) {
                throw new StoreException.NotFound("blob", sha256.hex());
              }
              return store.get(hash).unsafeArray();
            });
    if (!Blake3.hash(file).equals(stream.hash())) {
      throw new StoreException.Corrupt(
          where, 0, "events.json with hash " + stream.hash(), Blake3.hash(file).toString());
    }
    return file;
  }

  private static byte[] text(Store store, JpManifest.Stream stream, String where) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    Iterator<byte[]> gaps =
        stream.gaps().stream()
            .flatMap(gap -> Stream.generate(gap::bytes).limit(gap.times()))
            .iterator();
    text.writeBytes(next(gaps, where));
    if (!stream.head().equals(TurnId.NONE)) {
      store.replay(
          stream.head(),
          View.AS_WRITTEN,
          turn -> {
            Payload payload = turn.payload();
            if (payload == null) {
              throw new StoreException.Corrupt(where, 0, "an event", "a turn without payload");
            }
            text.writeBytes(payload.unsafeArray());
            text.writeBytes(next(gaps, where));
          });
    }
    if (gaps.hasNext()) {
      throw new StoreException.Corrupt(where, 0, "as many gaps as events", "more");
    }
    return text.toByteArray();
  }

  private static byte[] next(Iterator<byte[]> gaps, String where) {
    if (!gaps.hasNext()) {
      throw new StoreException.Corrupt(where, 0, "as many gaps as events", "fewer");
    }
    return gaps.next();
  }

  /// Writes the blobs that the files refer to.
  private static int blobs(Store store, JpManifest manifest, Path storage, InstantSource clock) {
    BlobFolder folder = new BlobFolder(storage.resolve("blobs"), clock);
    int written = 0;
    for (JpManifest.BlobEntry blob : manifest.blobs()) {
      if (blob.external()) {
        folder.put(Map.of(blob.sha256(), store.get(blob.hash()).unsafeArray()));
        written++;
      }
    }
    return written;
  }

  private static void setTime(Path path, Instant time) {
    try {
      Files.setLastModifiedTime(path, FileTime.from(time));
    } catch (IOException e) {
      throw DiskErrors.of(path, "set the time", e);
    }
  }
}
