// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/// Puts rows of archived sessions back into a database of their agent.
public interface RowTarget {

  /// Lines that stand for rows.
  interface Rows {
    InputStream open() throws IOException;
  }

  /// Takes the bytes of a database before it is written to.
  interface Backup {
    void take(InputStream database) throws IOException;
  }

  /// The state of the place of a session's rows.
  ///
  /// @param slot of the rows in the session
  /// @param session the session's key
  /// @throws IOException if the database cannot be read
  PlannedFile.State state(Path database, String slot, String session, Rows rows) throws IOException;

  /// Writes all rows or none. Makes the database if there is none.
  ///
  /// @param parts in the order in which they are written
  /// @throws dev.varve.StoreException.Conflict if the agent uses the database, or the database has
  ///   no room for a row
  void write(Path database, List<Rows> parts, Backup backup) throws IOException;
}
