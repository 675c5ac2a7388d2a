// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.watch;

import dev.varve.imports.ImportReport;

/// Follows a watch.
public interface WatchListener {

  /// The notifications of the file system are there, and the first look begins.
  default void begins() {}

  /// A session that changed is archived.
  void archived(String agent, ImportReport report);

  /// A session could not be archived twice in a row, for this reason. Reported once for each
  /// reason; the session is tried again.
  void failed(String agent, ImportReport report);

  /// A folder or the store cannot be used. Reported once for each reason; tried again later.
  void trouble(String what);

  /// Everything is archived, and for a while nothing has changed. Called once behind each change.
  default void idle() {}
}
