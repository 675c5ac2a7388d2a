// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.blobs.Sha256;

/// A payload that is at hand, or a reference to one: RFD 066's `BlobContent`.
///
/// Whoever only wants to know what it is (its hash, its size) never opens a blob; [#resolve] does,
/// once asked.
public sealed interface Content {

  /// Where referenced contents come from.
  interface Source {

    /// The content, verified against both.
    ///
    /// @throws dev.varve.StoreException.NotFound if it is not there
    /// @throws dev.varve.StoreException.Corrupt if it is not what it should be
    byte[] get(Sha256 hash, long sizeBytes);
  }

  /// In memory.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Loaded(byte[] bytes) implements Content {
    @Override
    public long sizeBytes() {
      return bytes.length;
    }

    @Override
    public Sha256 hash() {
      return Sha256.of(bytes);
    }

    @Override
    public byte[] resolve(Source source) {
      return bytes;
    }
  }

  /// In the blob store.
  ///
  /// @param sizeBytes as the reference says; 64 bits, unlike the RFD's `u32`
  record Reference(Sha256 hash, long sizeBytes) implements Content {
    @Override
    public byte[] resolve(Source source) {
      return source.get(hash, sizeBytes);
    }
  }

  long sizeBytes();

  Sha256 hash();

  byte[] resolve(Source source);
}
