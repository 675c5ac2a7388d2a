// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.limits;

import dev.varve.ReadProgress;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// Work on a whole store beside the requests.
///
/// The work rests three times as long as it works, so that it takes a quarter of one processor and
/// of the disk, and requests are served about as fast as without it. One piece of work of the
/// process goes on at a time; the others wait for their next turn.
public final class QuietWork implements ReadProgress {

  private static final long WORK_NANOS = 3_000_000;
  private static final int REST_FACTOR = 3;
  private static final ReentrantLock WORKING = new ReentrantLock(true);

  private final ReadProgress heard;
  private long workSinceNanos = System.nanoTime();

  private QuietWork(ReadProgress heard) {
    this.heard = heard;
  }

  /// Does the work on the calling thread.
  ///
  /// @param heard hears of the progress before each rest; ends the work by throwing
  /// @param work reports to the progress that it is given
  public static <T> T run(ReadProgress heard, Function<ReadProgress, T> work) {
    WORKING.lock();
    try {
      return work.apply(new QuietWork(heard));
    } finally {
      WORKING.unlock();
    }
  }

  @Override
  public void reached(long doneBytes, long totalBytes) {
    long worked = System.nanoTime() - workSinceNanos;
    if (worked < WORK_NANOS) {
      return;
    }
    heard.reached(doneBytes, totalBytes);
    WORKING.unlock();
    try {
      LockSupport.parkNanos(REST_FACTOR * worked);
    } finally {
      WORKING.lock();
    }
    workSinceNanos = System.nanoTime();
  }
}
