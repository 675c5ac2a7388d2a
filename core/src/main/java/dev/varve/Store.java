// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// A store of turns and blobs (spec 001).
///
/// Safe for use by any number of threads; readers never wait for writers. A method that writes
/// returns once what it wrote is as durable as the store's [Durability] asks; until then no reader
/// sees it. After a crash a reader finds a turn whole or not at all.
///
/// Every method may throw [StoreException.Closed], [StoreException.Io] and
/// [StoreException.Corrupt]; those that write also [StoreException.Full]. `get` and its like refuse
/// what is absent with [StoreException.NotFound]; `find` answers an empty [Optional].
public interface Store extends AutoCloseable {

  // ---- contexts

  /// Makes an empty context.
  default ContextHead createContext() {
    return createContext(TurnId.NONE, null);
  }

  /// Makes an empty context with a title.
  default ContextHead createContext(String title) {
    return createContext(TurnId.NONE, put(new ContextTitle(title).about()));
  }

  /// Makes a context whose head is `base`, in constant time: no history is copied.
  ///
  /// @param base [TurnId#NONE] for an empty context
  /// @param about a blob in this store that describes the context, or null
  /// @throws StoreException.NotFound if `base` or `about` is not in the store
  ContextHead createContext(TurnId base, @Nullable BlobHash about);

  /// Makes a context whose head is `base`.
  default ContextHead fork(TurnId base) {
    return createContext(base, null);
  }

  /// Says what a context is about, replacing what was said before.
  ContextHead describe(ContextId context, BlobHash about);

  /// Where `context` points now.
  ///
  /// @throws StoreException.NotFound if it was never created
  ContextHead head(ContextId context);

  /// The contexts, most recently active first.
  ///
  /// @param after continue behind this context of an earlier page; null for the first page
  List<ContextHead> contexts(@Nullable ContextId after, int limit);

  /// The contexts by their numbers, the greatest first: an order in which none changes its place
  /// while somebody goes through it. Takes O(limit); a store that can only be asked for [#contexts]
  /// goes through all of them.
  ///
  /// @param before only those with smaller numbers; null for all
  default List<ContextHead> contextsBelow(@Nullable ContextId before, int limit) {
    NavigableMap<ContextId, ContextHead> greatest = new TreeMap<>();
    List<ContextHead> page = contexts(null, limit);
    while (!page.isEmpty()) {
      for (ContextHead head : page) {
        if (before == null || head.id().compareTo(before) < 0) {
          greatest.put(head.id(), head);
        }
      }
      while (greatest.size() > limit) {
        greatest.pollFirstEntry();
      }
      page = contexts(page.getLast().id(), limit);
    }
    return List.copyOf(greatest.descendingMap().values());
  }

  // ---- turns

  /// Appends a turn and moves the head of `context` to it.
  ///
  /// @return the stored turn, without its payload; the first turn again if `turn.key()` was used
  ///   before
  /// @throws StoreException.NotFound if the context, the parent, or the file tree's root is not in
  ///   the store
  /// @throws StoreException.Conflict if the head is not the expected one, or the key stands for
  ///   other content
  /// @throws StoreException.TooLarge if the payload is over the limit
  Turn append(ContextId context, NewTurn turn);

  /// Appends turns of which each but the first follows the one before, whatever parent the turn
  /// names. A store may make one commit of all of them; here each turn is appended by itself. On
  /// return all are as durable as after [#append], which also says what is refused. The turns
  /// before one that is refused may be appended.
  ///
  /// @return the numbers of the turns, in the order given
  default List<TurnId> appendRun(ContextId context, List<NewTurn> turns) {
    List<TurnId> appended = new ArrayList<>(turns.size());
    for (NewTurn turn : turns) {
      NewTurn next = appended.isEmpty() ? turn : turn.withParent(appended.getLast());
      appended.add(append(context, next).id());
    }
    return appended;
  }

  /// One turn.
  Turn turn(TurnId id, View view);

  /// One turn with its payload, all overlays applied.
  default Turn turn(TurnId id) {
    return turn(id, View.LATEST);
  }

  /// The whole path of a context, root first, with payloads and all overlays applied: see
  /// [#turns(ContextId, View)].
  default Stream<Turn> turns(ContextId context) {
    return turns(context, View.LATEST);
  }

