// SPDX-License-Identifier: Apache-2.0
package dev.varve.database;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.erasure.SurveyedTurns;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The turns of a database, with the blobs that they name. Some 32 bytes of memory for each;
/// overlays and contexts are read when they are asked for.
public abstract class LinkSurvey implements SurveyedTurns {

  private final NameSurvey blobs;
  private long[] ids = new long[0];
  private long[] parents = new long[0];
  private long[] contexts = new long[0];
  private int[] payloads = new int[0];
  private int[] fsRoots = new int[0];
  private int count;

  /// @param blobs of the same moment
  protected LinkSurvey(NameSurvey blobs) {
    this.blobs = blobs;
  }

  /// Takes memory for a number of turns in all.
  protected final void reserve(int turns) {
    ids = Arrays.copyOf(ids, turns);
    parents = Arrays.copyOf(parents, turns);
    contexts = Arrays.copyOf(contexts, turns);
    payloads = Arrays.copyOf(payloads, turns);
    fsRoots = Arrays.copyOf(fsRoots, turns);
  }

  /// Adds the turn with the next greater number, for which there is memory.
  protected final void add(
      long id, long parent, long context, BlobHash payload, @Nullable BlobHash fsRoot) {
    int at = count++;
    ids[at] = id;
    parents[at] = parent;
    contexts[at] = context;
    payloads[at] = ordinal(payload);
    fsRoots[at] = ordinal(fsRoot);
  }

  /// The ordinal of a blob; -1 for none, and for one that is not there.
  protected final int ordinal(@Nullable BlobHash hash) {
    return hash == null ? -1 : blobs.ordinal(hash);
  }

  @Override
  public final int turnCount() {
    return count;
  }

  @Override
  public final long turnId(int turn) {
    return ids[turn];
  }

  @Override
  public final int turnOf(long id) {
    return Math.max(-1, Arrays.binarySearch(ids, 0, count, id));
  }

  @Override
  public final long parentId(int turn) {
    return parents[turn];
  }

  @Override
  public final ContextId contextOf(int turn) {
    return new ContextId(contexts[turn]);
  }

  @Override
  public final int payload(int turn) {
    return payloads[turn];
  }

  @Override
  public final int fsRoot(int turn) {
    return fsRoots[turn];
  }
}
