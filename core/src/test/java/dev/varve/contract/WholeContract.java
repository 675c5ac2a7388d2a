// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static dev.varve.contract.Samples.hash;
import static dev.varve.contract.Samples.said;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.CheckReport;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// The store as a whole: its counts and its end.
public interface WholeContract extends StoreFixture {

  @Test
  default void anEmptyStoreCountsNothing() {
    StoreCounts counts = store().counts();

    assertThat(counts.contexts()).isZero();
    assertThat(counts.turns()).isZero();
    assertThat(counts.blobs()).isZero();
    assertThat(counts.overlays()).isZero();
    assertThat(counts.types()).isZero();
    assertThat(counts.rawBytes()).isZero();
  }

  @Test
  default void theCountsTellWhatIsThere() {
    ContextId one = store().createContext().id();
    TurnId turn = store().append(one, said("four")).id();
    store().append(one, said("four"));
    store().fork(turn);
    store().put(Payload.utf8("seven77"));
    store().patch(turn, Payload.utf8("1"));
    store().tombstone(turn);

    StoreCounts counts = store().counts();

    assertThat(counts.contexts()).isEqualTo(2);
    assertThat(counts.turns()).isEqualTo(2);
    assertThat(counts.blobs()).isEqualTo(3);
    assertThat(counts.overlays()).isEqualTo(2);
    assertThat(counts.types()).isEqualTo(1);
    assertThat(counts.rawBytes()).isEqualTo(4 + 7 + 1);
    assertThat(counts.storedBytes()).isPositive();
    assertThat(counts.diskBytes()).isGreaterThanOrEqualTo(-1);
  }

  @Test
  default void aCheckReadsEverythingAndNamesTheNewestTurn() {
    assertThat(store().check().newest()).isNull();
    ContextId context = store().createContext().id();
    store().append(context, said("a"));
    Turn newest = store().append(context, said("b"));
    store().put(Payload.utf8("c"));
    store().tombstone(newest.id());

    CheckReport report = store().check((done, total) -> assertThat(done).isBetween(0L, total));

    assertThat(report.sound()).isTrue();
    assertThat(report.blobs()).isEqualTo(3);
    assertThat(report.turns()).isEqualTo(2);
    assertThat(report.contexts()).isEqualTo(1);
    assertThat(report.overlays()).isEqualTo(1);
    assertThat(report.newest())
        .isEqualTo(new CheckReport.NewestTurn(newest.id(), newest.createdAt()));
  }

  @Test
  default void aClosedStoreRefusesEverything() {
    Store store = store();
    ContextId context = store.createContext().id();
    TurnId turn = store.append(context, said("a")).id();
    store.close();

    Map<String, ThrowingCallable> uses = new LinkedHashMap<>();
    uses.put("createContext", store::createContext);
    uses.put("fork", () -> store.fork(turn));
    uses.put("describe", () -> store.describe(context, hash("a")));
    uses.put("head", () -> store.head(context));
    uses.put("contexts", () -> store.contexts(null, 1));
    uses.put("contextsBelow", () -> store.contextsBelow(null, 1));
    uses.put("append", () -> store.append(context, said("b")));
    uses.put("appendRun", () -> store.appendRun(context, List.of(said("b"))));
    uses.put("turn", () -> store.turn(turn, View.LATEST));
    uses.put("last", () -> store.last(context, 1, View.LATEST));
    uses.put("before", () -> store.before(context, turn, 1, View.LATEST));
    uses.put("range", () -> store.range(context, 0, 1, View.LATEST));
    uses.put("replay", () -> store.replay(turn, View.LATEST, each -> {}));
    uses.put("ancestor", () -> store.ancestor(turn, 0));
    uses.put("findCommonAncestor", () -> store.findCommonAncestor(turn, turn));
    uses.put("findChild", () -> store.findChild(TurnId.NONE, hash("a")));
    uses.put("put", () -> store.put(Payload.utf8("b")));
    uses.put("get", () -> store.get(hash("a")));
    uses.put("putAll", () -> store.putAll(List.of(Payload.utf8("b"))));
    uses.put("put as a stream", () -> store.put(InputStream.nullInputStream(), null));
    uses.put("read", () -> store.read(hash("a")));
    uses.put("read a part", () -> store.read(hash("a"), 0, 1));
    uses.put("sizeBytes", () -> store.sizeBytes(hash("a")));
    uses.put("findChunkList", () -> store.findChunkList(hash("a")));
    uses.put("assemble", () -> store.assemble(hash("a"), Payload.EMPTY));
    uses.put("has", () -> store.has(hash("a")));
    uses.put("patch", () -> store.patch(turn, Payload.utf8("b")));
    uses.put("tombstone", () -> store.tombstone(turn));
    uses.put("attachFsRoot", () -> store.attachFsRoot(turn, hash("a")));
    uses.put("overlays", () -> store.overlays(turn));
    uses.put("counts", store::counts);
    uses.put("check", store::check);
    uses.put("backupPoint", store::backupPoint);
    uses.forEach(
        (name, use) -> assertThatThrownBy(use).as(name).isInstanceOf(StoreException.Closed.class));
  }

  @Test
  default void closingTwiceIsClosingOnce() {
    store().append(store().createContext().id(), said("a"));

    store().close();
    store().close();
  }
}
