// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.disk.Growth;
import dev.varve.journal.Journal;

/// How a store's files grow. Has no bearing on what they hold; tests use small numbers.
///
/// @param inPlaceBytes a commit with more record bytes than this forces them where they belong instead of writing them
///     into the journal as well
public record Geometry(Growth growth, Journal.Sizes journal, int inPlaceBytes) {
  public static final Geometry DEFAULTS =
      new Geometry(Growth.DEFAULTS, Journal.Sizes.DEFAULTS, 512 << 10);
}
