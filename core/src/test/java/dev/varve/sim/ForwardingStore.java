// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.CheckReport;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.ReadProgress;
import dev.varve.StoreCounts;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A store that does what another does; a test overrides what shall go differently.
public class ForwardingStore implements BulkStore {

  protected final BulkStore store;

  public ForwardingStore(BulkStore store) {
    this.store = store;
  }

  @Override
  public ContextHead createContext(TurnId base, @Nullable BlobHash about) {
    return store.createContext(base, about);
  }

  @Override
  public ContextHead describe(ContextId context, BlobHash about) {
    return store.describe(context, about);
  }

  @Override
  public ContextHead head(ContextId context) {
    return store.head(context);
  }

  @Override
  public List<ContextHead> contexts(@Nullable ContextId after, int limit) {
    return store.contexts(after, limit);
  }

  @Override
  public List<ContextHead> contextsBelow(@Nullable ContextId before, int limit) {
    return store.contextsBelow(before, limit);
  }

  @Override
  public Turn append(ContextId context, NewTurn turn) {
    return store.append(context, turn);
  }

  @Override
  public List<TurnId> appendRun(ContextId context, List<NewTurn> turns) {
    return store.appendRun(context, turns);
  }

  @Override
  public Turn turn(TurnId id, View view) {
    return store.turn(id, view);
  }

  @Override
  public TurnPage last(ContextId context, int limit, View view) {
    return store.last(context, limit, view);
  }

  @Override
  public TurnPage before(ContextId context, TurnId cursor, int limit, View view) {
    return store.before(context, cursor, limit, view);
  }

  @Override
  public TurnPage range(ContextId context, int startDepth, int limit, View view) {
    return store.range(context, startDepth, limit, view);
  }

  @Override
  public void replay(TurnId last, View view, Consumer<? super Turn> each) {
    store.replay(last, view, each);
  }

  @Override
  public TurnId ancestor(TurnId turn, int depth) {
    return store.ancestor(turn, depth);
  }

  @Override
  public Optional<TurnId> findCommonAncestor(TurnId a, TurnId b) {
    return store.findCommonAncestor(a, b);
  }

  @Override
  public Optional<TurnId> findChild(TurnId parent, BlobHash payload) {
    return store.findChild(parent, payload);
  }

  @Override
  public BlobHash put(Payload bytes) {
    return store.put(bytes);
  }

  @Override
  public PutOutcome putWithOutcome(Payload bytes) {
    return store.putWithOutcome(bytes);
  }

  @Override
  public PutOutcome putWithOutcome(InputStream bytes, @Nullable BlobHash expected)
      throws IOException {
    return store.putWithOutcome(bytes, expected);
  }

  @Override
  public List<BlobHash> putAll(List<Payload> blobs) {
    return store.putAll(blobs);
  }

  @Override
  public BlobHash put(InputStream bytes, @Nullable BlobHash expected) throws IOException {
    return store.put(bytes, expected);
  }

  @Override
  public InputStream read(BlobHash hash, long offset, long length) {
    return store.read(hash, offset, length);
  }

  @Override
  public long sizeBytes(BlobHash hash) {
    return store.sizeBytes(hash);
  }

  @Override
  public Optional<Payload> findChunkList(BlobHash hash) {
    return store.findChunkList(hash);
  }

  @Override
  public BlobHash assemble(BlobHash hash, Payload rootList) {
    return store.assemble(hash, rootList);
  }

  @Override
  public Payload get(BlobHash hash) {
    return store.get(hash);
  }

  @Override
  public boolean has(BlobHash hash) {
    return store.has(hash);
  }

  @Override
  public long patch(TurnId turn, Payload payload) {
    return store.patch(turn, payload);
  }

  @Override
  public long tombstone(TurnId turn) {
    return store.tombstone(turn);
  }

  @Override
  public long attachFsRoot(TurnId turn, BlobHash root) {
    return store.attachFsRoot(turn, root);
  }

  @Override
  public List<Overlay> overlays(TurnId turn) {
    return store.overlays(turn);
  }

  @Override
  public StoreCounts counts() {
    return store.counts();
  }

  @Override
  public CheckReport check(ReadProgress progress) {
    return store.check(progress);
  }

  @Override
  public Payload backupPoint() {
    return store.backupPoint();
  }

  @Override
  public Turn restoreTurn(TurnId id, ContextId context, NewTurn turn, Instant createdAt) {
    return store.restoreTurn(id, context, turn, createdAt);
  }

  @Override
  public ContextHead restoreContext(
      ContextId id,
      TurnId head,
      TurnId base,
      Instant createdAt,
      Instant activeAt,
      @Nullable BlobHash about) {
    return store.restoreContext(id, head, base, createdAt, activeAt, about);
  }

  @Override
  public ContextHead moveContext(
      ContextId id, TurnId expectedHead, TurnId head, Instant activeAt, @Nullable BlobHash about) {
    return store.moveContext(id, expectedHead, head, activeAt, about);
  }

  @Override
  public List<BlobHash> lacking(List<BlobHash> hashes) {
    return store.lacking(hashes);
  }

  @Override
  public List<Overlay> overlaysAfter(long seq, int limit) {
    return store.overlaysAfter(seq, limit);
  }

  @Override
  public int lastErasure() {
    return store.lastErasure();
  }

  @Override
  public List<TurnId> turnNumbers(TurnId after, int limit) {
    return store.turnNumbers(after, limit);
  }

  @Override
  public List<BlobHash> blobs(@Nullable BlobHash after, int limit) {
    return store.blobs(after, limit);
  }

  @Override
  public void close() {
    store.close();
  }
}
