// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.access.DatabaseStore;
import dev.varve.cassandra.cql.CassandraAddress;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.hash.Blake3;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What readers see of an append whose writer was killed, before and behind the moving of the head.
@Tag("cluster")
final class DraftTurnTest {

  private final CassandraAddress address = CassandraCluster.shared().freshStore();
  private DatabaseStore reader;
  private ClusterSession session;
  private HeadRows heads;
  private ContextId context;
  private Turn first;

  /// The record of a turn behind `first` that its writer left.
  private TurnRow left;

  @BeforeEach
  void aWriterWritesATurnAndIsKilled() {
    reader = CassandraStore.open(address, StoreOptions.DEFAULTS);
    session = new ClusterSession(address);
    heads = new HeadRows(session);
    try (DatabaseStore writer = CassandraStore.open(address, StoreOptions.DEFAULTS)) {
      context = writer.createContext().id();
      first = writer.append(context, said("first"));
      writer.put(Payload.utf8("second"));
    }
    TurnRow row = new TurnRows(session).require(first.id(), "turn");
    left = new TurnRow(behind(row.turn(), Payload.utf8("second")), row.id(), row.lane());
    List<CqlStatement> statements = new ArrayList<>(TurnRows.preparations(left));
    statements.add(TurnRows.insertion(left));
    session.write(statements);
  }

  @AfterEach
  void close() {
    reader.close();
    session.close();
  }

  /// A turn as its writer makes it behind another.
  private static Turn behind(Turn parent, Payload payload) {
    return new Turn(
        new TurnId(parent.id().value() + 1),
        parent.id(),
        parent.depth() + 1,
        parent.context(),
        parent.type(),
        parent.encoding(),
        parent.declaredCompression(),
        Blake3.hash(payload),
        payload.sizeBytes(),
        parent.createdAt(),
        null,
        false,
        0,
        null);
  }

  private static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("t", 1), Encoding.JSON);
  }

  private BlobHash payload() {
    return left.turn().payloadHash();
  }

  private TurnId id() {
    return left.turn().id();
  }

  private void moveHeadAsItsWriterDoes() {
    HeadRow from = heads.require(context);
    assertThat(heads.move(from, from.moved(left, from.activeMs())))
        .isEqualTo(ClusterSession.Condition.HELD);
  }

  private void assertShown() {
    assertThat(reader.findChild(first.id(), payload())).contains(id());
    assertThat(reader.turn(id(), View.LATEST).payload()).isEqualTo(Payload.utf8("second"));
    assertThat(reader.turnNumbers(first.id(), 1)).containsExactly(id());
    assertThat(reader.check().problems()).isEmpty();
  }

  @Test
  void aDraftIsShownToNoReader() {
    assertThat(reader.findChild(first.id(), payload())).isEmpty();
    assertThatThrownBy(() -> reader.turn(id(), View.LATEST))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> reader.tombstone(id())).isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> reader.replay(id(), View.LATEST, _ -> {}))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> reader.append(context, said("third").withParent(id())))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> reader.createContext(id(), null))
        .isInstanceOf(StoreException.NotFound.class);
    assertThat(reader.turnNumbers(TurnId.NONE, 10)).containsExactly(first.id());
    assertThat(reader.mark().turn()).isEqualTo(first.id());
    assertThat(reader.counts().turns()).isEqualTo(1);
    assertThat(reader.check().problems()).isEmpty();
  }

  @Test
  void aTurnWhoseWriterWasKilledBehindTheHeadIsShown() {
    moveHeadAsItsWriterDoes();

    assertShown();
    assertThat(reader.mark().turn()).isEqualTo(id());
    assertThat(reader.counts().turns()).isEqualTo(2);
  }

  @Test
  void theNextWriterMarksTheTurnThatItReplaces() {
    moveHeadAsItsWriterDoes();
    Turn third = reader.append(context, said("third"));

    assertThat(third.parent()).isEqualTo(id());
    assertShown();
    assertThat(reader.counts().turns()).isEqualTo(3);
  }

  @Test
  void aRewindMarksTheTurnThatItReplaces() {
    moveHeadAsItsWriterDoes();
    reader.moveContext(context, id(), first.id(), first.createdAt(), null);

    assertThat(reader.head(context).head()).isEqualTo(first.id());
    assertShown();
  }
}
