// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The numbers of turns and of contexts, which read and order alike.
class TurnIdTest {

  @Test
  void noTurnIsNumberZero() {
    assertThat(TurnId.NONE.isNone()).isTrue();
    assertThat(new TurnId(0)).isEqualTo(TurnId.NONE);
    assertThat(new TurnId(1).isNone()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "42", "9223372036854775807"})
  void aNumberReadsBackAsItIsWritten(String text) {
    assertThat(TurnId.parse(text)).hasToString(text);
    assertThat(ContextId.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "-1", "1.0", "0x1", "1 ", "9223372036854775808", "eins", "1\u0000"})
  void whatIsNoNumberIsRefused(String text) {
    assertThatThrownBy(() -> TurnId.parse(text))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessage("turn id: expected a number, found '" + text + "'");
    assertThatThrownBy(() -> ContextId.parse(text))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessage("context id: expected a number, found '" + text + "'");
  }

  @Test
  void numbersAreOrderedAndWrittenAsUnsigned() {
    assertThat(new TurnId(1)).isLessThan(new TurnId(2)).isLessThan(new TurnId(-1));
    assertThat(new TurnId(-1)).hasToString("18446744073709551615");
    assertThat(new ContextId(Long.MAX_VALUE)).isLessThan(new ContextId(Long.MIN_VALUE));
    assertThat(new ContextId(-1)).hasToString("18446744073709551615");
  }
}
