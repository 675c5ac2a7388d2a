// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.history.FileStamp;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowSumTest {

  private static FileStamp stamp(Object value) {
    RowSum sum = new RowSum();
    sum.add(new DatabaseRow("t", Map.of("value", value)));
    return sum.stamp();
  }

  @Test
  void aBlobCountsByItsBytes() {
    assertThat(stamp(new byte[] {1, 2}))
        .isEqualTo(stamp(new byte[] {1, 2}))
        .isNotEqualTo(stamp(new byte[] {1, 3}));
    assertThat(stamp(new DatabaseRow.RawText(new byte[] {-1})))
        .isEqualTo(stamp(new DatabaseRow.RawText(new byte[] {-1})));
  }
}
