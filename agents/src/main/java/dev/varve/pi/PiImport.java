// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.Limits;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.pi.ImportReport.Outcome;
import dev.varve.pi.ImportReport.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Brings Pi's session files into a store. Files are only read.
///
/// Importing a file again adds what is new in it and nothing else; a file that is as it was adds
/// nothing at all. Any file can be imported, whole, damaged or foreign, and [PiExport] gives back
/// exactly what was read.
///
/// A turn follows the one before, so a store that forces each append to the disk waits once a line.
/// To import much, open the store with [dev.varve.Durability#LET_THE_SYSTEM]: should the power
/// fail, importing again makes it whole.
///
/// One import at a time: two at once into one store lose nothing, but may give a leaf two contexts.
/// The heap holds one line (up to [#LINE_BYTES_MAX], and a copy) and 40 to 80 bytes for each entry
/// of the file.
public final class PiImport {

  /// The longest line that becomes a turn, so that a turn fits one frame of the protocol. Longer
  /// ones are kept as bytes.
  public static final int LINE_BYTES_MAX = 63 << 20;

  private final Store store;
  private final int lineBytesMax;
  private final int keptBytesMax;

  /// Into a store with the default limits.
  public PiImport(Store store) {
    this(store, Limits.DEFAULTS);
  }

  /// @param limits those of the store
  public PiImport(Store store, Limits limits) {
    this.store = store;
    this.lineBytesMax = Math.min(limits.payloadBytes(), LINE_BYTES_MAX);
    this.keptBytesMax = Math.min(limits.payloadBytes(), Manifest.KEPT_BYTES_MAX);
  }

  /// Imports one file.
  ///
  /// @throws StoreException.Io if the file cannot be read
  public ImportReport session(Path file) {
    return session(file, ImportListener.NONE);
  }

  /// Imports one file, like [#session(Path)], and tells `listener` how far it is.
  public ImportReport session(Path file, ImportListener listener) {
    try {
      ImportReport report = read(file, listener);
      listener.done(report);
      return report;
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
  }

  /// Imports all files below `folder` whose names end in `.jsonl`, in the order of their paths.
  /// Links are followed.
  ///
  /// A file that cannot be read, or whose session cannot be, is reported as [Outcome#FAILED] and
  /// does not stop the rest.
  ///
  /// @param listener is handed each report as soon as there is one
  /// @return a report for each file
  /// @throws StoreException.Io if the folder itself cannot be read
  public List<ImportReport> folder(Path folder, ImportListener listener) {
    SessionFolder files = SessionFolder.walk(folder);
    listener.found(files.sessions().size());
    List<ImportReport> reports = new ArrayList<>(files.unreadable());
    files.unreadable().forEach(listener::done);
    for (Path file : files.sessions()) {
      ImportReport report = tolerant(file, listener);
      reports.add(report);
      listener.done(report);
    }
    return reports;
  }

  private ImportReport tolerant(Path file, ImportListener listener) {
    try {
      return read(file, listener);
    } catch (IOException e) {
      return failed(file, e.toString());
    } catch (StoreException e) {
      return switch (e) {
        case StoreException.Full _,
            StoreException.Closed _,
            StoreException.Io _,
            StoreException.Busy _,
            StoreException.NoStore _ ->
            throw e; // the store's trouble, not the file's
        case StoreException.NotFound _,
            StoreException.Invalid _,
            StoreException.Conflict _,
            StoreException.TooLarge _,
            StoreException.Corrupt _,
            StoreException.FormatTooNew _,
            StoreException.FormatTooOld _ ->
            failed(file, String.valueOf(e.getMessage()));
      };
    }
  }

  private ImportReport read(Path file, ImportListener listener) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + ": expected a regular file"); // a pipe would be waited for
    }
    return new SessionImport(store, listener, file, lineBytesMax, keptBytesMax).run();
  }

  static ImportReport failed(Path file, String why) {
    return new ImportReport(
        file,
        Outcome.FAILED,
        "",
        "",
        null,
        null,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        List.of(),
        1,
        List.of(new Problem(0, why)));
  }
}
