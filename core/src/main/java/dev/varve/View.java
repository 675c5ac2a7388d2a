// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// A reader's choice of turns: with payloads or without, and with the overlays to apply.
///
/// @param payloads whether to load each turn's bytes
/// @param overlaySeqMax overlays with a greater sequence are ignored (spec 001, *As-of*)
public record View(boolean payloads, long overlaySeqMax) {

  /// Everything but the payloads, all overlays applied.
  public static final View HEADERS = new View(false, Long.MAX_VALUE);

  /// With payloads, all overlays applied (spec 001, *Latest*).
  public static final View LATEST = new View(true, Long.MAX_VALUE);

  /// With payloads, as they were first written.
  public static final View AS_WRITTEN = new View(true, 0);

  /// With payloads, as they were once overlay `seq` had been written.
  public static View asOf(long seq) {
    return new View(true, seq);
  }

  /// The same overlays, but no payloads.
  public View withoutPayloads() {
    return new View(false, overlaySeqMax);
  }
}
