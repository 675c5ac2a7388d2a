// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Writes of whole blocks that go to the disk past the system's cache: what is forced at once and
/// read only after a crash has no use for a place there, and a force that follows finds nothing to
/// write back.
///
/// They are not durable before the file is forced. Where the system or the file system does not
/// write so, or does so no more, it says so by returning false, and the caller writes as usual.
final class UncachedWrites implements AutoCloseable {

  /// Position, length and address must be multiples of this. A disk that asks for more refuses.
  static final int BLOCK_BYTES = 4096;

  private final @Nullable AsynchronousFileChannel channel;
  private volatile boolean refused;

  UncachedWrites(@Nullable AsynchronousFileChannel channel) {
    this.channel = channel;
  }

  /// A writer that never writes.
  static UncachedWrites none() {
    return new UncachedWrites(null);
  }

  /// Writes to a file that is there.
  static UncachedWrites to(Path path) {
    Optional<OpenOption> uncached = option();
    if (uncached.isEmpty()) {
      return none();
    }
    try {
      return new UncachedWrites(
          AsynchronousFileChannel.open(
              path, Set.of(StandardOpenOption.WRITE, uncached.get()), CallerRuns.INSTANCE));
    } catch (IOException | UnsupportedOperationException _) {
      return none();
    }
  }

  /// The JDK's name for such writes. It is in a module of its own (`jdk.unsupported`), which a
  /// runtime image may do without.
  private static Optional<OpenOption> option() {
    try {
      return Stream.of(Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants())
          .filter(option -> option.toString().equals("DIRECT"))
          .map(OpenOption.class::cast)
          .findFirst();
    } catch (ClassNotFoundException _) {
      return Optional.empty();
    }
  }

  /// Writes all that remains of `source`, if it is whole blocks of direct memory.
  ///
  /// @return whether it did; else `source` is as it was, and some of its bytes may have been
  ///   written
  boolean write(long position, ByteBuffer source) {
    if (channel == null || refused || !isWholeBlocks(position, source)) {
      return false;
    }
    int start = source.position();
    try {
      while (source.hasRemaining()) {
        QuietThread.await(channel.write(source, position + source.position() - start));
      }
      return true;
    } catch (IOException _) {
      refused = true; // if it is the disk that fails, the caller's own write, or its force, tells
      source.position(start);
      return false;
    }
  }

  private static boolean isWholeBlocks(long position, ByteBuffer source) {
    return source.isDirect()
        && position % BLOCK_BYTES == 0
        && source.remaining() % BLOCK_BYTES == 0
        && source.alignmentOffset(source.position(), BLOCK_BYTES) == 0;
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
