// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.access.DatabaseStore;
import dev.varve.cassandra.cql.CassandraAddress;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.hash.Blake3;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Lists and counts at the borders of partitions and of pages.
@Tag("cluster")
final class ClusterListsTest {

  private final CassandraAddress address = CassandraCluster.shared().freshStore();
  private final AtomicLong nowMs =
      new AtomicLong(Instant.parse("2026-03-01T10:59:59Z").toEpochMilli());

  private DatabaseStore open() {
    return CassandraStore.open(
        address, StoreOptions.DEFAULTS, () -> Instant.ofEpochMilli(nowMs.get()), true);
  }

  private static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("t", 1), Encoding.JSON);
  }

  @Test
  void aContextThatIsActiveInTheNextHourWhileTheListIsReadIsListedOnce() {
    try (DatabaseStore store = open();
        ClusterSession session = new ClusterSession(address)) {
      ContextId moving = store.createContext().id();
      ContextId resting = store.createContext().id();
      nowMs.addAndGet(Duration.ofSeconds(2).toMillis());
      store.append(moving, said("in the next hour"));
      ContextId newest = store.createContext().id();
      assertThat(store.contexts(null, 10))
          .extracting(ContextHead::id)
          .containsExactly(newest, moving, resting);

      // As a reader sees the tables who has read the next hour before the append.
      session.write(
          CqlStatement.of(
              "DELETE FROM ks.activity WHERE store = ? AND hour = ? AND context_id = ?",
              nowMs.get() / Duration.ofHours(1).toMillis(),
              moving.value()));

      assertThat(store.contexts(null, 10))
          .extracting(ContextHead::id)
          .containsExactly(newest, moving, resting);
    }
  }

  @Test
  void aChildBehindManyDraftsIsFound() {
    try (DatabaseStore store = open();
        ClusterSession session = new ClusterSession(address)) {
      ContextId context = store.createContext().id();
      Turn root = store.append(context, said("root"));
      BlobHash payload = Blake3.hash(Payload.utf8("child"));
      List<CqlStatement> drafts = new ArrayList<>();
      for (long number = 1000; number < 1200; number++) {
        drafts.add(
            CqlStatement.of(
                "INSERT INTO ks.child (store, parent, payload, turn_id) VALUES (?, ?, ?, ?)",
                root.id().value(),
                payload,
                number));
      }
      session.write(drafts);
      new NumberBlocks(session, new PartList(session), PartList.Kind.TURN).passBeyond(2000);
      assertThat(store.findChild(root.id(), payload)).isEmpty();
      SentStatements.take();
      store.findChild(root.id(), payload);
      assertThat(SentStatements.take())
          .filteredOn(sent -> sent.getPreparedStatement().getQuery().contains(".child "))
          .as("pages of children")
          .hasSizeGreaterThan(1);
    }
    try (DatabaseStore store = open()) {
      TurnId root = store.turnNumbers(TurnId.NONE, 1).getFirst();
      Turn child = store.append(store.contexts(null, 1).getFirst().id(), said("child"));

      assertThat(child.id().value()).isGreaterThan(1200);
      assertThat(store.findChild(root, child.payloadHash())).contains(child.id());
    }
  }

  @Test
  void theCountOfAnOldBlockIsTakenOnceMoreWhenNoAppendOfItsTimeIsUnderWay() {
    AtomicLong nanos = new AtomicLong();
    try (DatabaseStore store = open();
        ClusterSession session = new ClusterSession(address)) {
      PartList parts = new PartList(session);
      HeadRows heads = new HeadRows(session);
      ShownTurns shown = new ShownTurns(session, parts, heads, new TurnRows(session));
      ClusterCounts counts = new ClusterCounts(session, parts, shown, nanos::get);
      ContextId context = store.createContext().id();
      store.append(context, said("first"));
      parts.require(PartList.Kind.TURN, 1000);
      assertThat(counts.turns()).isEqualTo(1);

      store.append(context, said("its number was taken long ago"));
      assertThat(counts.turns()).as("kept for some minutes").isEqualTo(1);
      nanos.addAndGet(Duration.ofMinutes(11).toNanos());
      assertThat(counts.turns()).isEqualTo(2);

      store.append(context, said("as if a block were given again"));
      nanos.addAndGet(Duration.ofHours(1).toNanos());
      assertThat(counts.turns()).as("kept for good").isEqualTo(2);
    }
  }

  @Test
  void aMissingNameIsNamedByACheckAndNotWritten() {
    try (DatabaseStore store = open();
        ClusterSession session = new ClusterSession(address)) {
      Turn turn = store.append(store.createContext().id(), said("a"));
      session.write(
          CqlStatement.of(
              "DELETE FROM ks.blob_list WHERE store = ? AND part = ? AND hash = ?",
              (turn.payloadHash().bytes()[0] & 0xff) >> 2,
              turn.payloadHash()));
      store.get(turn.payloadHash());

      for (int n = 0; n < 2; n++) {
        assertThat(store.check().problems())
            .singleElement()
            .satisfies(
                problem ->
                    assertThat(problem.what())
                        .contains("turn, row " + turn.id(), "" + turn.payloadHash(), "blob_list"));
      }
      assertThat(store.blobs(null, 10)).isEmpty();
    }
  }
}
