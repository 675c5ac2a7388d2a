// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DeclaredTypeTest {

  @Test
  void itReadsAsIdAtVersion() {
    assertThat(new DeclaredType("cxdb.ConversationItem", 3)).hasToString("cxdb.ConversationItem@3");
    assertThat(new DeclaredType("", -1)).hasToString("@4294967295");
  }

  @Test
  void theBoundIsInUtf8Bytes() {
    assertThat(new DeclaredType("a".repeat(512), 0).id()).hasSize(512);
    assertThat(new DeclaredType("é".repeat(256), 0).id()).hasSize(256);
    assertThat(new DeclaredType("🌊".repeat(128), 0).id()).hasSize(256);

    for (String tooLong : new String[] {"a".repeat(513), "é".repeat(256) + "a"}) {
      assertThatThrownBy(() -> new DeclaredType(tooLong, 0))
          .isInstanceOf(StoreException.TooLarge.class)
          .hasMessage("type id: 513 is over the limit of 512");
    }
  }

  @Test
  void nothingDeclaredIsAnEmptyId() {
    assertThat(DeclaredType.UNDECLARED).isEqualTo(new DeclaredType("", 0));
  }

  @Test
  void typesDifferInVersionToo() {
    assertThat(new DeclaredType("a", 1)).isNotEqualTo(new DeclaredType("a", 2));
  }
}