  /// The whole path of a context from the root to the present head, root first. The turns are read
  /// page by page while the stream is consumed, however long the path is; turns that are appended
  /// meanwhile are not in the stream. The stream need not be closed.
  ///
  /// @throws StoreException.NotFound if the context was never created
  default Stream<Turn> turns(ContextId context, View view) {
    ContextHead head = head(context);
    PathPages pages =
        new PathPages(
            head.head().isNone() ? 0 : head.headDepth() + 1,
            (startDepth, limit) -> range(context, startDepth, limit, view).turns(),
            depth -> ancestor(head.head(), depth),
            turn -> turn(turn, view));
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            pages, Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL),
        false);
  }

  /// The last `limit` turns of a context with payloads and all overlays applied, oldest first.
  default TurnPage last(ContextId context, int limit) {
    return last(context, limit, View.LATEST);
  }

  /// The last `limit` turns of a context, oldest first. O(limit).
  TurnPage last(ContextId context, int limit, View view);

  /// The `limit` turns just older than `cursor` on the path of a context, oldest first. O(limit +
  /// log depth).
  ///
  /// @throws StoreException.NotFound if `cursor` is not on the path from the root to the head
  TurnPage before(ContextId context, TurnId cursor, int limit, View view);

  /// The turns of a context with depths from `startDepth` on, at most `limit`, oldest first.
  /// O(limit + log depth).
  TurnPage range(ContextId context, int startDepth, int limit, View view);

  /// Hands `each` the whole path from the root to `last`, root first.
  void replay(TurnId last, View view, Consumer<? super Turn> each);

  /// The ancestor of `turn` (or `turn` itself) at `depth`, in O(log depth).
  ///
  /// @throws StoreException.Invalid if `depth` is negative or below `turn`'s own
  TurnId ancestor(TurnId turn, int depth);

  /// The deepest turn that is an ancestor of, or equal to, both; empty if they have different
  /// roots. O(log depth).
  Optional<TurnId> findCommonAncestor(TurnId a, TurnId b);

  /// A turn that follows `parent` and was appended with exactly this payload; one of them, if there
  /// are several. Lets an importer add only what is new.
  ///
  /// @param parent [TurnId#NONE] to look among the roots
  Optional<TurnId> findChild(TurnId parent, BlobHash payload);

  // ---- blobs

  /// Stores `bytes` unless they are stored already; a damaged copy is replaced.
  default BlobHash put(Payload bytes) {
    return putWithOutcome(bytes).hash();
  }

  /// Stores `bytes` as [#put(Payload)] does, and answers whether this call was the one that did.
  PutOutcome putWithOutcome(Payload bytes);

  /// Stores several blobs as [#put(Payload)] does, but all with one commit if the store can: after
  /// a crash all are there or none.
  ///
  /// @return their hashes, in the same order
  default List<BlobHash> putAll(List<Payload> blobs) {
    return blobs.stream().map(this::put).toList();
  }

  /// Stores what `bytes` gives up to its end, in bounded memory; closes nothing. Content of more
  /// than 64 KiB is kept as *chunks*, cut where the content itself says so, and each kept once: a
  /// later version of a growing file takes little more than what was added.
  ///
  /// All chunks are durable before the blob is; until then nobody sees it. If this fails, chunks
  /// may stay behind, and save the next try their storing.
  ///
  /// @param bytes at most [StoreLimits#BLOB_BYTES]
  /// @param expected the content's hash if the caller knows it, or null
  /// @throws StoreException.Invalid if the content has another hash than `expected`; there is no
  ///   blob then
  /// @throws StoreException.TooLarge if there are more bytes than a blob may have
  /// @throws IOException if `bytes` does
  default BlobHash put(InputStream bytes, @Nullable BlobHash expected) throws IOException {
    return putWithOutcome(bytes, expected).hash();
  }

  /// Stores content as [#put(InputStream, BlobHash)] does, and answers whether this call was the
  /// one that did.
  PutOutcome putWithOutcome(InputStream bytes, @Nullable BlobHash expected) throws IOException;

  /// Stores what a blob of this store holds, followed by what `added` gives: [#put(InputStream,
  /// BlobHash)] of both, one behind the other. Of a blob that is kept as chunks only the end is
  /// read again, however large it is.
  ///
  /// @param state what a hasher that took exactly the content of `base` had as its state
  ///   (docs/format/blake3-state.md). Its digest must be `base`, which proves it; a store that
  ///   reads all of `base` does not look at it
  /// @throws StoreException.NotFound if `base` is not in the store
  /// @throws StoreException.Invalid if `state` is another one, or the content has another hash than
  ///   `expected`; there is no new blob then
  /// @throws StoreException.TooLarge if there are more bytes than a blob may have
  /// @throws IOException if `added` does
  default BlobHash putGrown(
      BlobHash base, byte[] state, InputStream added, @Nullable BlobHash expected)
      throws IOException {
    return put(new SequenceInputStream(read(base), added), expected);
  }

  /// The bytes of a blob, verified.
  ///
  /// @throws StoreException.NotFound if it is not in the store
  /// @throws StoreException.TooLarge if the blob is larger than the limit of a payload
  /// @throws StoreException.Corrupt if what is stored is not what was put
  Payload get(BlobHash hash);

  /// The bytes of a blob of any size as a stream, in bounded memory. The last of them are given
  /// only once the hash of all is right. Reading may throw what [#get] throws, and nothing else. It
  /// need not be closed.
  ///
  /// @throws StoreException.NotFound if it is not in the store
  default InputStream read(BlobHash hash) {
    return read(hash, 0, sizeBytes(hash));
  }

  /// The `length` bytes from `offset` on of a blob of any size. Of one that is kept as chunks only
  /// those are read, and verified, that have some of the bytes.
  ///
  /// @throws StoreException.Invalid if they are not all inside the blob
  InputStream read(BlobHash hash, long offset, long length);

  /// Size of a blob. Looks at no content.
  ///
  /// @throws StoreException.NotFound if it is not in the store
  long sizeBytes(BlobHash hash);

  /// Returns whether the blob is in the store. Looks at the record's header, not at its bytes.
  boolean has(BlobHash hash);

  /// The blobs among some that the store does not have, in the order in which they are given. Where
  /// each question takes a journey, all are asked at once.
  ///
  /// @param hashes at most as many as a page may have entries
  default List<BlobHash> lacking(List<BlobHash> hashes) {
    return hashes.stream().filter(hash -> !has(hash)).toList();
  }

  /// Returns whether the store has a blob and can give it. That the blob's record is there does not
  /// prove that: of a large blob the chunks may be missing or damaged.
  ///
  /// @param readBytesMax a blob of at most this size is read, and so verified; of a larger one only
  ///   the record is looked at
  default boolean isReadable(BlobHash hash, long readBytesMax) {
    try {
      if (!has(hash)) {
        return false;
      }
      if (sizeBytes(hash) <= readBytesMax) {
        try (InputStream in = read(hash)) {
          in.transferTo(OutputStream.nullOutputStream());
        }
      }
      return true;
    } catch (StoreException.NotFound | StoreException.Corrupt | IOException e) {
      return false;
    }
  }

  /// The root list of a blob that is kept as chunks (docs/format/chunk-lists.md), empty if it is
  /// kept in one piece. For who copies blobs between stores.
  ///
  /// @throws StoreException.NotFound if it is not in the store
  Optional<Payload> findChunkList(BlobHash hash);

  /// Makes a blob of chunks that are in the store, as a root list says, unless it is stored
  /// already. All of it is read and hashed before.
  ///
  /// @throws StoreException.Invalid if `rootList` is none, names what is not there or has another
  ///   size, or the hash of all is not `hash`
  BlobHash assemble(BlobHash hash, Payload rootList);

  // ---- overlays

  /// Gives a turn another payload in the view of readers who apply overlays.
  ///
  /// @return the overlay's sequence
  long patch(TurnId turn, Payload payload);

  /// Marks a turn as deleted in the view of readers who apply overlays.
  long tombstone(TurnId turn);

  /// Attaches the root of a file tree to a turn; the last one attached counts.
  ///
  /// @throws StoreException.NotFound if the turn or the root's blob is not in the store
  long attachFsRoot(TurnId turn, BlobHash root);

  /// The overlays of a turn, newest first.
  List<Overlay> overlays(TurnId turn);

  // ---- holds

  /// The contexts that no erasure takes anything from.
  ///
  /// @throws StoreException.Invalid if the store keeps no holds, because nothing can be erased from
  ///   the store
  default ContextHolds holds() {
    throw new StoreException.Invalid("holds", "expected a store that keeps holds, found another");
  }

  // ---- erasures

  /// The way to forget for good what the store has.
  ///
  /// @throws StoreException.Invalid if nothing can be erased from the store
  default StoreErasures erasures() {
    throw new StoreException.Invalid(
        "erase", "expected a store from which content can be erased, found another");
  }

  // ---- the whole

  StoreCounts counts();

  /// Reads everything and verifies every checksum, hash and link. Takes time in proportion to the
  /// store's size; commits may go on, and what they add is not looked at.
  CheckReport check(ReadProgress progress);

  /// [#check(ReadProgress)] without hearing of its progress.
  default CheckReport check() {
    return check(ReadProgress.NONE);
  }

  /// A moment of the store, for who copies its files while it is in use: the content of a
  /// `checkpoint.tbl` that says how far each file counted then. What stands in the primary files up
  /// to there never changes.
  ///
  /// @throws StoreException.Invalid if the store has no files
  Payload backupPoint();

  /// Finishes what was accepted and closes. Idempotent.
  @Override
  void close();
}
