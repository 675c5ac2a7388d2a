// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// BLAKE3 with 32 bytes of output and no key: at once through [#hash(byte\[\])], or piece by piece.
///
/// ```java
/// Blake3 hasher = new Blake3();
/// hasher.update(head);
/// byte[] state = hasher.saveState();           // perhaps in another process, a week later:
/// BlobHash hash = Blake3.restoreState(state).update(tail).digest();
/// ```
///
/// A hasher may be asked for its digest at any point and go on. An input may have up to 2^63 - 1
/// bytes. A hasher belongs to one thread at a time; the static methods may be called by any number.
///
/// Source: O'Connor, Aumasson, Neves, Wilcox-O'Hearn: *BLAKE3, one function, fast everywhere*,
/// 2020.
public final class Blake3 {

  private final CvStack stack;
  private final OpenChunk chunk;

  /// A hasher that has taken nothing yet.
  public Blake3() {
    this(new CvStack(), new OpenChunk());
  }

  Blake3(CvStack stack, OpenChunk chunk) {
    this.stack = stack;
    this.chunk = chunk;
  }

  /// The hash of `bytes`.
  public static BlobHash hash(byte[] bytes) {
    return hash(bytes, 0, bytes.length);
  }

  /// The hash of a payload. The payload remembers its hash, so that a second call costs nothing.
  public static BlobHash hash(Payload payload) {
    return payload.hash(Blake3::hash);
  }

  /// The hash of the `length` bytes at `offset`.
  ///
  /// @throws IndexOutOfBoundsException if they are not all inside `bytes`
  public static BlobHash hash(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length <= WholeChunk.SIZE) {
      byte[] hash = new byte[CompressionFunction.CV];
      WholeChunk.hash(bytes, offset, length, 0, CompressionFunction.ROOT, hash, 0);
      return read(hash);
    }
    if (length <= WideTree.MOST_BYTES) {
      Blake3Lanes lanes = Blake3Acceleration.lanesFor(length);
      return read(WideTree.root(lanes, bytes, offset, length));
    }
    return new Blake3().update(bytes, offset, length).digest();
  }

  /// The hash of all bytes of `bytes`, on the heap or off it.
  public static BlobHash hash(MemorySegment bytes) {
    if (backing(bytes) instanceof byte[] array) {
      return hash(array, (int) bytes.address(), (int) bytes.byteSize());
    }
    if (bytes.byteSize() <= WideTree.MOST_BYTES) {
      return hash(bytes.toArray(ValueLayout.JAVA_BYTE));
    }
    return new Blake3().update(bytes).digest();
  }

  /// Takes all of `bytes`.
  public Blake3 update(byte[] bytes) {
    return update(bytes, 0, bytes.length);
  }

  /// Takes the `length` bytes at `offset`.
  ///
  /// @throws IndexOutOfBoundsException if they are not all inside `bytes`
  public Blake3 update(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int from = offset;
    int left = length;
    if (chunk.length() > 0) {
      int taken = Math.min(left, WholeChunk.SIZE - chunk.length());
      chunk.update(bytes, from, taken);
      from += taken;
      left -= taken;
      if (left == 0) {
        return this;
      }
      closeChunk();
    }
    if (left > WholeChunk.SIZE) {
      int whole = pushWholeChunks(bytes, from, left);
      from += whole;
      left -= whole;
      chunk.restart(stack.chunks());
    }
    chunk.update(bytes, from, left);
    return this;
  }

  /// Takes all bytes of `bytes`, on the heap or off it.
  public Blake3 update(MemorySegment bytes) {
    if (backing(bytes) instanceof byte[] array) {
      return update(array, (int) bytes.address(), (int) bytes.byteSize());
    }
    byte[] piece = new byte[(int) Math.min(bytes.byteSize(), WideTree.MOST_BYTES)];
    for (long done = 0; done < bytes.byteSize(); done += piece.length) {
      int size = (int) Math.min(piece.length, bytes.byteSize() - done);
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, done, piece, 0, size);
      update(piece, 0, size);
    }
    return this;
  }

  /// The hash of all bytes taken so far. The hasher is as it was and may take more.
  public BlobHash digest() {
    byte[] block = new byte[CompressionFunction.BLOCK];
    if (stack.depth() == 0) {
      chunk.finish(CompressionFunction.ROOT, block, 0);
    } else {
      chunk.finish(0, block, CompressionFunction.CV);
      stack.root(block);
    }
    return read(block);
  }

  /// The number of bytes that were taken so far.
  public long sizeBytes() {
    return stack.chunks() * WholeChunk.SIZE + chunk.length();
  }

  /// All that is needed to go on later, as bytes that any later version reads
  /// (docs/format/blake3-state.md).
  ///
  /// A state has 64 bytes, 0 to 64 more for the block that waits, and 32 for each bit set in the
  /// number of whole 1 KiB chunks before it: at most 640 at 64 MiB, 1,824 at the longest input
  /// there can be.
  public byte[] saveState() {
    return StateCodec.write(stack, chunk);
  }

  /// The hasher that [#saveState()] wrote.
  ///
  /// @throws StoreException.Invalid if `state` is damaged, foreign, or contradicts itself
  /// @throws StoreException.FormatTooNew if a later version wrote it
  public static Blake3 restoreState(byte[] state) {
    return StateCodec.read(state);
  }

  private void closeChunk() {
    byte[] cv = new byte[CompressionFunction.CV];
    chunk.finish(0, cv, 0);
    stack.push(cv, 0, 1);
    chunk.restart(stack.chunks());
  }

  /// Hashes all whole chunks that are followed by a byte, and returns how many bytes those were.
  private int pushWholeChunks(byte[] bytes, int offset, int length) {
    int chunks = (length - 1) / WholeChunk.SIZE;
    byte[] cvs = new byte[Math.min(chunks, WideTree.MOST_CHUNKS) * CompressionFunction.CV];
    int done = 0;
    while (done < chunks) {
      int count = Math.min(chunks - done, WideTree.MOST_CHUNKS);
      Blake3Lanes lanes = Blake3Acceleration.lanesFor(count * WholeChunk.SIZE);
      WideTree.push(lanes, bytes, offset + done * WholeChunk.SIZE, count, stack, cvs);
      done += count;
    }
    return chunks * WholeChunk.SIZE;
  }

  /// The array under a writable segment of bytes, which need not be copied; null for any other.
  private static @Nullable Object backing(MemorySegment bytes) {
    return bytes.heapBase().orElse(null);
  }

  private static BlobHash read(byte[] bytes) {
    return BlobHash.read(MemorySegment.ofArray(bytes), 0);
  }
}
