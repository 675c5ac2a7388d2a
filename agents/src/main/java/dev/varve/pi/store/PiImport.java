// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.imports.FileImports;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportReport;
import dev.varve.imports.SourceFolder;
import dev.varve.imports.SourceImport;
import dev.varve.pi.session.SessionReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Imports session files of Pi into a store. Files are only read.
///
/// A repeated import of a file adds only the new entries; an unchanged file adds nothing. Any file
/// can be imported, whole, damaged or foreign, and [PiExport] gives back exactly the bytes that
/// were read.
///
/// Each turn follows the turn before, so that a store that forces each append to the disk waits
/// once for each line. For a large import, open the store with
/// [dev.varve.Durability#LET_THE_SYSTEM]: after a power cut, a repeated import completes the store.
///
/// One import at a time: two imports at once into one store lose nothing, but may give a leaf two
/// contexts. The heap holds one line (up to [#LINE_BYTES_MAX], and a copy) and 40 to 80 bytes for
/// each entry of the file.
public final class PiImport implements SourceImport {

  /// The longest line that becomes a turn, so that a turn fits one frame of the protocol. A longer
  /// line is kept as bytes.
  public static final int LINE_BYTES_MAX = SessionReader.LINE_BYTES_MAX;

  private final Store store;
  private final int lineBytesMax;
  private final int keptBytesMax;

  /// An import into a store with the default limits.
  public PiImport(Store store) {
    this(store, StoreLimits.DEFAULTS);
  }

  /// @param limits those of the store
  public PiImport(Store store, StoreLimits limits) {
    this.store = store;
    this.lineBytesMax = Math.min(limits.payloadBytes(), LINE_BYTES_MAX);
    this.keptBytesMax = Math.min(limits.payloadBytes(), SessionManifest.KEPT_BYTES_MAX);
  }

  /// Imports one file.
  ///
  /// @throws StoreException.Invalid if the file is no session of Pi; the store is as it was
  /// @throws StoreException.Io if the file cannot be read
  public ImportReport session(Path file) {
    return session(file, ImportListener.NONE);
  }

  /// Imports one file, like [#session(Path)], and reports the progress to `listener`.
  public ImportReport session(Path file, ImportListener listener) {
    return new FileImports(this, listener).file(file);
  }

  /// Imports all files below `folder` whose names end in `.jsonl`, in the order of their paths.
  /// Links are followed.
  ///
  /// A file that cannot be read or is no session of Pi is reported as [ImportReport.Outcome#FAILED]
  /// and does not stop the rest.
  ///
  /// @param listener receives each report at once
  /// @return a report for each file
  /// @throws StoreException.Io if the folder itself cannot be read
  public List<ImportReport> folder(Path folder, ImportListener listener) {
    return new FileImports(this, listener)
        .folder(SourceFolder.walk(folder, SourceFolder.JSON_LINES));
  }

  @Override
  public ImportReport read(Path file, ImportListener listener) throws IOException {
    return new SessionImport(store, listener, file, lineBytesMax, keptBytesMax).run();
  }
}
