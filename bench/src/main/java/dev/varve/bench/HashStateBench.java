// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.BlobHash;
import dev.varve.hash.Blake3;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.infra.Blackhole;

/// The cost of keeping the hash of a file that grows: plain code, one thread, states in memory.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 20, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class HashStateBench {

  /// The size of the file before; one byte under a power of two, where the most subtrees wait.
  @Param({"1048575", "67108863"})
  public int fileBytes;

  private byte[] turn = new byte[0];
  private byte[] state = new byte[0];

  /// Hashes the file once, and checks that going on gives what starting over gives.
  @Setup
  public void setUp() {
    Random random = new Random(fileBytes);
    byte[] file = new byte[fileBytes];
    random.nextBytes(file);
    turn = new byte[10_240];
    random.nextBytes(turn);
    state = new Blake3().update(file).saveState();
    BlobHash resumed = Blake3.restoreState(state).update(turn).digest();
    if (!resumed.equals(new Blake3().update(file).update(turn).digest())) {
      throw new AssertionError("the resumed hash is wrong");
    }
  }

  /// Saves a state and reads it back.
  @Benchmark
  public byte[] restoreAndSave() {
    return Blake3.restoreState(state).saveState();
  }

  /// Reads a state, takes a turn of 10 KB, saves the new state, makes the digest.
  @Benchmark
  public BlobHash grow(Blackhole states) {
    Blake3 hasher = Blake3.restoreState(state).update(turn);
    states.consume(hasher.saveState());
    return hasher.digest();
  }
}
