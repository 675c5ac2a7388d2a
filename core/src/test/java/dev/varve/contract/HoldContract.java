// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextHold;
import dev.varve.ContextHolds;
import dev.varve.ContextId;
import dev.varve.StoreException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// Holds of a store from which something can be erased.
public interface HoldContract extends StoreFixture {

  Instant END = Instant.parse("2200-01-01T00:00:00Z");

  @Test
  default void holdsArePlacedReplacedListedAndReleased() {
    ContextHolds holds = store().holds();
    ContextId first = store().createContext().id();
    ContextId second = store().createContext().id();
    assertThat(holds.all()).isEmpty();
    assertThat(holds.release(first)).isEmpty();

    ContextHold placed = holds.hold(second, END, "audit, § 12");
    ContextHold endless = holds.hold(first, null, "");

    assertThat(placed.context()).isEqualTo(second);
    assertThat(placed.until()).isEqualTo(END);
    assertThat(endless.until()).isNull();
    assertThat(holds.all()).containsExactly(endless, placed);
    ContextHold replaced = holds.hold(second, null, "lawsuit");
    assertThat(holds.all()).containsExactly(endless, replaced);
    assertThat(holds.release(second)).contains(replaced);
    assertThat(holds.release(second)).isEmpty();
    assertThat(holds.all()).containsExactly(endless);
  }

  @Test
  default void aHoldOfNothingInThePastOrWithALongReasonIsRefused() {
    ContextHolds holds = store().holds();
    ContextId context = store().createContext().id();

    assertThatThrownBy(() -> holds.hold(new ContextId(77), END, ""))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> holds.release(new ContextId(77)))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> holds.hold(context, Instant.ofEpochMilli(1), ""))
        .isInstanceOf(StoreException.Invalid.class);
    assertThatThrownBy(() -> holds.hold(context, END, "x".repeat(201)))
        .isInstanceOf(StoreException.Invalid.class);
    assertThatThrownBy(() -> holds.hold(context, END, "two\nlines"))
        .isInstanceOf(StoreException.Invalid.class);
    assertThat(holds.all()).isEmpty();
  }
}
