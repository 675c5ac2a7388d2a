// SPDX-License-Identifier: Apache-2.0
package dev.varve.erasure;

import dev.varve.BlobHash;
import dev.varve.ContextHold;
import dev.varve.ContextId;
import dev.varve.ErasePlan;
import dev.varve.ErasePlan.StayingBlob;
import dev.varve.EraseRequest;
import dev.varve.ErasedBlob.Cause;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.chunk.ChunkList;
import dev.varve.erase.SecretForms;
import dev.varve.erase.TextSearch;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Plans which blobs an erasure removes. Reads the whole store, changes nothing.
///
/// *Doomed* blobs are erased whatever needs them: blobs that were named, blobs with a secret, and
/// blobs kept as chunks of which a piece is doomed. *Wanted* blobs are erased unless a remaining
/// object needs them: blobs of erased contexts, and the pieces of doomed blobs. Takes memory of
/// some bits for each blob and turn.
public final class ErasurePlanner {

  /// Of so many holds a plan names the one that a blob stays for; of more it names their number,
  /// because the turns are read for each.
  private static final int NAMED_HOLDS_MAX = 16;

  private final SurveyedBlobs blobs;
  private final SurveyedTurns turns;
  private final EraseRequest request;
  private final Set<ContextId> contexts;
  private final List<ContextHold> holds;
  private final ReadProgress progress;
  private final BitSet live = new BitSet();
  private final BitSet doomed = new BitSet();
  private final BitSet wanted = new BitSet();
  private final BitSet treesSeen = new BitSet();
  private final Map<Cause, BitSet> causes = ErasureSelection.noCauses();
  private final DoomedTurns doomedTurns;
  private final HiddenPayloads hidden;
  private int passes;

