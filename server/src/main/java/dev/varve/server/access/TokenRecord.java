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

/// What is kept of a token: never the token itself, only its SHA-256. A token is 32 random bytes,
/// so its hash can not be guessed back and needs no salt.
///
/// One line of the token file: hash, scopes, requests a second, time of making, name, with single
/// spaces between.
///
/// @param hash 64 lower-case hex digits
/// @param ratePerSecond how many requests a second are let through; 0 for any number
/// @param name of the client, for people and the audit log
public record TokenRecord(
    String hash, Set<Scope> scopes, int ratePerSecond, Instant createdAt, String name) {

  /// The longest token that is looked at.
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
      throw new StoreException.Invalid("scopes", "expected read, write, admin or some of them");
    }
    if (ratePerSecond < 0) {
      throw new StoreException.Invalid("rate", "expected 0 or more, found " + ratePerSecond);
    }
    if (name.isBlank()
        || name.length() > NAME_CHARS_MAX
        || !name.equals(name.strip())
        || name.codePoints().anyMatch(Character::isISOControl)) {
      throw new StoreException.Invalid(
          "name", "expected 1 to " + NAME_CHARS_MAX + " characters on one line");
    }
  }

  /// The hash that is kept of a token.
  public static String hashOf(String token) {
    try {
      byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  /// What a person calls the token by: the beginning of its hash.
  public String id() {
    return hash.substring(0, ID_CHARS);
  }

  /// Reads `read,write` and the like.
  public static Set<Scope> scopes(String text) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String word : text.split(",", -1)) {
      scopes.add(
          switch (word.strip()) {
            case "read" -> Scope.READ;
            case "write" -> Scope.WRITE;
            case "admin" -> Scope.ADMIN;
            default ->
                throw new StoreException.Invalid(
                    "scopes", "expected read, write or admin, found '" + word.strip() + "'");
          });
    }
    return scopes;
  }

  /// The scopes as they are written, for instance `read,write`.
  public String scopesText() {
    StringJoiner text = new StringJoiner(",");
    scopes.stream().sorted().forEach(scope -> text.add(scope.name().toLowerCase(Locale.ROOT)));
    return text.toString();
  }

  String line() {
    return String.join(
        " ", hash, scopesText(), Integer.toString(ratePerSecond), createdAt.toString(), name);
  }

  static TokenRecord parse(String line) {
    String[] parts = line.split(" ", 5);
    if (parts.length != 5) {
      throw new StoreException.Invalid("token", "expected hash, scopes, rate, time and name");
    }
    try {
      return new TokenRecord(
          parts[0],
          scopes(parts[1]),
          Integer.parseInt(parts[2]),
          Instant.parse(parts[3]),
          parts[4]);
    } catch (NumberFormatException | DateTimeParseException e) {
      throw new StoreException.Invalid("token", String.valueOf(e.getMessage()));
    }
  }
}
