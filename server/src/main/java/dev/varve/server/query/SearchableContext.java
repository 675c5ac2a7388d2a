// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The properties of a context that a query can test. The first four are fast; the others may have
/// to be read from the disk, and are read only if the first four did not decide.
public interface SearchableContext {

  /// An unsigned 64-bit number.
  long contextId();

  int headDepth();

  long createdAtUnixMs();

  boolean isLive();

  /// A declared text; null if there is none.
  @Nullable String text(TextField field);

  List<String> labels();

  /// The parent context that this one declares; null if none.
  @Nullable Long parent();

  /// The root context that this one declares; null if none.
  @Nullable Long root();
}
