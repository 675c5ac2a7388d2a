// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.BlobHash;
import dev.varve.StoreCounts;
import dev.varve.StoreOptions;
import dev.varve.hash.Blake3;
import dev.varve.hash.Blake3Acceleration;
import dev.varve.local.LocalStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A session that is published a hundred times while it grows: what all versions take, before and
/// after compression, and that each comes back.
///
/// `java -cp bench/target/bench.jar dev.varve.bench.GrowthLoad [--mb 50] [--file FILE] [--versions
/// 100] [--folder DIR] [--vector yes]`
final class GrowthLoad {

  private GrowthLoad() {}

  public static void main(String[] args) throws IOException {
    BenchOptions options = BenchOptions.of(args);
    if (options.is("vector")) {
      System.out.println("hash engine: " + Blake3Acceleration.tryNow());
    }
    byte[] session = SampleSessions.chosen(options);
    int versions = options.get("versions", 100);
    grow("the last 1 %", session, versions, session.length - session.length / 100, options);
    grow("from a half", session, versions, session.length / 2, options);
  }

  private static void grow(
      String what, byte[] session, int versions, int firstBytes, BenchOptions options)
      throws IOException {
    Path folder = BenchFolders.make(options.folder());
    try (LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      List<BlobHash> hashes = new ArrayList<>();
      long start = System.nanoTime();
      for (int i = 1; i <= versions; i++) {
        hashes.add(
            store.put(
                new ByteArrayInputStream(session, 0, size(session, firstBytes, i, versions)),
                null));
      }
      double putSeconds = (System.nanoTime() - start) / 1e9;
      StoreCounts counts = store.counts();
      start = System.nanoTime();
      long readBytes = 0;
      for (int i = 1; i <= versions; i++) {
        int sizeBytes = size(session, firstBytes, i, versions);
        readBytes += sizeBytes;
        verify(store, hashes.get(i - 1), session, sizeBytes);
      }
      double readSeconds = (System.nanoTime() - start) / 1e9;
      start = System.nanoTime();
      boolean sound = store.check().sound();
      System.out.printf(
          "%s: %d versions of up to %d bytes kept in %d blobs, %.3f times the last before"
              + " compression, %.3f after; put at %.0f MB/s, read at %.0f MB/s, checked in %.1f s:"
              + " %s%n",
          what,
          versions,
          session.length,
          counts.blobs(),
          (double) counts.rawBytes() / session.length,
          (double) counts.storedBytes() / session.length,
          readBytes / putSeconds / 1e6,
          readBytes / readSeconds / 1e6,
          (System.nanoTime() - start) / 1e9,
          sound ? "sound" : "NOT SOUND");
    } finally {
      BenchFolders.delete(folder);
    }
  }

  private static int size(byte[] session, int firstBytes, int version, int versions) {
    return firstBytes + (int) ((long) (session.length - firstBytes) * version / versions);
  }

  private static void verify(LocalStore store, BlobHash hash, byte[] session, int sizeBytes)
      throws IOException {
    byte[] buffer = new byte[1 << 16];
    int at = 0;
    try (InputStream stream = store.read(hash)) {
      for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
        if (!Arrays.equals(buffer, 0, read, session, at, at + read)) {
          throw new AssertionError("other bytes near " + at);
        }
        at += read;
      }
    }
    if (at != sizeBytes || sizeBytes == session.length && !Blake3.hash(session).equals(hash)) {
      throw new AssertionError(at + " bytes of " + sizeBytes);
    }
  }
}
