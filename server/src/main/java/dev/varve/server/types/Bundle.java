// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.Payload;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;

/// What a writer publishes of its types.
///
/// @param registryVersion the writer's own count, 1 or more; kept, never compared
/// @param types by type id, then by version, an unsigned 32-bit number
/// @param enums by enum id: labels by number, in decimal
public record Bundle(
    long registryVersion,
    String id,
    Map<String, SortedMap<Long, TypeVersion>> types,
    Map<String, Map<String, String>> enums) {

  public Bundle {
    types = Collections.unmodifiableMap(types);
    enums = Collections.unmodifiableMap(enums);
  }

  /// Reads a bundle as it was sent. What it does not know it passes over.
  ///
  /// @throws dev.varve.StoreException.Invalid if it is not JSON, or something is missing or of the
  ///   wrong kind
  /// @throws dev.varve.StoreException.TooLarge if it is over a limit
  public static Bundle read(Payload bytes, RegistryLimits limits) {
    return new BundleReader(limits).read(bytes);
  }
}
