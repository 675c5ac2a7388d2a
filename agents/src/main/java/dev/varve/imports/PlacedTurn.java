// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import dev.varve.TurnId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The turn of a record, whose number is known once the turn is in the store.
public final class PlacedTurn {

  /// The place above all roots.
  public static final PlacedTurn NONE = new PlacedTurn(TurnId.NONE);

  private @Nullable TurnId id;

  /// A turn that waits to be appended.
  PlacedTurn() {}

  /// A turn of the store.
  public PlacedTurn(TurnId id) {
    this.id = id;
  }

  void is(TurnId number) {
    id = number;
  }

  /// The number. To be asked for once the turn is in the store.
  public TurnId id() {
    return Objects.requireNonNull(id, "a turn that waits");
  }
}
