// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

import dev.varve.StoreException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The stored form of a token: its SHA-256 and never the token itself. A token is 32 random bytes,
/// so its hash cannot be guessed and needs no salt.
///
/// One line of the token file: hash, scopes, requests a second, time of creation, time of expiry
/// (`-` for none) and name, separated by single spaces. Lines of version 1 have no time of expiry.
///
/// @param hash 64 lower-case hex digits
/// @param ratePerSecond how many requests a second are admitted; 0 for any number
/// @param expiresAt the time from which the token is refused; null for a token that does not expire
/// @param name of the client, for people and the audit log
public record TokenRecord(
    String hash,
    Set<Scope> scopes,
    int ratePerSecond,
    Instant createdAt,
    @Nullable Instant expiresAt,
    String name) {

  /// The longest token that is checked.
  static final int TOKEN_CHARS_MAX = 256;

  private static final int NAME_CHARS_MAX = 100;
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final int ID_CHARS = 12;

  public TokenRecord {
    scopes = Set.copyOf(scopes);
    if (!HASH.matcher(hash).matches()) {
      throw new StoreException.Invalid("token's hash", "expected 64 hex digits");
    }
    if (scopes.isEmpty()) {
      throw new StoreException.Invalid(
          "scopes", "expected read, write, admin, restore or some of them");
    }
    if (ratePerSecond < 0) {
      throw new StoreException.Invalid("rate", "expected 0 or more, found " + ratePerSecond);
    }
    if (expiresAt != null && !expiresAt.isAfter(createdAt)) {
      throw new StoreException.Invalid(
          "expiry", "expected a time after " + createdAt + ", found " + expiresAt);
    }
    if (name.isBlank()
        || name.length() > NAME_CHARS_MAX
        || !name.equals(name.strip())
        || name.codePoints().anyMatch(Character::isISOControl)) {
      throw new StoreException.Invalid(
          "name", "expected 1 to " + NAME_CHARS_MAX + " characters on one line");
    }
  }

  /// The stored hash of a token.
  public static String hashOf(String token) {
    try {
      byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  /// The name of the token for people: the first digits of its hash.
  public String id() {
    return hash.substring(0, ID_CHARS);
  }

  /// Returns whether the token is refused at a time because of its age.
  public boolean expiredAt(Instant now) {
    return expiresAt != null && !now.isBefore(expiresAt);
  }

  /// Reads scopes as in `read,write`.
  public static Set<Scope> scopes(String text) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String word : text.split(",", -1)) {
      scopes.add(
          switch (word.strip()) {
            case "read" -> Scope.READ;
            case "write" -> Scope.WRITE;
            case "admin" -> Scope.ADMIN;
            case "restore" -> Scope.RESTORE;
            default ->
                throw new StoreException.Invalid(
                    "scopes",
                    "expected read, write, admin or restore, found '" + word.strip() + "'");
          });
    }
    return scopes;
  }

  /// The scopes as text, for instance `read,write`.
  public String scopesText() {
    StringJoiner text = new StringJoiner(",");
    scopes.stream().sorted().forEach(scope -> text.add(scope.name().toLowerCase(Locale.ROOT)));
    return text.toString();
  }

  String line() {
    return String.join(
        " ",
        hash,
        scopesText(),
        Integer.toString(ratePerSecond),
        createdAt.toString(),
        expiresAt == null ? "-" : expiresAt.toString(),
        name);
  }

  /// Reads a line of a token file.
  ///
  /// @param version of the file, 1 or 2
  static TokenRecord parse(String line, int version) {
    int fields = version == 1 ? 5 : 6;
    String[] parts = line.split(" ", fields);
    if (parts.length != fields) {
      throw new StoreException.Invalid(
          "token",
          "expected hash, scopes, rate, time" + (version == 1 ? "" : ", expiry") + " and name");
    }
    try {
      return new TokenRecord(
          parts[0],
          scopes(parts[1]),
          Integer.parseInt(parts[2]),
          Instant.parse(parts[3]),
          version == 1 || parts[4].equals("-") ? null : Instant.parse(parts[4]),
          parts[fields - 1]);
    } catch (NumberFormatException | DateTimeParseException e) {
      throw new StoreException.Invalid("token", String.valueOf(e.getMessage()));
    }
  }
}
