// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.blobs.ContentSink;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.json.JsonText;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;

/// A payload that stands in the file, or a reference to a blob: RFD 066's `BlobContent`.
///
/// The size and the hash of a reference are known without its blob; [#resolve] and [#stream] open
/// the blob.
public sealed interface BlobContent {

  /// The place that referenced contents come from.
  interface Source {

    /// The content, verified against both.
    ///
    /// @throws dev.varve.StoreException.NotFound if it is not there
    /// @throws dev.varve.StoreException.Corrupt if it is not what it should be
    byte[] get(Sha256 hash, long sizeBytes);

    /// Hands the content to `sink`, piece by piece. The content is verified before its first piece.
    ///
    /// @throws dev.varve.StoreException as [#get] does
    default void stream(Sha256 hash, long sizeBytes, ContentSink sink) {
      byte[] content = get(hash, sizeBytes);
      sink.take(content, content.length);
    }
  }

  /// In the file itself, decoded whenever it is asked for.
  ///
  /// @param value the string
  /// @param spelling of the string
  /// @param sizeBytes of the content
  record Inline(JsonText text, int value, FlatText.Spelling spelling, long sizeBytes)
      implements BlobContent {

    @Override
    public Sha256 hash() {
      MessageDigest digest = Sha256.digest();
      stream((bytes, count) -> digest.update(bytes, 0, count));
      return Sha256.of(digest);
    }

    @Override
    public byte[] resolve(Source source) {
      return bytes();
    }

    @Override
    public void stream(Source source, ContentSink sink) {
      stream(sink);
    }

    byte[] bytes() {
      ByteArrayOutputStream content = new ByteArrayOutputStream(Math.toIntExact(sizeBytes));
      stream((bytes, count) -> content.write(bytes, 0, count));
      return content.toByteArray();
    }

    private void stream(ContentSink sink) {
      if (FlatText.decode(new PayloadInput(text, value), spelling, sink).isEmpty()) {
        throw new AssertionError("a string that was decoded before cannot be decoded");
      }
    }
  }

  /// In a blob.
  ///
  /// @param sizeBytes as the reference says; 64 bits, unlike the RFD's `u32`
  record Reference(Sha256 hash, long sizeBytes) implements BlobContent {
    @Override
    public byte[] resolve(Source source) {
      return source.get(hash, sizeBytes);
    }

    @Override
    public void stream(Source source, ContentSink sink) {
      source.stream(hash, sizeBytes, sink);
    }
  }

  long sizeBytes();

  Sha256 hash();

  byte[] resolve(Source source);

  /// Hands the content to `sink`, piece by piece, in constant memory.
  void stream(Source source, ContentSink sink);
}
