// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.BlobHash;
import dev.varve.Payload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Requests about blobs that cxdb's messages lack: the presence of blobs, blobs of any size,
/// several blobs at once.
public sealed interface BlobRequest extends Request {

  /// Which of these blobs are there; so that a client sends only what is missing.
  record BlobsHas(List<BlobHash> hashes) implements BlobRequest {
    public BlobsHas {
      hashes = List.copyOf(hashes);
    }

    @Override
    public MessageType type() {
      return MessageType.BLOBS_HAS;
    }

    @Override
    public void write(FieldWriter out) {
      out.u32("count", hashes.size());
      hashes.forEach(hash -> out.hash("hash", hash));
    }

    static BlobsHas read(FieldReader in) {
      int count = in.count("count", BlobHash.SIZE_BYTES);
      List<BlobHash> hashes = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        hashes.add(in.hash("hash"));
      }
      return new BlobsHas(hashes);
    }
  }

  record BlobSize(BlobHash hash) implements BlobRequest {
    @Override
    public MessageType type() {
      return MessageType.BLOB_SIZE;
    }

    @Override
    public void write(FieldWriter out) {
      out.hash("hash", hash);
    }
  }

  /// Some bytes of a blob of any size.
  record BlobRead(BlobHash hash, long offset, int length) implements BlobRequest {
    @Override
    public MessageType type() {
      return MessageType.BLOB_READ;
    }

    @Override
    public void write(FieldWriter out) {
      out.hash("hash", hash);
      out.u64("offset", offset);
      out.u32("length", length);
    }
  }

  /// The next bytes of a blob that is sent in parts, in the order in which they are sent.
  ///
  /// @param upload which one: a number that the client chooses, good on its connection until the
  ///   last part
  /// @param last whether nothing follows; the blob is then stored
  /// @param expected the hash of the whole, if the client knows it; looked at with the first part
  record BlobPart(long upload, boolean last, @Nullable BlobHash expected, Payload data)
      implements BlobRequest {
    @Override
    public MessageType type() {
      return MessageType.BLOB_PART;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("upload", upload);
      out.u8("last", last ? 1 : 0);
      MessageParts.optionalHash(out, "expected", expected);
      out.bytes("data", data);
    }
  }

  /// Several blobs, with one commit.
  record BlobsPut(List<Named> blobs) implements BlobRequest {

    /// A blob and its hash.
    public record Named(BlobHash hash, Payload data) {}

    public BlobsPut {
      blobs = List.copyOf(blobs);
    }

    @Override
    public MessageType type() {
      return MessageType.BLOBS_PUT;
    }

    @Override
    public void write(FieldWriter out) {
      out.u32("count", blobs.size());
      for (Named blob : blobs) {
        out.hash("hash", blob.hash());
        out.bytes("data", blob.data());
      }
    }

    static BlobsPut read(FieldReader in) {
      int count = in.count("count", BlobHash.SIZE_BYTES + 4);
      List<Named> blobs = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        blobs.add(new Named(in.hash("hash"), in.payload("data")));
      }
      return new BlobsPut(blobs);
    }
  }

  /// The root list of a blob that is kept as chunks.
  record ChunkList(BlobHash hash) implements BlobRequest {
    @Override
    public MessageType type() {
      return MessageType.CHUNK_LIST;
    }

    @Override
    public void write(FieldWriter out) {
      out.hash("hash", hash);
    }
  }

  /// Makes a blob of chunks that are there.
  record BlobAssemble(BlobHash hash, Payload rootList) implements BlobRequest {
    @Override
    public MessageType type() {
      return MessageType.BLOB_ASSEMBLE;
    }

    @Override
    public void write(FieldWriter out) {
      out.hash("hash", hash);
      out.bytes("root_list", rootList);
    }
  }

  /// The request of `type`, which is one of these.
  static BlobRequest read(MessageType type, FieldReader in) {
    return switch (type) {
      case BLOBS_HAS -> BlobsHas.read(in);
      case BLOB_SIZE -> new BlobSize(in.hash("hash"));
      case BLOB_READ -> new BlobRead(in.hash("hash"), in.number("offset"), in.u32("length"));
      case BLOB_PART ->
          new BlobPart(
              in.u64("upload"),
              in.u8("last") != 0,
              MessageParts.optionalHash(in, "expected"),
              in.payload("data"));
      case BLOBS_PUT -> BlobsPut.read(in);
      case CHUNK_LIST -> new ChunkList(in.hash("hash"));
      case BLOB_ASSEMBLE -> new BlobAssemble(in.hash("hash"), in.payload("root_list"));
      default -> throw new AssertionError("not about blobs: " + type);
    };
  }
}
