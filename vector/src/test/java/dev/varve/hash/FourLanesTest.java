// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

/// BLAKE3 on vectors of 128 bits; emulated, and slow, on a processor that has none.
class FourLanesTest extends EngineContract {

  FourLanesTest() {
    super(4);
  }
}
