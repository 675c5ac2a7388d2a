// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HumanTextTest {

  @ParameterizedTest
  @CsvSource({
    "0,0 B",
    "999,999 B",
    "1000,1.0 KB",
    "1999,1.9 KB",
    "9999,9.9 KB",
    "10000,10 KB",
    "999999,999 KB",
    "1000000,1.0 MB",
    "123456789,123 MB",
    "9223372036854775807,9.2 EB"
  })
  void sizesAreShort(long bytes, String words) {
    assertThat(HumanText.size(bytes)).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource(
      value = {"0;0", "999;999", "1000;1,000", "1234567;1,234,567", "-1000;-1,000", "-100;-100"},
      delimiter = ';')
  void numbersAreGroupedByThree(long number, String words) {
    assertThat(HumanText.number(number)).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({
    "-61,in the future",
    "-5,just now",
    "9,just now",
    "10,10 seconds ago",
    "60,1 minute ago",
    "3599,59 minutes ago",
    "3600,1 hour ago",
    "86400,1 day ago",
    "5184000,2 months ago",
    "63072000,2 years ago"
  })
  void agesAreRough(long seconds, String words) {
    Instant now = Instant.parse("2026-11-27T12:00:00Z");

    assertThat(HumanText.age(now.minus(Duration.ofSeconds(seconds)), now)).isEqualTo(words);
  }

  @Test
  void timesHaveAFixedWidth() {
    assertThat(HumanText.time(Instant.parse("0900-01-02T03:04:05.678Z"), ZoneOffset.UTC))
        .isEqualTo("0900-01-02 03:04:05");
    assertThat(HumanText.minute(Instant.parse("2026-11-27T22:48:00Z"), ZoneOffset.ofHours(2)))
        .isEqualTo("2026-11-28 00:48");
  }
}
