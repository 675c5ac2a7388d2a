// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.secrets;

import dev.varve.secrets.IdentifierFields;
import java.util.Set;
import tools.jackson.core.TokenStreamContext;

/// The identifiers of a session of Pi: fields of entries, of messages and of the blocks of a
/// message's content.
final class PiIdentifiers implements IdentifierFields {

  private static final Set<String> NAMES =
      Set.of(
          "id",
          "parentId",
          "targetId",
          "fromId",
          "firstKeptEntryId",
          "toolCallId",
          "responseId",
          "timestamp",
          "type",
          "role");

  @Override
  public boolean contains(String name, TokenStreamContext object) {
    return NAMES.contains(name) && isPartOfAMessage(object);
  }

  /// True for an entry, its message, and a block of its content.
  private static boolean isPartOfAMessage(TokenStreamContext object) {
    TokenStreamContext at = object.getParent();
    while (at != null && !at.inRoot()) {
      String name = at.currentName();
      if (name != null && !name.equals("message") && !name.equals("content")) {
        return false;
      }
      at = at.getParent();
    }
    return true;
  }
}
