// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The one way into a service that serves a single reader's page: a code that is exchanged once for
/// a token, and the token, which may read, and restore files if the service may. Both are random,
/// 256 bits, and end with the process.
public final class PageEntry implements Authenticator {

  private static final int RANDOM_BYTES = 32;

  private final Principal reader;
  private final String code = random();
  private final String token = random();
  private boolean isUsed; // guarded by this

  private PageEntry(Set<Scope> scopes) {
    this.reader =
        new Principal() {
          @Override
          public String name() {
            return "workbench";
          }

          @Override
          public Admission admit(Scope needed) {
            return scopes.contains(needed) ? Admission.ADMITTED : Admission.FORBIDDEN;
          }
        };
  }

  /// The way in for a page that reads.
  public static PageEntry reading() {
    return new PageEntry(EnumSet.of(Scope.READ));
  }

  /// The way in for a page that reads and restores files.
  public static PageEntry restoring() {
    return new PageEntry(EnumSet.of(Scope.READ, Scope.RESTORE));
  }

  private static String random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /// The code for the link to the page.
  public String code() {
    return code;
  }

  @Override
  public synchronized Optional<String> redeem(String given) {
    if (isUsed || !isSame(given, code)) {
      return Optional.empty();
    }
    isUsed = true;
    return Optional.of(token);
  }

  @Override
  public Optional<Principal> authenticate(@Nullable String given) {
    return given != null && isSame(given, token) ? Optional.of(reader) : Optional.empty();
  }

  /// Compares in a time that does not depend on the place of the first difference.
  private static boolean isSame(String given, String secret) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
  }
}
