// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.ContextHold;
import dev.varve.ContextId;
import dev.varve.ErasePlan;
import dev.varve.ErasePlan.StayingBlob;
import dev.varve.EraseRequest;
import dev.varve.ErasedBlob.Cause;
import dev.varve.Overlay;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.blob.BlobPack;
import dev.varve.blob.PackSurvey;
import dev.varve.blob.PackSurvey.Entry;
import dev.varve.chunk.ChunkList;
import dev.varve.erase.SecretForms;
import dev.varve.erase.TextSearch;
import dev.varve.journal.StorePosition;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.HiddenPayloads;
import dev.varve.turn.OverlayRecord;
import dev.varve.turn.TurnRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Plans which blobs an erasure removes. Reads the whole store, changes nothing.
///
/// *Doomed* blobs are erased whatever needs them: blobs that were named, blobs with a secret, and
/// blobs kept as chunks of which a piece is doomed. *Wanted* blobs are erased unless a remaining
/// object needs them: blobs of erased contexts, and the pieces of doomed blobs. Takes memory of
/// some bits for each blob and turn.
final class ErasurePlanner {

  /// Of so many holds a plan names the one that a blob stays for; of more it names their number,
  /// because the turns are read for each.
  private static final int NAMED_HOLDS_MAX = 16;

  private final StoreFiles files;
  private final StorePosition position;
  private final EraseRequest request;
  private final Set<ContextId> contexts;
  private final List<ContextHold> holds;
  private final ReadProgress progress;
  private final BlobPack blobs;
  private final PackSurvey pack;
  private final BitSet live = new BitSet();
  private final BitSet doomed = new BitSet();
  private final BitSet wanted = new BitSet();
  private final BitSet treesSeen = new BitSet();
  private final Map<Cause, BitSet> causes = ErasureSelection.noCauses();
  private final DoomedTurns turns;
  private final HiddenPayloads hidden;
  private int passes;

  /// A moment of the store: its position, and the pack that holds the blobs up to the position.
  record Moment(StorePosition position, BlobPack blobs) {}

  /// @param holds the holds that last
  /// @throws StoreException.Conflict if a chosen context is held and may not be left
  ErasurePlanner(
      StoreFiles files,
      Moment moment,
      EraseRequest request,
      List<ContextHold> holds,
      ReadProgress progress) {
    this.files = files;
    this.position = moment.position();
    this.request = request;
    this.contexts = withoutHeld(request, holds);
    this.holds = holds;
    this.progress = progress;
    this.blobs = moment.blobs();
    this.pack = new PackSurvey(blobs, position.ends().blobEntries(), position.ends().packEnd());
    this.turns = new DoomedTurns(files, position.ends().turns(), contexts);
    this.hidden =
        request.hidden()
            ? HiddenPayloads.of(files.overlays, position.ends().overlays())
            : HiddenPayloads.NONE;
  }

  private static Set<ContextId> withoutHeld(EraseRequest request, List<ContextHold> holds) {
    Set<ContextId> contexts = new HashSet<>(request.contexts());
    for (ContextHold hold : holds) {
      if (contexts.remove(hold.context()) && !request.leavesHeld()) {
        throw new StoreException.Conflict("erase", "contexts without a hold", hold.words());
      }
    }
    return contexts;
  }

  ErasureSelection select() {
    pack.requireWhole(this::reached);
    passes++;
    surveyLive();
    doomNamed();
    spreadToWholes();
    wantOfContexts();
    wantHidden();
    NeededBlobs needed = new NeededBlobs(pack, wanted, doomed);
    keepWhatStays(needed);
    needed.follow(live, this::reached);
    BitSet going = (BitSet) wanted.clone();
    going.andNot(needed.ordinals());
    going.or(doomed);
    List<StayingBlob> held = leaveHeld(going);
    BitSet stale = new BitSet();
    stale.set(0, pack.count());
    stale.andNot(live);
    return new PlanReport(files, position, pack, going, stale, causes)
        .selection(
            Stream.concat(held.stream(), needed.reasons().stream())
                .limit(ErasePlan.LISTED_MAX)
                .toList(),
            held.size() + needed.count());
  }

  private void reached(long packBytes) {
    progress.reached(passes * position.ends().packEnd() + packBytes, 3 * position.ends().packEnd());
  }

  // ---- blobs that go in any case

