// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import dev.varve.DeclaredType;
import dev.varve.StoreException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The declared types of a draft: types that the store does not know yet get a tag. For the
/// committing thread.
public final class NewTypes {

  private final TypeTable table;
  private final int typesMax;
  private final Map<DeclaredType, Long> tags = new LinkedHashMap<>();

  public NewTypes(TypeTable table, int typesMax) {
    this.table = table;
    this.typesMax = typesMax;
  }

  /// The new types and their tags, in the order in which they came.
  public Map<DeclaredType, Long> tags() {
    return Collections.unmodifiableMap(tags);
  }

  /// The tag of a type, new or not.
  ///
  /// @throws StoreException.TooLarge if there are too many types
  public long tag(DeclaredType type) {
    Long known = known(type);
    if (known != null) {
      return known;
    }
    int count = table.count() + tags.size();
    if (count >= typesMax) {
      throw new StoreException.TooLarge("declared types", count + 1L, typesMax);
    }
    long tag = TypeTable.proposeTag(type);
    while (table.isKnown(tag) || tags.containsValue(tag)) {
      tag++;
    }
    tags.put(type, tag);
    return tag;
  }

  /// Returns whether a turn with this tag is of this type. A type whose entry in the table is
  /// damaged is still known by the tag it had.
  public boolean isTagOf(long tag, DeclaredType type) {
    Long known = known(type);
    return tag == (known == null ? TypeTable.proposeTag(type) : known);
  }

  private @Nullable Long known(DeclaredType type) {
    Long known = table.tag(type);
    return known != null ? known : tags.get(type);
  }
}
