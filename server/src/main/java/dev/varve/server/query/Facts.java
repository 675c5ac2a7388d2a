// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What can be asked of a context. The first four cost little; the others may have to be read from
/// the disk, and are asked for only if the first did not decide.
public interface Facts {

  /// An unsigned 64-bit number.
  long contextId();

  int headDepth();

  long createdAtUnixMs();

  boolean isLive();

  /// Null where nothing was said.
  @Nullable String text(TextField field);

  List<String> labels();

  /// The context this one says it comes from; null where it says nothing.
  @Nullable Long parent();

  /// The first of its family; null where it says nothing.
  @Nullable Long root();
}
