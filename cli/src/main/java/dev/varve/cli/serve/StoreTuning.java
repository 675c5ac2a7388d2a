// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.Durability;
import dev.varve.StoreOptions;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import picocli.CommandLine.Option;

/// The options of a store that is served: durability, memory and compression.
final class StoreTuning {

  private static final int CACHE_MIB_MAX = 1 << 20;

  @Option(
      names = "--durability",
      paramLabel = "WHEN",
      description =
          "When an append counts as done: forced with others (grouped, the default), forced by"
              + " itself (each), or written and not forced (system).")
  private String durability = "grouped";

  @Option(
      names = "--cache-mib",
      paramLabel = "N",
      description = "Memory for decompressed blobs, in MiB; 0 for none (default: 32).")
  private int cacheMib = 32;

  @Option(
      names = "--zstd-level",
      paramLabel = "N",
      description = "The effort of compression, 1 to 19 (default: 1).")
  private int zstdLevel = 1;

  /// The store's options.
  StoreOptions options() {
    if (cacheMib < 0 || cacheMib > CACHE_MIB_MAX) {
      throw new CommandException(
          ExitCodes.USAGE,
          "--cache-mib: expected 0 to " + CACHE_MIB_MAX + ", found " + cacheMib,
          null);
    }
    if (zstdLevel < 1 || zstdLevel > 19) {
      throw new CommandException(
          ExitCodes.USAGE, "--zstd-level: expected 1 to 19, found " + zstdLevel, null);
    }
    return StoreOptions.DEFAULTS
        .withDurability(durability())
        .withBlobCacheBytes((long) cacheMib << 20)
        .withZstdLevel(zstdLevel);
  }

  private Durability durability() {
    return switch (durability) {
      case "grouped" -> Durability.FORCE_GROUPED;
      case "each" -> Durability.FORCE_EACH;
      case "system" -> Durability.LET_THE_SYSTEM;
      default ->
          throw new CommandException(
              ExitCodes.USAGE,
              "--durability: expected grouped, each or system, found '" + durability + "'",
              null);
    };
  }
}