  /// @param blobs of one moment of the store
  /// @param turns of the same moment
  /// @param holds the holds that last
  /// @throws StoreException.Conflict if a chosen context is held and may not be left
  public ErasurePlanner(
      SurveyedBlobs blobs,
      SurveyedTurns turns,
      EraseRequest request,
      List<ContextHold> holds,
      ReadProgress progress) {
    this.blobs = blobs;
    this.turns = turns;
    this.request = request;
    this.contexts = withoutHeld(request, holds);
    this.holds = holds;
    this.progress = progress;
    this.doomedTurns = new DoomedTurns(turns, contexts);
    this.hidden = request.hidden() ? HiddenPayloads.of(turns) : HiddenPayloads.NONE;
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

  /// Reads the store and finds out what goes.
  ///
  /// @throws StoreException.NotFound if a blob of the request is not in the store
  /// @throws StoreException.Conflict if what a hold needs would go and may not be left
  /// @throws StoreException.Corrupt if the store is damaged
  public ErasureSelection select() {
    blobs.requireWhole(this::reached);
    passes++;
    surveyLive();
    doomNamed();
    spreadToWholes();
    wantOfContexts();
    wantHidden();
    NeededBlobs needed = new NeededBlobs(blobs, wanted, doomed);
    keepWhatStays(needed);
    needed.follow(live, this::reached);
    BitSet going = (BitSet) wanted.clone();
    going.andNot(needed.ordinals());
    going.or(doomed);
    List<StayingBlob> held = leaveHeld(going);
    BitSet stale = new BitSet();
    stale.set(0, blobs.blobCount());
    stale.andNot(live);
    return new PlanReport(blobs, turns, going, stale, causes)
        .selection(
            Stream.concat(held.stream(), needed.reasons().stream())
                .limit(ErasePlan.LISTED_MAX)
                .toList(),
            held.size() + needed.count());
  }

  private void reached(long bytes) {
    progress.reached(passes * blobs.endBytes() + bytes, 3 * blobs.endBytes());
  }

  // ---- blobs that go in any case

  private void surveyLive() {
    BitSet found = causes(Cause.SECRET);
    TextSearch search = SecretForms.search(request.secrets());
    for (int ordinal = 0; ordinal < blobs.blobCount(); ordinal++) {
      live.set(ordinal, blobs.isLive(ordinal));
    }
    if (search.bytesMax() > 0) {
      new SecretSurvey(blobs, search, found).look(live, this::reached);
    }
    passes++;
    doomed.or(found);
  }

  private void doomNamed() {
    for (BlobHash hash : request.blobs()) {
      int ordinal = blobs.ordinal(hash);
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
      if (blobs.blob(at).chunked()) {
        Cause cause = causeOfWhole(at, blobs.rootList(at), listsSeen, listsHit);
        if (cause != null) {
          doom(at, cause);
          wantPieces(at, cause);
        }
      }
    }
  }

  private @Nullable Cause causeOfWhole(
      int whole, ChunkList root, BitSet listsSeen, BitSet listsHit) {
    boolean hit = doomed.get(whole);
    for (int i = 0; i < root.count(); i++) {
      int list = blobs.requireOrdinal(root.hash(i));
      if (!listsSeen.get(list)) {
        listsSeen.set(list);
        listsHit.set(list, doomed.get(list) || hasDoomed(blobs.chunkList(list)));
      }
      hit |= listsHit.get(list);
    }
    boolean named = causes(Cause.BLOB).get(whole) || request.secrets().isEmpty();
    return hit ? named ? Cause.BLOB : Cause.SECRET : null;
  }

  private boolean hasDoomed(ChunkList list) {
    for (int i = 0; i < list.count(); i++) {
      if (doomed.get(blobs.requireOrdinal(list.hash(i)))) {
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

  private void wantPieces(int whole, Cause cause) {
    ChunkList root = blobs.rootList(whole);
    for (int i = 0; i < root.count(); i++) {
      int list = blobs.requireOrdinal(root.hash(i));
      if (!causes(cause).get(list)) {
        want(list, cause);
        ChunkList chunks = blobs.chunkList(list);
        for (int j = 0; j < chunks.count(); j++) {
          want(blobs.requireOrdinal(chunks.hash(j)), cause);
        }
      }
    }
  }

  /// Wants a blob and its pieces.
  ///
  /// @param ordinal -1 for a blob that was erased before
  private void wantWhole(int ordinal, Cause cause) {
    if (ordinal >= 0 && !causes(cause).get(ordinal)) {
      want(ordinal, cause);
      if (blobs.blob(ordinal).chunked()) {
        wantPieces(ordinal, cause);
      }
    }
  }

  private void wantHidden() {
    if (request.hidden()) {
      hidden.each(turns, blob -> wantWhole(blob, Cause.COLLECTED));
    }
  }

  private void wantOfContexts() {
    if (contexts.isEmpty()) {
      return;
    }
    eachName(
        doomedTurns::contains,
        contexts::contains,
        HiddenPayloads.NONE,
        (blob, tree, _) -> {
          wantWhole(blob, Cause.CONTEXT);
          if (tree) {
            wantTree(blob);
          }
        });
  }

  /// The folders and files below a root, as far as its blob is a tree.
  private void wantTree(int root) {
    Deque<Integer> folders = new ArrayDeque<>();
    folders.add(root);
    while (!folders.isEmpty()) {
      int folder = folders.remove();
      wantWhole(folder, Cause.CONTEXT);
      if (folder >= 0 && !treesSeen.get(folder)) {
        treesSeen.set(folder);
        for (TreeEntry entry : entries(folder).entries()) {
          int below = blobs.ordinal(entry.hash());
          if (entry.kind() == TreeEntry.Kind.DIRECTORY) {
            folders.add(below);
          } else {
            wantWhole(below, Cause.CONTEXT);
          }
        }
      }
    }
  }

  private Tree entries(int folder) {
    if (blobs.blob(folder).rawBytes() > StoreLimits.DEFAULTS.payloadBytes()) {
      return Tree.EMPTY;
    }
    try (InputStream content = blobs.stream(folder)) {
      return Tree.read(Payload.wrap(content.readAllBytes()));
    } catch (StoreException.Invalid e) {
      return Tree.EMPTY; // any blob may be attached as a root
    } catch (IOException e) {
      throw new AssertionError("blobs do not fail like files", e);
    }
  }

  // ---- what stays needs

  private void keepWhatStays(NeededBlobs needed) {
    if (wanted.isEmpty()) {
      return;
    }
    eachName(
        turn -> !doomedTurns.contains(turn),
        context -> !contexts.contains(context),
        hidden,
        (blob, _, who) -> needed.need(blob, who));
  }

  /// Takes what contexts under a hold need out of what goes.
  ///
  /// @return what was taken out; the erasure is refused where that may not be
  private List<StayingBlob> leaveHeld(BitSet going) {
    if (going.isEmpty() || holds.isEmpty()) {
      return List.of();
    }
    List<StayingBlob> staying = new ArrayList<>();
    HeldBlobs held = new HeldBlobs(blobs, live);
    for (List<ContextHold> group :
        holds.size() > NAMED_HOLDS_MAX ? List.of(holds) : holds.stream().map(List::of).toList()) {
      Set<ContextId> of =
          group.stream().map(ContextHold::context).collect(Collectors.toUnmodifiableSet());
      BitSet turnsOf = DoomedTurns.all(turns, of);
      eachName(turnsOf::get, of::contains, HiddenPayloads.NONE, (blob, _, _) -> held.hold(blob));
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

    /// @param blob -1 for a blob that is not there
    /// @param tree whether the blob was attached as the root of a file tree
    /// @param who the turn or context that names the blob, for people
    void name(int blob, boolean tree, String who);
  }

  /// Hands over each blob that the chosen turns and contexts name, in any view.
  ///
  /// @param but payloads that are not handed over
  private void eachName(
      TurnChoice chosen, ContextChoice of, HiddenPayloads but, NameVisitor visitor) {
    for (int turn = 0; turn < turns.turnCount(); turn++) {
      if (chosen.test(turn)) {
        long id = turns.turnId(turn);
        if (!but.hidesWritten(id)) {
          visitor.name(turns.payload(turn), false, "turn " + id);
        }
        int fsRoot = turns.fsRoot(turn);
        if (fsRoot >= 0) {
          visitor.name(fsRoot, true, "the file tree of turn " + id);
        }
      }
    }
    turns.eachOverlay(
        overlay -> {
          if (overlay.kind() != Overlay.Kind.TOMBSTONE
              && overlay.target() >= 0
              && chosen.test(overlay.target())
              && !but.hides(overlay)) {
            visitor.name(
                overlay.blob(),
                overlay.kind() == Overlay.Kind.FS_ROOT,
                "overlay " + overlay.seq() + " of turn " + overlay.targetId());
          }
        });
    turns.eachAbout(
        about -> {
          if (of.test(about.context())) {
            visitor.name(about.blob(), false, "the description of context " + about.context());
          }
        });
  }
}
