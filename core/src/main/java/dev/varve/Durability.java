// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// When an append counts as done. What each mode may lose, and when, is told in
/// `docs/durability.md`.
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
