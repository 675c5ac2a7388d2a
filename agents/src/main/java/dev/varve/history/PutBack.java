// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.files.FileDraft;
import dev.varve.files.WholeFile;
import dev.varve.hash.Blake3;
import dev.varve.history.bytes.ArchivedLines;
import dev.varve.imports.LineReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Puts the files of an archived session back: exact bytes, times and permissions, and with them
/// the files of the sessions that this one goes on from.
///
/// A file appears whole or not at all, and never in the place of another.
public final class PutBack {

  private static final int BUFFER_BYTES = 256 << 10;

  private final Store store;
  private final HistoryProfile profile;
  private final List<BlobHash> backups = new ArrayList<>();

  public PutBack(Store store, HistoryProfile profile) {
    this.store = store;
    this.profile = profile;
  }

  /// Plans to put a session back; writes nothing.
  ///
  /// @param home the agent's folder, or the folder to use in its place
  /// @throws StoreException.NotFound if a session that this one goes on from is not archived
  /// @throws StoreException.Invalid if a name leads out of `home`
  public PutBackPlan plan(ArchivedSession session, Path home) {
    List<PlannedFile> files = new ArrayList<>();
    for (ArchivedSession each : session.chain(store)) {
      for (ArchivedFile file : each.manifest().files().reversed()) {
        Path path = place(home, file.name());
        files.add(new PlannedFile(path, file, state(path, file, each), isTorn(file)));
      }
    }
    return new PutBackPlan(session.about().agent(), session.about().view(), home, files);
  }

  private boolean isTorn(ArchivedFile file) {
    if (file.kind() != HistoryFile.Kind.DOCUMENT) {
      return false;
    }
    try (LineReader items =
        ArchivedLines.lines(store, file.content(), file.sizeBytes(), ViewDerivation.LINE_BYTES_MAX)
            .items()) {
      while (items.next()) {
        // to the end
      }
      return items.torn();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a store's stream throws none
    }
  }

  private static Path place(Path home, String name) {
    try {
      Path root = home.toAbsolutePath().normalize();
      Path path = root.resolve(name).normalize();
      if (!name.startsWith("/") && path.startsWith(root) && !path.equals(root)) {
        return path;
      }
    } catch (InvalidPathException e) {
      // refused below
    }
    throw new StoreException.Invalid(
        "manifest", "expected the name of a file below the agent's folder, found '" + name + "'");
  }

  private PlannedFile.State state(Path path, ArchivedFile file, ArchivedSession session) {
    if (file.kind() == HistoryFile.Kind.ROWS) {
      try {
        return rowTarget().state(path, file.slot(), session.manifest().key(), rows(file));
      } catch (IOException e) {
        throw new StoreException.Io(path.toString(), "cannot be read", e);
      }
    }
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return PlannedFile.State.FREE;
    }
    try {
      if (Files.isRegularFile(path) && hash(path).equals(file.fileHash())) {
        return PlannedFile.State.SAME;
      }
      return file.kind().givesWay() ? PlannedFile.State.KEPT : PlannedFile.State.TAKEN;
    } catch (IOException e) {
      throw new StoreException.Io(path.toString(), "cannot be read", e);
    }
  }

  private static BlobHash hash(Path path) throws IOException {
    Blake3 hasher = new Blake3();
    byte[] bytes = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(path)) {
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        hasher.update(bytes, 0, read);
      }
    }
    return hasher.digest();
  }

  /// Writes the files for which there is room, and corrects the times of those that are there. When
  /// this returns, they survive a power cut.
  ///
  /// @throws StoreException.Conflict if something else lies in the place of a file; nothing is
  ///   written then
  public void write(PutBackPlan plan) {
    if (!plan.taken().isEmpty()) {
      throw new StoreException.Conflict(
          plan.taken().getFirst().path().toString(), "no other file", "another file");
    }
    writeRows(plan);
    for (PlannedFile file : plan.files()) {
      try {
        if (file.state() == PlannedFile.State.KEPT || file.file().kind() == HistoryFile.Kind.ROWS) {
          continue;
        }
        if (file.state() == PlannedFile.State.FREE) {
          write(plan.home(), file);
        }
        Files.setLastModifiedTime(
            file.path(), FileTime.from(file.file().modifiedNs(), TimeUnit.NANOSECONDS));
      } catch (IOException e) {
        throw new StoreException.Io(file.path().toString(), "cannot be written", e);
      }
    }
  }

  /// The contents, before they were written to, of the databases that [#write] wrote to.
  public List<BlobHash> backups() {
    return List.copyOf(backups);
  }

  private void writeRows(PutBackPlan plan) {
    Map<Path, List<RowTarget.Rows>> byDatabase = new LinkedHashMap<>();
    boolean wanted = false;
    for (PlannedFile planned : plan.free()) {
      if (planned.file().kind() == HistoryFile.Kind.ROWS) {
        byDatabase
            .computeIfAbsent(planned.path(), _ -> new ArrayList<>())
            .add(rows(planned.file()));
        wanted |= planned.file().slot().equals(HistoryFile.MAIN);
      }
    }
    if (!wanted) {
      return; // only what sessions share would be written
    }
    byDatabase.forEach(
        (database, parts) -> {
          try {
            rowTarget().write(database, parts, bytes -> backups.add(store.put(bytes, null)));
          } catch (IOException e) {
            throw new StoreException.Io(database.toString(), "cannot be written", e);
          }
        });
  }

  private RowTarget.Rows rows(ArchivedFile file) {
    return () -> ArchivedLines.stream(store, file.content());
  }

  private RowTarget rowTarget() {
    return profile
        .rows()
        .orElseThrow(
            () -> new StoreException.Invalid("manifest", "expected files only, found rows"));
  }

  private void write(Path home, PlannedFile planned) throws IOException {
    Path path = planned.path();
    Path folder = path.getParent();
    if (folder == null) {
      throw new IllegalArgumentException("not the path of a file: " + path);
    }
    Files.createDirectories(folder);
    if (!folder.toRealPath().startsWith(home.toRealPath())) {
      throw new StoreException.Invalid(
          folder.toString(), "expected a folder below " + home + ", found a link that leads out");
    }
    ArchivedFile file = planned.file();
    BlobHash packed = file.content().packed();
    Blake3 hasher = new Blake3();
    try (FileDraft draft = WholeFile.at(path).newDraft();
        InputStream in =
            packed == null ? ArchivedLines.stream(store, file.content()) : store.read(packed)) {
      byte[] bytes = new byte[BUFFER_BYTES];
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        hasher.update(bytes, 0, read);
        draft.write(bytes, 0, read);
      }
      BlobHash found = hasher.digest();
      if (!found.equals(file.fileHash())) {
        throw new StoreException.Corrupt(
            file.name(), 0, "bytes with the hash " + file.fileHash(), found.toString());
      }
      draft.claim();
    }
    permit(path, file.mode());
  }

  private static void permit(Path path, int mode) throws IOException {
    if (mode == 0 || !path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    PosixFilePermission[] highestFirst = PosixFilePermission.values();
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (int i = 0; i < highestFirst.length; i++) {
      if ((mode >> (highestFirst.length - 1 - i) & 1) != 0) {
        permissions.add(highestFirst[i]);
      }
    }
    Files.setPosixFilePermissions(path, permissions);
  }
}
