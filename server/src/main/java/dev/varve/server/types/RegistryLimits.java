// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

/// Bounds on a registry. All of it is in memory while the service runs.
///
/// @param bundleBytes the largest bundle
/// @param bundles the most bundle ids
/// @param puts the most bundles ever stored, including replaced ones
/// @param types the most types, and the most enums
/// @param fields the most fields and enum labels, over all versions of all types
/// @param nameBytes the longest id or name, in UTF-8
public record RegistryLimits(
    int bundleBytes, int bundles, int puts, int types, int fields, int nameBytes) {

  /// 4 MiB a bundle, 10,000 bundles, stored 100,000 times, 10,000 types, 500,000 fields, names of
  /// 512 bytes.
  public static final RegistryLimits DEFAULTS =
      new RegistryLimits(4 << 20, 10_000, 100_000, 10_000, 500_000, 512);

  public RegistryLimits {
    if (bundleBytes < 1 || bundles < 1 || puts < 1 || types < 1 || fields < 1 || nameBytes < 1) {
      throw new IllegalArgumentException("limits of the registry");
    }
  }
}
