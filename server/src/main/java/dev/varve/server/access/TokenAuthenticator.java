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
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Admits clients that present a token of a [TokenFile]. The file is read again whenever it has
/// changed, so that a new or a revoked token takes effect within half a second, without a restart.
/// While the file is missing or unreadable, no client is admitted.
public final class TokenAuthenticator implements Authenticator {

  /// Marks a token as one of Varve, for people and for programs that look for leaked secrets.
  static final String PREFIX = "varve_";

  private static final int SECRET_BYTES = 32;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(250);
  private static final System.Logger LOG = System.getLogger(TokenAuthenticator.class.getName());

  /// The attributes by which one state of the file differs from another.
  private record TokenFileStamp(@Nullable Object key, long modifiedMs, long sizeBytes) {}

  private final Path path;
  private final LongSupplier nanos;
  private final InstantSource clock;
  private final Map<String, RateLimiter> rates = new ConcurrentHashMap<>();
  private volatile Map<String, TokenRecord> known = Map.of();
  private volatile long lookedAtNanos;
  private @Nullable TokenFileStamp stamp;

  private TokenAuthenticator(Path path, LongSupplier nanos, InstantSource clock) {
    this.path = path;
    this.nanos = nanos;
    this.clock = clock;
  }

  /// Reads the file.
  ///
  /// @param clock decides which tokens have expired
  /// @throws StoreException.Corrupt if the file is not a token file
  /// @throws StoreException.NotFound if the file is absent
  public static TokenAuthenticator open(Path path, InstantSource clock) {
    return open(path, System::nanoTime, clock);
  }

  /// @param nanos a monotonic clock, for instance [System#nanoTime]
  static TokenAuthenticator open(Path path, LongSupplier nanos, InstantSource clock) {
    if (!Files.exists(path)) {
      throw new StoreException.NotFound("token file", path.toString());
    }
    TokenAuthenticator tokens = new TokenAuthenticator(path, nanos, clock);
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

  /// The record that is stored for a token that does not expire.
  public static TokenRecord record(
      String token, String name, Set<Scope> scopes, int ratePerSecond, Instant now) {
    return new TokenRecord(TokenRecord.hashOf(token), scopes, ratePerSecond, now, null, name);
  }

  @Override
  public Optional<Principal> authenticate(@Nullable String token) {
    if (token == null || token.length() > TokenRecord.TOKEN_CHARS_MAX) {
      return Optional.empty();
    }
    String hash = TokenRecord.hashOf(token);
    TokenRecord record = current().get(hash);
    return record == null || record.expiredAt(clock.instant())
        ? Optional.empty()
        : Optional.of(new TokenHolder(hash, record.name()));
  }

  private Map<String, TokenRecord> current() {
    if (nanos.getAsLong() - lookedAtNanos > LOOK_AGAIN.toNanos()) {
      lookAgain();
    }
    return known;
  }

  private synchronized void lookAgain() {
    if (nanos.getAsLong() - lookedAtNanos <= LOOK_AGAIN.toNanos()) {
      return; // another thread has just read the file
    }
    TokenFileStamp now = stampNow();
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

  private @Nullable TokenFileStamp stampNow() {
    try {
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      return new TokenFileStamp(now.fileKey(), now.lastModifiedTime().toMillis(), now.size());
    } catch (IOException e) {
      return null;
    }
  }

  /// A client that presented a token.
  private final class TokenHolder implements Principal {

    private final String hash;
    private final String name;

    private TokenHolder(String hash, String name) {
      this.hash = hash;
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Admission admit(Scope needed) {
      TokenRecord record = current().get(hash);
      if (record == null || record.expiredAt(clock.instant())) {
        rates.remove(hash);
        return Admission.REVOKED;
      }
      if (!record.scopes().contains(needed)) {
        return Admission.FORBIDDEN;
      }
      if (record.ratePerSecond() == 0) {
        return Admission.ADMITTED;
      }
      return rates
              .computeIfAbsent(hash, _ -> new RateLimiter())
              .take(record.ratePerSecond(), nanos.getAsLong())
          ? Admission.ADMITTED
          : Admission.TOO_MANY;
    }
  }
}
