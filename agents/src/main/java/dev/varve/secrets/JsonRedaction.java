// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/// Copies of JSON documents in which credentials are replaced. For one thread.
///
/// Strings are read without their escapes, and only strings that hold a credential are written
/// anew; all other bytes of a document stay: identifiers, numbers, the order of fields.
public final class JsonRedaction {

  /// A choice of strings that are replaced by another value, whatever the rules find in them.
  @FunctionalInterface
  public interface Substitute {

    /// No string is replaced.
    Substitute NONE = _ -> Optional.empty();

    /// The JSON value for the string at `pointer` (RFC 6901); empty if the string is not replaced.
    Optional<byte[]> of(String pointer);
  }

  private final RedactedText redacted;
  private final KnownSecrets known;
  private final IdentifierFields identifiers;
  private long places;

  /// @param known the credentials of all documents of the file, each with its replacement
  public JsonRedaction(
      RuleSet rules, AllowList allowed, KnownSecrets known, IdentifierFields identifiers) {
    this.redacted = new RedactedText(new StringScan(rules, allowed), known);
    this.known = known;
    this.identifiers = identifiers;
  }

  /// The redacted copy of the document between `from` and `to`.
  ///
  /// @return empty if the bytes are not JSON
  public Optional<byte[]> copy(
      byte[] bytes, int from, int to, DocumentPlace place, Substitute substitute) {
    JsonCopy copy = new JsonCopy(bytes, from);
    try {
      JsonLeaf.each(bytes, from, to, identifiers, leaf -> redact(leaf, place, substitute, copy));
    } catch (JacksonException e) {
      return Optional.empty();
    }
    copy.keepUntil(to);
    return Optional.of(copy.out.toByteArray());
  }

  /// The number of strings that were replaced because of a credential.
  public long places() {
    return places;
  }

  /// The number of strings of a document that hold a known credential.
  ///
  /// @throws tools.jackson.core.JacksonException if the bytes are not JSON
  public long countKnown(byte[] bytes, int from, int to) {
    long[] found = new long[1];
    JsonLeaf.each(
        bytes,
        from,
        to,
        identifiers,
        leaf -> found[0] += leaf.isBinary() || known.find(leaf.text()).isEmpty() ? 0 : 1);
    return found[0];
  }

  private void redact(JsonLeaf leaf, DocumentPlace place, Substitute substitute, JsonCopy copy) {
    if (leaf.isBinary()) {
      return;
    }
    Optional<byte[]> value = leaf.isName() ? Optional.empty() : substitute.of(leaf.pointer());
    if (value.isPresent()) {
      copy.replace(leaf.from() - 1, leaf.to() + 1, value.get()); // the quotes belong to the value
      return;
    }
    String text = leaf.text();
    String clean = redacted.of(text, leaf.owner(), place.of(leaf.pointer()));
    if (!clean.equals(text)) {
      places++;
      copy.replace(leaf.from(), leaf.to(), JsonEscapes.encode(clean));
    }
  }

  /// The copy of one document in the making.
  private static final class JsonCopy {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final byte[] bytes;
    private int done;

    JsonCopy(byte[] bytes, int from) {
      this.bytes = bytes;
      this.done = from;
    }

    void replace(int from, int to, byte[] by) {
      keepUntil(from);
      out.writeBytes(by);
      done = to;
    }

    void keepUntil(int to) {
      out.write(bytes, done, to - done);
      done = to;
    }
  }
}
