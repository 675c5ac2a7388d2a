// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.nio.charset.StandardCharsets;

/// The type of a payload as the writer declares it: a type id and a version. The store never looks
/// into a payload.
///
/// @param id any text of at most 512 UTF-8 bytes, for instance `cxdb.ConversationItem`; may be
///   empty
/// @param version an unsigned 32-bit number
public record DeclaredType(String id, int version) {

  /// The longest id, in UTF-8 bytes.
  public static final int ID_BYTES_MAX = 512;

  /// Said of a payload about which nothing was declared.
  public static final DeclaredType UNDECLARED = new DeclaredType("", 0);

  public DeclaredType {
    int sizeBytes = id.getBytes(StandardCharsets.UTF_8).length;
    if (sizeBytes > ID_BYTES_MAX) {
      throw new StoreException.TooLarge("type id", sizeBytes, ID_BYTES_MAX);
    }
  }

  /// For instance `cxdb.ConversationItem@3`.
  @Override
  public String toString() {
    return id + "@" + Integer.toUnsignedString(version);
  }
}
