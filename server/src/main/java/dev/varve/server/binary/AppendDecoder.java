// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.BlobHash;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.blob.Codec;
import dev.varve.hash.Blake3;
import dev.varve.server.limits.MemoryBudget;
import dev.varve.wire.BasicRequest;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The conversion of an APPEND_TURN message into a [NewTurn]: decompresses the payload and verifies
/// its length and hash before the store sees the turn.
final class AppendDecoder {

  private static final int NONE = 0;
  private static final int ZSTD = 1;

  private AppendDecoder() {}

  /// The turn that a message describes.
  ///
  /// @param sizeBytesMax the largest payload that can be read again through this port
  /// @throws StoreException.Invalid if bytes, length and hash do not agree
  /// @throws StoreException.TooLarge if the payload, the key or the type's id is over its limit
  static NewTurn newTurn(
      BasicRequest.AppendTurn request, int sizeBytesMax, MemoryBudget.Lease lease) {
    if (request.parentTurnId() < 0) {
      throw new StoreException.NotFound(
          "parent turn", Long.toUnsignedString(request.parentTurnId()));
    }
    DeclaredType type = new DeclaredType(request.typeId(), request.typeVersion());
    Payload key = request.idempotencyKey();
    return new NewTurn(
        payload(request, sizeBytesMax, lease),
        type,
        new Encoding(request.encoding()),
        request.parentTurnId() == 0 ? null : new TurnId(request.parentTurnId()),
        null,
        key.sizeBytes() == 0 ? null : new IdempotencyKey(key),
        request.fsRootHash(),
        request.compression(),
        null);
  }

  private static Payload payload(
      BasicRequest.AppendTurn request, int sizeBytesMax, MemoryBudget.Lease lease) {
    return switch (request.compression()) {
      case NONE -> {
        Payload payload = request.payload();
        if (payload.sizeBytes() != request.uncompressedLen()) {
          throw mismatch(request.uncompressedLen(), payload.sizeBytes());
        }
        verify("content hash", payload, request.contentHash());
        yield payload;
      }
      case ZSTD -> unpacked(request, sizeBytesMax, lease);
      default ->
          throw new StoreException.Invalid(
              "APPEND_TURN",
              "unsupported compression: " + Integer.toUnsignedString(request.compression()));
    };
  }

  /// Decompresses a payload. The client libraries of cxdb send the length and the hash of the
  /// *compressed* bytes, although the protocol means the uncompressed ones. Both are accepted: the
  /// hash shows which of the two was sent.
  private static Payload unpacked(
      BasicRequest.AppendTurn request, int sizeBytesMax, MemoryBudget.Lease lease) {
    Payload packed = request.payload();
    long declared = Integer.toUnsignedLong(request.uncompressedLen());
    if (declared == packed.sizeBytes() && Blake3.hash(packed).equals(request.contentHash())) {
      return unpack(packed, contentSize(packed), sizeBytesMax, lease);
    }
    Payload payload = unpack(packed, declared, sizeBytesMax, lease);
    verify("content hash", payload, request.contentHash());
    return payload;
  }

  private static long contentSize(Payload packed) {
    OptionalLong declared = Codec.zstdContentSize(packed.unsafeArray());
    return declared.orElseThrow(
        () ->
            new StoreException.Invalid(
                "APPEND_TURN",
                "uncompressed_len and content_hash are of the compressed bytes, and the bytes do"
                    + " not contain their content's size"));
  }

  private static Payload unpack(
      Payload packed, long sizeBytes, int sizeBytesMax, MemoryBudget.Lease lease) {
    if (sizeBytes > sizeBytesMax) {
      throw new StoreException.TooLarge("payload", sizeBytes, sizeBytesMax);
    }
    OptionalLong declared = Codec.zstdContentSize(packed.unsafeArray());
    if (declared.isPresent() && declared.getAsLong() > sizeBytes) {
      throw mismatch(sizeBytes, declared.getAsLong()); // before any memory is taken
    }
    lease.growTo(packed.sizeBytes() + sizeBytes);
    byte @Nullable [] raw = Codec.ZSTD.decode(packed.unsafeArray(), (int) sizeBytes).orElse(null);
    if (raw == null) {
      throw new StoreException.Invalid(
          "APPEND_TURN",
          "uncompressed length mismatch: the payload is no zstd frame of " + sizeBytes + " bytes");
    }
    return Payload.wrap(raw);
  }

  private static StoreException.Invalid mismatch(long declared, long found) {
    return new StoreException.Invalid(
        "APPEND_TURN", "uncompressed length mismatch: declared " + declared + ", found " + found);
  }

  /// @throws StoreException.Invalid if the bytes have another hash
  static void verify(String what, Payload bytes, BlobHash declared) {
    BlobHash found = Blake3.hash(bytes);
    if (!found.equals(declared)) {
      throw new StoreException.Invalid(
          what + " mismatch", "declared " + declared + ", found " + found);
    }
  }
}
