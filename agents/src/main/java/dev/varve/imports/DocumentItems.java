// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

/// Finds the items of a JSON document without parsing it: the objects in the outermost array, or in
/// arrays that are members of the outermost object. The heap holds a few numbers, however deep the
/// document is.
final class DocumentItems {

  private boolean string;
  private boolean escaped;
  private long depth;
  private byte outermost;
  private byte second;
  private boolean inItem;
  private long itemDepth;
  private boolean ended;

  /// Looks at bytes, each once and in their order.
  ///
  /// @param start the beginning of the piece in which the bytes stand
  /// @return the end of the piece: behind an item, or before the next one; negative if the bytes
  ///   have none
  int end(byte[] bytes, int from, int to, int start) {
    ended = false;
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      if (string) {
        string = escaped || b != '"';
        escaped = !escaped && b == '\\';
      } else if (b == '"') {
        string = true;
      } else if (b == '{' || b == '[') {
        if (b == '{' && isPlaceOfItem()) {
          if (i > start) {
            return i;
          }
          inItem = true;
          itemDepth = depth;
        }
        open(b);
      } else if (b == '}' || b == ']') {
        depth--;
        if (inItem && depth <= itemDepth) {
          inItem = false;
          ended = true;
          return i + 1;
        }
      }
    }
    return -1;
  }

  private void open(byte b) {
    if (depth <= 0) {
      outermost = b;
    } else if (depth == 1) {
      second = b;
    }
    depth++;
  }

  private boolean isPlaceOfItem() {
    return !inItem
        && (depth == 1 && outermost == '[' || depth == 2 && outermost == '{' && second == '[');
  }

  /// Says whether the piece that ended last is an item, or the beginning of one.
  boolean isItem() {
    return ended || inItem;
  }

  /// Says whether the document has begun and not ended.
  boolean isOpen() {
    return depth > 0 || string;
  }
}