  private void surveyLive() {
    BitSet found = causes(Cause.SECRET);
    TextSearch search =
        new TextSearch(
            request.secrets().stream()
                .flatMap(secret -> SecretForms.of(secret.unsafeArray()).stream())
                .toList());
    SecretSurvey secrets = new SecretSurvey(pack, search, found);
    for (int ordinal = 0; ordinal < pack.count(); ordinal++) {
      Entry entry = pack.entry(ordinal);
      if (pack.isLive(entry)) {
        live.set(ordinal);
        if (search.bytesMax() > 0) {
          secrets.look(ordinal, entry);
        }
        reached(entry.offset());
      }
    }
    passes++;
    doomed.or(found);
  }

  private void doomNamed() {
    for (BlobHash hash : request.blobs()) {
      int ordinal = pack.ordinal(hash);
      if (ordinal < 0) {
        throw new StoreException.NotFound("blob", hash.toString());
      }
      doom(ordinal, Cause.BLOB);
    }
  }

  private void doom(int ordinal, Cause cause) {
    doomed.set(ordinal);
    causes(cause).set(ordinal);
  }

  private BitSet causes(Cause cause) {
    return causes.getOrDefault(cause, new BitSet());
  }

  /// A blob of which a piece is doomed cannot be read any more: the blob goes, and its other pieces
  /// go unless they are needed.
  private void spreadToWholes() {
    if (doomed.isEmpty()) {
      return;
    }
    BitSet listsSeen = new BitSet();
    BitSet listsHit = new BitSet();
    for (int at = live.nextSetBit(0); at >= 0; at = live.nextSetBit(at + 1)) {
      Entry entry = pack.entry(at);
      if (entry.chunked()) {
        Cause cause = causeOfWhole(at, pack.rootList(entry), listsSeen, listsHit);
        if (cause != null) {
          doom(at, cause);
          wantPieces(entry, cause);
        }
      }
    }
  }

  private @Nullable Cause causeOfWhole(
      int whole, ChunkList root, BitSet listsSeen, BitSet listsHit) {
    boolean hit = doomed.get(whole);
    for (int i = 0; i < root.count(); i++) {
      int list = pack.requireOrdinal(root.hash(i));
      if (!listsSeen.get(list)) {
        listsSeen.set(list);
        listsHit.set(list, doomed.get(list) || hasDoomed(pack.chunkList(pack.entry(list))));
      }
      hit |= listsHit.get(list);
    }
    boolean named = causes(Cause.BLOB).get(whole) || request.secrets().isEmpty();
    return hit ? named ? Cause.BLOB : Cause.SECRET : null;
  }

  private boolean hasDoomed(ChunkList list) {
    for (int i = 0; i < list.count(); i++) {
      if (doomed.get(pack.requireOrdinal(list.hash(i)))) {
        return true;
      }
    }
    return false;
  }

  // ---- blobs that go unless they are needed

  private void want(int ordinal, Cause cause) {
    causes(cause).set(ordinal);
    wanted.set(ordinal);
  }

  private void wantPieces(Entry whole, Cause cause) {
    ChunkList root = pack.rootList(whole);
    for (int i = 0; i < root.count(); i++) {
      int list = pack.requireOrdinal(root.hash(i));
      if (!causes(cause).get(list)) {
        want(list, cause);
        ChunkList chunks = pack.chunkList(pack.entry(list));
        for (int j = 0; j < chunks.count(); j++) {
          want(pack.requireOrdinal(chunks.hash(j)), cause);
        }
      }
    }
  }

  private void wantOfContext(BlobHash hash) {
    want(hash, Cause.CONTEXT);
  }

  private void want(BlobHash hash, Cause cause) {
    int ordinal = pack.ordinal(hash); // none: erased before
    if (ordinal >= 0 && !causes(cause).get(ordinal)) {
      want(ordinal, cause);
      Entry entry = pack.entry(ordinal);
      if (entry.chunked()) {
        wantPieces(entry, cause);
      }
    }
  }

  private void wantHidden() {
    if (request.hidden()) {
      hidden.each(
          files.turns,
          files.overlays,
          position.ends().overlays(),
          hash -> want(hash, Cause.COLLECTED));
    }
  }

  private void wantOfContexts() {
    if (contexts.isEmpty()) {
      return;
    }
    eachName(
        turns::contains,
        contexts::contains,
        HiddenPayloads.NONE,
        (hash, tree, _) -> {
          wantOfContext(hash);
          if (tree) {
            wantTree(hash);
          }
        });
  }

  /// The folders and files below a root, as far as its blob is a tree.
  private void wantTree(BlobHash root) {
    Deque<BlobHash> folders = new ArrayDeque<>();
    folders.add(root);
    while (!folders.isEmpty()) {
      BlobHash folder = folders.remove();
      wantOfContext(folder);
      int ordinal = pack.ordinal(folder);
      if (ordinal >= 0 && !treesSeen.get(ordinal)) {
        treesSeen.set(ordinal);
        for (TreeEntry entry : entries(folder).entries()) {
          if (entry.kind() == TreeEntry.Kind.DIRECTORY) {
            folders.add(entry.hash());
          } else {
            wantOfContext(entry.hash());
          }
        }
      }
    }
  }

