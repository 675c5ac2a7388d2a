// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

/// The names of the fields of the index.
///
/// Documents of texts have [#KEY], [#TEXT], [#BODY], [#KIND] and [#AT]; documents of places have
/// [#OF], [#TURN], [#CONTEXT], [#AT] and what is known of the place; documents of contexts have
/// [#SELF].
final class IndexFields {

  /// The version of the index. An index of another version is made again.
  static final int VERSION = 3;

  // ---- texts

  static final String KEY = "key";

  /// The number of a text in this index.
  static final String TEXT = "text";

  static final String BODY = "body";

  // ---- texts and places

  static final String KIND = "kind";

  /// Milliseconds since 1970; of a text the time of the first place.
  static final String AT = "at";

  // ---- places

  /// The number of the text.
  static final String OF = "of";

  static final String TURN = "turn";

  /// The turns whose change makes this document void.
  static final String BY = "by";

  static final String CONTEXT = "context";
  static final String TOOL = "tool";
  static final String PATH = "path";
  static final String EXIT = "exit";
  static final String ID = "id";

  /// The hash of the turn's payload, as bytes.
  static final String HASH = "hash";

  // ---- contexts

  static final String SELF = "self";
  static final String AGENT = "agent";
  static final String PROJECT = "project";
  static final String BRANCH = "branch";

  /// The hash of the description.
  static final String ABOUT = "about";

  /// The turn that the context was forked from, and the context of that turn.
  static final String BASE = "base";

  static final String ORIGIN = "origin";

  private IndexFields() {}
}
