// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

/// What every call on a [SimulatedDisk] throws once its power is cut. No code of ours catches it by
/// name: to the store it is the end of its process.
public final class PowerCut extends RuntimeException {

  private static final long serialVersionUID = 1;

  PowerCut(String disk, long operation) {
    super(disk + ": power cut at operation " + operation);
  }
}
