// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.access.DatabaseStore;
import dev.varve.access.StoreMark;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A [StoreModel] as a store in a database: it has an identity, and goes on when a program closes
/// it.
public final class SharedModel extends ForwardingStore implements DatabaseStore {

  private final StoreModel model;
  private final UUID id;
  private @Nullable TurnId hidden;
  private boolean lost;
  private Runnable afterClose = () -> {};
  private int erasures;

  public SharedModel(UUID id) {
    this(id, new StoreModel());
  }

  private SharedModel(UUID id, StoreModel model) {
    super(model);
    this.id = id;
    this.model = model;
  }

  /// Hides a turn from lists, as if its commit were not done yet; null shows all.
  public void hide(@Nullable TurnId turn) {
    hidden = turn;
  }

  /// Loses the connection for readers of turns, or finds the connection again.
  public void lose(boolean value) {
    lost = value;
  }

  @Override
  public int lastErasure() {
    return erasures;
  }

  /// Counts one more erasure.
  public void erased() {
    erasures++;
  }

  @Override
  public Turn turn(TurnId id, View view) {
    if (lost) {
      throw new StoreException.Io("database", "gone", new IOException("gone"));
    }
    return super.turn(id, view);
  }

  @Override
  public List<TurnId> turnNumbers(TurnId after, int limit) {
    return super.turnNumbers(after, limit).stream().filter(turn -> !turn.equals(hidden)).toList();
  }

  @Override
  public UUID storeId() {
    return id;
  }

  @Override
  public int formatVersion() {
    return 1;
  }

  @Override
  public StoreMark mark() {
    long turn = model.turns().stream().mapToLong(each -> each.id().value()).max().orElse(0);
    long context = model.heads().stream().mapToLong(each -> each.id().value()).max().orElse(0);
    return new StoreMark(
        new TurnId(turn), new ContextId(context), model.counts().overlays(), erasures);
  }

  @Override
  public void close() {
    Runnable action = afterClose;
    afterClose = () -> {};
    action.run();
  }

  @Override
  public void afterClose(Runnable action) {
    afterClose = action;
  }
}
