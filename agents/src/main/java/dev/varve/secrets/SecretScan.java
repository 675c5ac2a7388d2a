// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// A search for credentials through the documents of one file. The reader of the file's format
/// passes the documents in order. For one thread.
public final class SecretScan {

  private static final int CLEAN_NAMES_MAX = 10_000;
  private static final int CLEAN_NAME_CHARS_MAX = 100;

  private final StringScan strings;
  private final IdentifierFields identifiers;
  private final BiConsumer<SecretFinding, String> found;

  /// Names in which no rule found anything: the same names occur in many documents.
  private final Set<String> cleanNames = new HashSet<>();

  private long stringCount;
  private long findings;
  private long binaryStrings;
  private long binaryBytes;
  private long rawPieces;

  /// @param found receives each finding, in the order of the documents, and the credential itself
  public SecretScan(
      RuleSet rules,
      AllowList allowed,
      IdentifierFields identifiers,
      BiConsumer<SecretFinding, String> found) {
    this.strings = new StringScan(rules, allowed);
    this.identifiers = identifiers;
    this.found = found;
  }

  /// Searches the strings of the JSON between `from` and `to`.
  ///
  /// @return false if the bytes are not JSON; strings before the error have been searched
  public boolean json(byte[] bytes, int from, int to, DocumentPlace place) {
    try {
      JsonLeaf.each(bytes, from, to, identifiers, leaf -> search(leaf, place));
      return true;
    } catch (JacksonException e) {
      return false;
    }
  }

  /// Searches bytes of any kind, read as UTF-8.
  public void raw(byte[] bytes, int from, int to, DocumentPlace place) {
    rawPieces++;
    String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    search(text, null, place, "", false);
  }

  /// The counts of the documents so far.
  public ScanReport report() {
    return new ScanReport(
        stringCount, findings, strings.allowedCount(), binaryStrings, binaryBytes, rawPieces);
  }

  private void search(JsonLeaf leaf, DocumentPlace place) {
    if (leaf.isBinary()) {
      binaryStrings++;
      binaryBytes += leaf.to() - leaf.from();
      return;
    }
    stringCount++;
    String text = leaf.text();
    if (leaf.isName() && cleanNames.contains(text)) {
      return;
    }
    boolean clean = search(text, leaf.owner(), place, leaf.pointer(), leaf.isName());
    if (clean
        && leaf.isName()
        && cleanNames.size() < CLEAN_NAMES_MAX
        && text.length() < CLEAN_NAME_CHARS_MAX) {
      cleanNames.add(text);
    }
  }

  /// @return true if the text holds no credential
  private boolean search(
      String text, @Nullable String owner, DocumentPlace place, String pointer, boolean inName) {
    String where = place.of(pointer);
    List<StringScan.Hit> hits = strings.find(text, owner, where);
    for (StringScan.Hit hit : hits) {
      findings++;
      String secret = text.substring(hit.from(), hit.to());
      found.accept(
          new SecretFinding(
              place.line(),
              place.entry(),
              pointer,
              inName,
              hit.rule(),
              SecretFinding.excerpt(hit.seen(), secret),
              secret.length(),
              where + ":" + hit.rule()),
          secret);
    }
    return hits.isEmpty();
  }
}
