// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

/// Takes a content piece by piece.
@FunctionalInterface
public interface ContentSink {

  /// Takes the first `sizeBytes` bytes of an array that is used again for the next piece.
  void take(byte[] bytes, int sizeBytes);
}
