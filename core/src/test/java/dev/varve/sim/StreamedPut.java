// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.chunk.ChunkSizes;
import dev.varve.chunk.ChunkedPut;
import dev.varve.chunk.PendingChunk;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A put as a stream into a [StoreModel]: several commits, of which the last ones may be missing
/// where the put broke off.
public final class StreamedPut implements ChunkedPut.Target {

  private final StoreModel model;
  private int left;
  private List<PutOutcome> newest = List.of();

  /// @param partsMax how many commits the put comes to
  StreamedPut(StoreModel model, int partsMax) {
    this.model = model;
    this.left = partsMax;
  }

  /// A put as a stream came no further.
  static final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /// What a store may hold once an operation broke off: nothing of it, some of its commits, or all.
  ///
  /// @param before the store before the operation
  public static List<StoreModel> brokenOff(StoreModel before, Operation operation) {
    List<StoreModel> states = new ArrayList<>(List.of(before.copy()));
    boolean whole = false;
    for (int parts = 1; !whole; parts++) {
      StoreModel state = before.copy();
      state.endAfterParts(parts);
      try {
        operation.ask(state);
        whole = true;
      } catch (Ended e) {
        whole = false;
      }
      state.endAfterParts(Integer.MAX_VALUE);
      states.add(state);
    }
    return states;
  }

  /// @throws Ended if the put has more commits than it may come to
  PutOutcome put(ChunkSizes chunks, InputStream bytes, @Nullable BlobHash expected)
      throws IOException {
    BlobHash hash = new ChunkedPut(chunks, this).put(bytes, expected);
    return new PutOutcome(hash, newest.contains(new PutOutcome(hash, true)));
  }

  @Override
  public void putAll(List<PendingChunk> pieces) {
    end();
    newest = pieces.stream().map(piece -> model.putWithOutcome(piece.bytes())).toList();
  }

  @Override
  public BlobHash assemble(BlobHash whole, long sizeBytes, Payload rootList) {
    end();
    newest = List.of(model.assembleWithOutcome(whole, rootList));
    return whole;
  }

  private void end() {
    if (left-- == 0) {
      throw new Ended();
    }
  }
}
