// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import java.io.IOException;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;

/// Merges of parts of the index, which wait until they are asked for: neither a search nor an added
/// turn runs one.
///
/// Safe for use by any number of threads.
final class MergeQueue extends MergeScheduler {

  private volatile @Nullable MergeSource waiting;

  @Override
  public void merge(MergeSource source, MergeTrigger trigger) {
    waiting = source;
  }

  /// Runs the merges that wait. When the index is closed meanwhile, this returns at once.
  void run() throws IOException {
    MergeSource source = waiting;
    waiting = null;
    try {
      while (source != null) {
        MergePolicy.OneMerge next = source.getNextMerge();
        if (next == null) {
          return;
        }
        source.merge(next);
      }
    } catch (AlreadyClosedException | MergePolicy.MergeAbortedException e) {
      waiting = null; // closed, or begun again
    }
  }

  @Override
  public void close() {
    waiting = null;
  }
}
