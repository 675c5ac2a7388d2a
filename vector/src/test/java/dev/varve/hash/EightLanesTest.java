// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

/// BLAKE3 on vectors of 256 bits; emulated, and slow, on a processor that has none.
class EightLanesTest extends EngineContract {

  EightLanesTest() {
    super(8);
  }
}