  private Tree entries(BlobHash folder) {
    try {
      return Tree.read(blobs.get(folder));
    } catch (StoreException.Invalid | StoreException.TooLarge e) {
      return Tree.EMPTY; // any blob may be attached as a root
    }
  }

  // ---- what stays needs

  private void keepWhatStays(NeededBlobs needed) {
    if (wanted.isEmpty()) {
      return;
    }
    eachName(
        ordinal -> !turns.contains(ordinal),
        context -> !contexts.contains(context),
        hidden,
        (hash, _, who) -> needed.need(hash, who));
  }

  /// Takes what contexts under a hold need out of what goes.
  ///
  /// @return what was taken out; the erasure is refused where that may not be
  private List<StayingBlob> leaveHeld(BitSet going) {
    if (going.isEmpty() || holds.isEmpty()) {
      return List.of();
    }
    List<StayingBlob> staying = new ArrayList<>();
    HeldBlobs held = new HeldBlobs(pack, live);
    for (List<ContextHold> group :
        holds.size() > NAMED_HOLDS_MAX ? List.of(holds) : holds.stream().map(List::of).toList()) {
      Set<ContextId> of =
          group.stream().map(ContextHold::context).collect(Collectors.toUnmodifiableSet());
      BitSet turnsOf = DoomedTurns.all(files, position.ends().turns(), of);
      eachName(turnsOf::get, of::contains, HiddenPayloads.NONE, (hash, _, _) -> held.hold(hash));
      held.follow();
      staying.addAll(held.takeOut(going, group, request.leavesHeld()));
    }
    return staying;
  }

  @FunctionalInterface
  private interface TurnChoice {
    boolean test(int ordinal);
  }

  @FunctionalInterface
  private interface ContextChoice {
    boolean test(ContextId context);
  }

  @FunctionalInterface
  private interface NameVisitor {

    /// @param tree whether the blob was attached as the root of a file tree
    /// @param who the turn or context that names the blob, for people
    void name(BlobHash hash, boolean tree, String who);
  }

  /// Hands over each blob that the chosen turns and contexts name, in any view.
  ///
  /// @param but payloads that are not handed over
  private void eachName(
      TurnChoice chosen, ContextChoice of, HiddenPayloads but, NameVisitor visitor) {
    for (int ordinal = 0; ordinal < position.ends().turns(); ordinal++) {
      if (chosen.test(ordinal)) {
        TurnRecord turn = files.turns.record(ordinal);
        if (!but.hidesWritten(turn.turnId())) {
          visitor.name(turn.payloadHash(), false, "turn " + turn.turnId());
        }
        BlobHash fsRoot = files.turns.meta(ordinal).fsRoot();
        if (fsRoot != null) {
          visitor.name(fsRoot, true, "the file tree of turn " + turn.turnId());
        }
      }
    }
    for (long seq = 1; seq <= position.ends().overlays(); seq++) {
      OverlayRecord overlay = files.overlays.record(seq);
      long target = files.turns.ordinal(overlay.targetTurnId());
      if (overlay.kind() != Overlay.Kind.TOMBSTONE
          && target >= 0
          && chosen.test((int) target)
          && !but.hides(overlay)) {
        visitor.name(
            overlay.newPayloadHash(),
            overlay.kind() == Overlay.Kind.FS_ROOT,
            "overlay " + seq + " of turn " + overlay.targetTurnId());
      }
    }
    eachHead(
        head -> {
          BlobHash about = head.about();
          if (about != null && of.test(new ContextId(head.contextId()))) {
            visitor.name(about, false, "the description of context " + head.contextId());
          }
        });
  }

  /// Hands over the present and all former descriptions of contexts.
  private void eachHead(Consumer<HeadRecord> visitor) {
    for (long i = 0; i < position.ends().headLogRecords(); i++) {
      long offset = i * HeadRecord.SIZE_BYTES;
      visitor.accept(
          HeadRecord.read(files.headLog().at(offset, HeadRecord.SIZE_BYTES), 0, files.shortId())
              .orElseThrow(
                  () ->
                      new StoreException.Corrupt(
                          files.headLog().name(), offset, "a record of a context", "damage")));
    }
    for (long id = 1; id <= files.heads.maxId(); id++) {
      files.heads.find(id).ifPresent(visitor);
    }
  }
}
