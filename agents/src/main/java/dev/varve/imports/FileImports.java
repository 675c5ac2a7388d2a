// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Imports one file, or all files of a folder.
///
/// @param format imports each file
public record FileImports(SourceImport format, ImportListener listener) {

  /// Imports one file.
  ///
  /// @throws StoreException.Io if the file cannot be read
  public ImportReport file(Path file) {
    try {
      ImportReport report = read(file);
      listener.done(report);
      return report;
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
  }

  /// Imports the files of a folder in the order of their paths. A file that cannot be imported is
  /// reported as [ImportReport.Outcome#FAILED] and does not stop the rest.
  ///
  /// @return a report for each file
  public List<ImportReport> folder(SourceFolder folder) {
    listener.found(folder.files().size());
    List<ImportReport> reports = new ArrayList<>();
    for (UnreadablePath path : folder.unreadable()) {
      reports.add(ImportReport.failed(path.file(), path.why()));
      listener.done(reports.getLast());
    }
    for (Path file : folder.files()) {
      reports.add(tolerant(file));
    }
    return reports;
  }

  /// Imports one file; reports a failure as [ImportReport.Outcome#FAILED].
  public ImportReport tolerant(Path file) {
    ImportReport report = attempt(file);
    listener.done(report);
    return report;
  }

  private ImportReport attempt(Path file) {
    try {
      return read(file);
    } catch (IOException e) {
      return ImportReport.failed(file, UnreadablePath.reason(e));
    } catch (StoreException e) {
      return switch (e) {
        case StoreException.Full _,
            StoreException.Closed _,
            StoreException.Io _,
            StoreException.Busy _,
            StoreException.NoStore _ ->
            throw e; // the store's trouble, not the file's
        case StoreException.Invalid invalid ->
            ImportReport.failed(
                file,
                invalid.what().equals(file.toString())
                    ? invalid.why()
                    : String.valueOf(e.getMessage()));
        case StoreException.NotFound _,
            StoreException.Conflict _,
            StoreException.Erased _,
            StoreException.TooLarge _,
            StoreException.Corrupt _,
            StoreException.FormatTooNew _,
            StoreException.FormatTooOld _ ->
            ImportReport.failed(file, String.valueOf(e.getMessage()));
      };
    }
  }

  private ImportReport read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException("expected a regular file"); // a pipe would be waited for
    }
    return format.read(file, listener);
  }
}
