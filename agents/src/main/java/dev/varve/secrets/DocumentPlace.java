// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

/// The place of a JSON document, usually one line, in the file of an agent.
///
/// @param file the identifier of the conversation that the file holds; empty if it has none
/// @param line the number of the physical line, starting at 1
/// @param entry the identifier of the record on the line; empty if the record has none
public record DocumentPlace(String file, long line, String entry) {

  /// The form of the place in allow-lists and reports: `file:entry:pointer`, or `file:line
  /// N:pointer` for a record without identifier.
  ///
  /// @param pointer the place of a string in the document (RFC 6901); empty for the whole document
  String of(String pointer) {
    return file + ":" + (entry.isEmpty() ? "line " + line : entry) + ":" + pointer;
  }
}
