// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.Durability;
import dev.varve.StoreOptions;
import dev.varve.cli.session.CommandException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class StoreTuningTest {

  private static StoreOptions options(String... args) {
    return CommandLine.populateCommand(new StoreTuning(), args).options();
  }

  @Test
  void withoutOptionsTheDefaultsHold() {
    assertThat(options()).isEqualTo(StoreOptions.DEFAULTS);
    assertThat(options("--durability", "grouped")).isEqualTo(StoreOptions.DEFAULTS);
  }

  @Test
  void eachOptionIsHandedOn() {
    StoreOptions options =
        options("--durability", "each", "--cache-mib", "256", "--zstd-level", "3");

    assertThat(options.durability()).isEqualTo(Durability.FORCE_EACH);
    assertThat(options.blobCacheBytes()).isEqualTo(256L << 20);
    assertThat(options.zstdLevel()).isEqualTo(3);
    assertThat(options("--durability", "system").durability()).isEqualTo(Durability.LET_THE_SYSTEM);
    assertThat(options("--cache-mib", "0").blobCacheBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--durability=never",
        "--cache-mib=-1",
        "--cache-mib=2000000",
        "--zstd-level=0",
        "--zstd-level=20"
      })
  void otherValuesAreRefused(String option) {
    assertThatThrownBy(() -> options(option))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(option.substring(0, option.indexOf('=')))
        .hasMessageContaining("expected");
  }
}
