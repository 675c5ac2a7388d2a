// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/// A channel that takes one block and then fails, as a disk does that refuses to write past the
/// system's cache in the middle.
final class FailingChannel extends AsynchronousFileChannel {

  private boolean took;

  @Override
  public Future<Integer> write(ByteBuffer source, long position) {
    if (took) {
      return CompletableFuture.failedFuture(new IOException("no more"));
    }
    took = true;
    source.position(source.position() + UncachedWrites.BLOCK_BYTES);
    return CompletableFuture.completedFuture(UncachedWrites.BLOCK_BYTES);
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}

  // ---- what nobody asks for here

  @Override
  public long size() {
    throw new UnsupportedOperationException();
  }

  @Override
  public AsynchronousFileChannel truncate(long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void force(boolean metaData) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <A> void lock(
      long position,
      long size,
      boolean shared,
      A attachment,
      CompletionHandler<FileLock, ? super A> handler) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Future<FileLock> lock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <A> void read(
      ByteBuffer target,
      long position,
      A attachment,
      CompletionHandler<Integer, ? super A> handler) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Future<Integer> read(ByteBuffer target, long position) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <A> void write(
      ByteBuffer source,
      long position,
      A attachment,
      CompletionHandler<Integer, ? super A> handler) {
    throw new UnsupportedOperationException();
  }
}
