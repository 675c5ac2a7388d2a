// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.BlobHash;
import dev.varve.hash.Blake3;
import dev.varve.hash.Blake3Acceleration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.crypto.digests.Blake3Digest;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// One BLAKE3 hash of bytes in memory, on one thread: ours plain, ours on vectors, BouncyCastle's.
///
/// Below the size from which the vector engine is let in, `vector` measures the plain code and the
/// choice.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "--add-modules=jdk.incubator.vector")
@Warmup(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 20, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class HashBench {

  /// The implementation that hashes.
  public enum Hasher {
    bouncyCastle,
    scalar,
    vector
  }

  @Param public Hasher hasher = Hasher.scalar;

  @Param({"16", "1024", "10240", "1048576"})
  public int bytes;

  private byte[] input = new byte[0];

  /// Makes the input, lets the vector engine in where it is measured, and checks the answer.
  @Setup
  public void setUp() {
    input = new byte[bytes];
    new Random(bytes).nextBytes(input);
    if (hasher == Hasher.vector) {
      Blake3Acceleration.Choice choice = Blake3Acceleration.tryNow();
      if (choice.engine().equals("scalar")) {
        throw new AssertionError("no vector engine: " + choice.reason());
      }
    }
    if (!hash().equals(bouncyCastle(input))) {
      throw new AssertionError(hasher + " is wrong at " + bytes + " bytes");
    }
  }

  /// Hashes the input.
  @Benchmark
  public BlobHash hash() {
    return hasher == Hasher.bouncyCastle ? bouncyCastle(input) : Blake3.hash(input);
  }

  private static BlobHash bouncyCastle(byte[] input) {
    Blake3Digest digest = new Blake3Digest();
    digest.update(input, 0, input.length);
    byte[] hash = new byte[BlobHash.SIZE_BYTES];
    digest.doFinal(hash, 0);
    return BlobHash.of(hash);
  }
}
