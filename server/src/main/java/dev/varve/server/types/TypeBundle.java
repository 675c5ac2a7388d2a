// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.Payload;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;

/// A set of types that a writer publishes at once.
///
/// @param registryVersion the writer's own count, 1 or more; stored and never compared
/// @param types by type id, then by version, an unsigned 32-bit number
/// @param enums by enum id: labels by number, in decimal
public record TypeBundle(
    long registryVersion,
    String id,
    Map<String, SortedMap<Long, TypeVersion>> types,
    Map<String, Map<String, String>> enums) {

  public TypeBundle {
    types = Collections.unmodifiableMap(types);
    enums = Collections.unmodifiableMap(enums);
  }

  /// Reads a bundle as it was sent. Unknown members are ignored.
  ///
  /// @throws dev.varve.StoreException.Invalid if the bytes are not JSON, or a member is missing or
  ///   of the wrong kind
  /// @throws dev.varve.StoreException.TooLarge if the bundle is over a limit
  public static TypeBundle read(Payload bytes, RegistryLimits limits) {
    return new TypeBundleReader(limits).read(bytes);
  }
}
