// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

/// BLAKE3 on vectors of 512 bits; emulated, and slow, on a processor that has none.
class SixteenLanesTest extends EngineContract {

  SixteenLanesTest() {
    super(16);
  }
}
