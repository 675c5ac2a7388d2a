// SPDX-License-Identifier: Apache-2.0
package dev.varve.database;

import dev.varve.CheckReport.Problem;
import dev.varve.StoreException;
import dev.varve.chunk.BlobVerification;
import java.util.ArrayList;
import java.util.List;

/// The problems that a check of a store in a database has found; of very many, the first are listed
/// and the others counted.
public final class FoundProblems {

  private static final int LISTED_MAX = 1000;

  private final List<Problem> problems = new ArrayList<>();
  private long unlisted;

  public void add(String what) {
    if (problems.size() < LISTED_MAX) {
      problems.add(new Problem("database", 0, what, false));
    } else {
      unlisted++;
    }
  }

  /// Forgets all problems, for a check that begins again.
  public void clear() {
    problems.clear();
    unlisted = 0;
  }

  /// Reads the content of a blob in one piece and adds a problem if the content is damaged.
  public void readPiece(EncodedBlob row) {
    try {
      row.content(DatabaseBlobs.SIZES.maxBytes());
    } catch (StoreException.Corrupt e) {
      add(String.valueOf(e.getMessage()));
    }
  }

  /// Reads all of the blobs that are kept as chunks and adds a problem for each that cannot be
  /// read.
  public void readChunked(List<EncodedBlob> rows, DatabaseBlobs blobs) {
    BlobVerification verification = new BlobVerification(DatabaseBlobs.SIZES, blobs::piece);
    for (EncodedBlob row : rows) {
      try {
        verification.verify(DatabaseBlobs.place(row), DatabaseBlobs.root(row));
      } catch (StoreException.Corrupt | StoreException.NotFound | StoreException.Invalid e) {
        if (blobs.has(row.hash())) { // else the blob was erased beside the check
          add("table blob, row " + row.hash() + ": " + e.getMessage());
        }
      }
    }
  }

  public List<Problem> list() {
    List<Problem> all = new ArrayList<>(problems);
    if (unlisted > 0) {
      all.add(new Problem("", 0, unlisted + " more problems", false));
    }
    return all;
  }
}
