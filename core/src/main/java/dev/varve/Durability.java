// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// The moment at which an append counts as done. `docs/durability.md` describes the appends that
/// each mode may lose.
public enum Durability {
  /// Each append is forced to the disk by itself before it is acknowledged.
  FORCE_EACH,
  /// Appends that arrive together are forced together, before any of them is acknowledged. The
  /// default.
  FORCE_GROUPED,
  /// Acknowledged once written; the operating system forces it when it likes. A crash of the
  /// process loses nothing, a power cut may lose the newest appends but never leaves half of one.
  LET_THE_SYSTEM
}
