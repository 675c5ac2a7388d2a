// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.disk.FileAccess;
import dev.varve.files.RegularFile;
import dev.varve.files.WholeFile;
import dev.varve.imports.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// `manifest.json`: which branch is which session file of this computer (spec 000). A convenience:
/// it can be made again from the sessions.
///
/// One JSON object, each branch hash with an absolute path, the last published last. Changes are
/// made under a lock, beside it, and replace the file in one step: many may publish at once, and a
/// reader sees the file as it was before or after. Once a change returns, the disk has it.
///
/// A file that is no such manifest is never replaced.
public final class BranchIndex {

  /// The most bytes of a manifest: some 300,000 branches.
  static final int SIZE_BYTES_MAX = 64 << 20;

  /// A system's lock is the process's; this one is its threads'.
  private static final ReentrantLock THREADS = new ReentrantLock();

  private final Path file;

  /// @param file `manifest.json`; it and its folder need not exist
  public BranchIndex(Path file) {
    this.file = file.toAbsolutePath();
  }

  public Path file() {
    return file;
  }

  /// Every branch and its path, the last published last; none if there is no file.
  ///
  /// @throws StoreException.Corrupt if the file is no manifest
  public SequencedMap<BlobHash, String> read() {
    try (InputStream in = RegularFile.read(file)) {
      byte[] bytes = in.readNBytes(SIZE_BYTES_MAX + 1);
      if (bytes.length > SIZE_BYTES_MAX) {
        throw new StoreException.TooLarge(file.toString(), Files.size(file), SIZE_BYTES_MAX);
      }
      return parse(bytes);
    } catch (NoSuchFileException e) {
      return new LinkedHashMap<>();
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
  }

  /// Adds branches; one that is there already becomes the last published.
  public void add(Map<BlobHash, Path> branches) {
    change(
        known ->
            branches.forEach(
                (hash, path) -> {
                  known.remove(hash);
                  known.put(hash, path.toAbsolutePath().toString());
                }));
  }

  /// Takes branches out.
  public void remove(Iterable<BlobHash> branches) {
    change(known -> branches.forEach(known::remove));
  }

  /// Puts these in the place of all, whatever the file held; a file that was no manifest is set
  /// aside under another name.
  public void rebuild(SequencedMap<BlobHash, Path> branches) {
    locked(
        () -> {
          try {
            read();
          } catch (StoreException.Corrupt | StoreException.TooLarge e) {
            Files.move(
                file,
                Files.createTempFile(folder(), "manifest-", ".damaged"),
                StandardCopyOption.REPLACE_EXISTING);
          }
          SequencedMap<BlobHash, String> paths = new LinkedHashMap<>();
          branches.forEach((hash, path) -> paths.put(hash, path.toAbsolutePath().toString()));
          write(paths);
        });
  }

  private void change(Consumer<SequencedMap<BlobHash, String>> how) {
    locked(
        () -> {
          SequencedMap<BlobHash, String> known = read();
          how.accept(known);
          write(known);
        });
  }

  private interface Work {
    void run() throws IOException;
  }

  private void locked(Work work) {
    THREADS.lock();
    try {
      FileAccess.OWNER_ONLY.makeFolders(folder());
      Path lock = file.resolveSibling(file.getFileName() + ".lock");
      try (FileChannel channel =
          RegularFile.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        channel.lock(); // until the channel is closed
        work.run();
      }
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be written", e);
    } finally {
      THREADS.unlock();
    }
  }

  private Path folder() {
    Path folder = file.getParent();
    return folder == null ? file : folder;
  }

  private void write(SequencedMap<BlobHash, String> branches) {
    StringBuilder json = new StringBuilder("{");
    branches.forEach(
        (hash, path) ->
            json.append(json.length() == 1 ? "\n  \"" : ",\n  \"")
                .append(hash)
                .append("\": ")
                .append(JsonString.of(path)));
    byte[] bytes = json.append("\n}\n").toString().getBytes(StandardCharsets.UTF_8);
    if (bytes.length > SIZE_BYTES_MAX) {
      throw new StoreException.TooLarge(file.toString(), bytes.length, SIZE_BYTES_MAX);
    }
    WholeFile.at(file).with(FileAccess.OWNER_ONLY).replace(bytes);
  }

  private SequencedMap<BlobHash, String> parse(byte[] bytes) {
    SequencedMap<BlobHash, String> branches = new LinkedHashMap<>();
    try (JsonParser json = StrictJson.flatParser(bytes)) {
      demand(json.nextToken() == JsonToken.START_OBJECT, json);
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        BlobHash hash = BlobHash.parse(json.currentName());
        demand(json.nextToken() == JsonToken.VALUE_STRING, json);
        branches.remove(hash);
        branches.put(hash, json.getString());
      }
      demand(json.nextToken() == null, json);
      return branches;
    } catch (JacksonException e) {
      throw corrupt(e.getLocation() == null ? 0 : e.getLocation().getByteOffset(), "no JSON");
    } catch (StoreException.Invalid e) {
      throw corrupt(0, "a name that is no branch hash");
    }
  }

  private void demand(boolean valid, JsonParser json) {
    if (!valid) {
      throw corrupt(json.currentTokenLocation().getByteOffset(), "something else");
    }
  }

  private StoreException.Corrupt corrupt(long offset, String found) {
    return new StoreException.Corrupt(
        file.toString(), Math.max(0, offset), "one object of branch hashes and paths", found);
  }
}
