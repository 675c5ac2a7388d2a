// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Lets in who shows a token of a [TokenFile]. The file is looked at again whenever it has changed,
/// so that a token that was made or revoked counts within half a second, without a restart. A file
/// that is gone or cannot be read lets nobody in.
public final class Tokens implements Authenticator {

  /// Tells what it is for to people and to programs that look for leaked secrets.
  static final String PREFIX = "varve_";

  private static final int SECRET_BYTES = 32;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(250);
  private static final System.Logger LOG = System.getLogger(Tokens.class.getName());

  /// What tells one state of the file from another.
  private record Stamp(@Nullable Object key, long modifiedMs, long sizeBytes) {}

  private final Path path;
  private final LongSupplier nanos;
  private final Map<String, Rate> rates = new ConcurrentHashMap<>();
  private volatile Map<String, TokenRecord> known = Map.of();
  private volatile long lookedAtNanos;
  private @Nullable Stamp stamp;

  private Tokens(Path path, LongSupplier nanos) {
    this.path = path;
    this.nanos = nanos;
  }

  /// Reads the file.
  ///
  /// @throws StoreException.Corrupt if it is something else
  /// @throws StoreException.NotFound if it is not there
  public static Tokens open(Path path) {
    return open(path, System::nanoTime);
  }

  /// @param nanos a clock that only rises, for instance [System#nanoTime]
  static Tokens open(Path path, LongSupplier nanos) {
    if (!Files.exists(path)) {
      throw new StoreException.NotFound("token file", path.toString());
    }
    Tokens tokens = new Tokens(path, nanos);
    tokens.stamp = tokens.stampNow();
    tokens.known = index(new TokenFile(path));
    tokens.lookedAtNanos = nanos.getAsLong();
    return tokens;
  }

  /// A new token, to be shown once and kept by its owner.
  public static String create() {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }

  /// What is to be kept of a token.
  public static TokenRecord record(
      String token, String name, java.util.Set<Scope> scopes, int ratePerSecond, Instant now) {
    return new TokenRecord(TokenRecord.hashOf(token), scopes, ratePerSecond, now, name);
  }

  @Override
  public Optional<Principal> authenticate(@Nullable String token) {
    if (token == null || token.length() > TokenRecord.TOKEN_CHARS_MAX) {
      return Optional.empty();
    }
    String hash = TokenRecord.hashOf(token);
    TokenRecord record = current().get(hash);
    return record == null ? Optional.empty() : Optional.of(new Holder(hash, record.name()));
  }

  private Map<String, TokenRecord> current() {
    if (nanos.getAsLong() - lookedAtNanos > LOOK_AGAIN.toNanos()) {
      lookAgain();
    }
    return known;
  }

  private synchronized void lookAgain() {
    if (nanos.getAsLong() - lookedAtNanos <= LOOK_AGAIN.toNanos()) {
      return; // another thread was quicker
    }
    Stamp now = stampNow();
    if (now == null || !now.equals(stamp)) {
      try {
        known = index(new TokenFile(path));
        if (now == null && stamp != null) {
          LOG.log(System.Logger.Level.WARNING, path + ": gone; nobody is let in");
        }
      } catch (StoreException e) {
        known = Map.of();
        LOG.log(System.Logger.Level.ERROR, e.getMessage() + "; nobody is let in");
      }
      stamp = now;
    }
    lookedAtNanos = nanos.getAsLong();
  }

  private static Map<String, TokenRecord> index(TokenFile file) {
    Map<String, TokenRecord> index = new HashMap<>();
    file.read().forEach(token -> index.put(token.hash(), token));
    return Map.copyOf(index);
  }

  private @Nullable Stamp stampNow() {
    try {
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      return new Stamp(now.fileKey(), now.lastModifiedTime().toMillis(), now.size());
    } catch (IOException e) {
      return null;
    }
  }

  /// Who showed a token.
  private final class Holder implements Principal {

    private final String hash;
    private final String name;

    private Holder(String hash, String name) {
      this.hash = hash;
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Verdict admit(Scope needed) {
      TokenRecord record = current().get(hash);
      if (record == null) {
        rates.remove(hash);
        return Verdict.REVOKED;
      }
      if (!record.scopes().contains(needed)) {
        return Verdict.FORBIDDEN;
      }
      if (record.ratePerSecond() == 0) {
        return Verdict.ADMITTED;
      }
      return rates
              .computeIfAbsent(hash, _ -> new Rate())
              .take(record.ratePerSecond(), nanos.getAsLong())
          ? Verdict.ADMITTED
          : Verdict.TOO_MANY;
    }
  }
}
