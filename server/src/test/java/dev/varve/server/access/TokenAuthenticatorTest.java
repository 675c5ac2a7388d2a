// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TokenAuthenticatorTest {

  private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

  @TempDir Path folder;
  private TokenFile file;
  private final AtomicLong nanos = new AtomicLong();
  private Instant now = NOON;

  @BeforeEach
  void name() {
    file = new TokenFile(folder.resolve("tokens"));
  }

  private String add(String name, Set<Scope> scopes, int rate) {
    String token = TokenAuthenticator.create();
    file.change(
        tokens -> {
          List<TokenRecord> more = new ArrayList<>(tokens);
          more.add(TokenAuthenticator.record(token, name, scopes, rate, NOON));
          return more;
        });
    later(Duration.ofSeconds(1));
    return token;
  }

  private void later(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private TokenAuthenticator open() {
    return TokenAuthenticator.open(file.path(), nanos::get, () -> now);
  }

  @Test
  void aTokenIsLetInForItsScopesOnly() {
    String token = add("robot", EnumSet.of(Scope.READ), 0);

    Principal principal = open().authenticate(token).orElseThrow();

    assertThat(principal.name()).isEqualTo("robot");
    assertThat(principal.admit(Scope.READ)).isEqualTo(Principal.Admission.ADMITTED);
    assertThat(principal.admit(Scope.WRITE)).isEqualTo(Principal.Admission.FORBIDDEN);
  }

  @Test
  void nobodyElseIsLetIn() {
    String token = add("robot", EnumSet.allOf(Scope.class), 0);
    TokenAuthenticator tokens = open();

    assertThat(tokens.authenticate(null)).isEmpty();
    assertThat(tokens.authenticate("")).isEmpty();
    assertThat(tokens.authenticate(token + "x")).isEmpty();
    assertThat(tokens.authenticate(token.substring(1))).isEmpty();
    assertThat(tokens.authenticate(TokenRecord.hashOf(token))).as("what the file holds").isEmpty();
    assertThat(tokens.authenticate("x".repeat(1 << 20))).isEmpty();
  }

  @Test
  void theFileHoldsNoToken() throws IOException {
    String token = add("robot", EnumSet.of(Scope.READ, Scope.WRITE), 7);

    assertThat(Files.readString(file.path()))
        .isEqualTo(
            TokenFile.FIRST_LINE
                + "\n"
                + TokenRecord.hashOf(token)
                + " read,write 7 2026-01-02T12:00:00Z - robot\n");
    assertThat(Files.getPosixFilePermissions(file.path())).hasSize(2);
  }

  @Test
  void aTokenIsRefusedFromTheTimeOfItsExpiryOn() {
    String token = TokenAuthenticator.create();
    Instant end = NOON.plusSeconds(60);
    file.change(
        _ ->
            List.of(
                new TokenRecord(
                    TokenRecord.hashOf(token), EnumSet.of(Scope.READ), 0, NOON, end, "robot")));
    TokenAuthenticator tokens = open();
    Principal connected = tokens.authenticate(token).orElseThrow();
    now = end.minusMillis(1);
    assertThat(connected.admit(Scope.READ)).isEqualTo(Principal.Admission.ADMITTED);

    now = end;

    assertThat(connected.admit(Scope.READ)).isEqualTo(Principal.Admission.REVOKED);
    assertThat(tokens.authenticate(token)).isEmpty();
  }

  @Test
  void aFileFromBeforeExpiryIsReadAndWrittenAsTheNewVersion() throws IOException {
    String token = TokenAuthenticator.create();
    Files.writeString(
        file.path(),
        "# varve tokens 1: SHA-256, scopes, requests a second (0: any), time, name\n"
            + TokenRecord.hashOf(token)
            + " read 0 2026-01-02T12:00:00Z a robot\n");

    assertThat(open().authenticate(token).orElseThrow().name()).isEqualTo("a robot");
    file.change(tokens -> tokens);
    assertThat(Files.readString(file.path())).contains("2026-01-02T12:00:00Z - a robot\n");
  }

  @Test
  void aRevokedTokenIsNoGoodAMomentLater() {
    String token = add("robot", EnumSet.of(Scope.READ), 0);
    TokenAuthenticator tokens = open();
    Principal connected = tokens.authenticate(token).orElseThrow();

    file.change(_ -> List.of());
    later(Duration.ofSeconds(1));

    assertThat(connected.admit(Scope.READ)).isEqualTo(Principal.Admission.REVOKED);
    assertThat(tokens.authenticate(token)).isEmpty();
  }

  @Test
  void aNewTokenIsGoodAMomentLater() {
    add("first", EnumSet.of(Scope.READ), 0);
    TokenAuthenticator tokens = open();

    String second = add("second", EnumSet.of(Scope.READ), 0);

    assertThat(tokens.authenticate(second)).isPresent();
  }

  @Test
  void aFileThatIsGoneOrBrokenLetsNobodyIn() throws IOException {
    String token = add("robot", EnumSet.of(Scope.READ), 0);
    TokenAuthenticator tokens = open();
    byte[] before = Files.readAllBytes(file.path());

    Files.writeString(file.path(), TokenFile.FIRST_LINE + "\nnonsense\n");
    later(Duration.ofSeconds(1));
    assertThat(tokens.authenticate(token)).isEmpty();

    Files.delete(file.path());
    later(Duration.ofSeconds(1));
    assertThat(tokens.authenticate(token)).isEmpty();

    Files.write(file.path(), before);
    Files.setLastModifiedTime(file.path(), FileTime.from(NOON));
    later(Duration.ofSeconds(1));
    assertThat(tokens.authenticate(token)).as("mended").isPresent();
  }

  @Test
  void theRateIsAHundredASecondNoMore() {
    String token = add("robot", EnumSet.of(Scope.READ), 100);
    Principal principal = open().authenticate(token).orElseThrow();

    assertThat(admitted(principal, 150)).as("a burst").isEqualTo(100);
    later(Duration.ofMillis(100));
    assertThat(admitted(principal, 150)).as("a tenth of a second later").isEqualTo(10);
    later(Duration.ofHours(1));
    assertThat(admitted(principal, 150)).as("nothing is saved up").isEqualTo(100);
  }

  private static long admitted(Principal principal, int tries) {
    long admitted = 0;
    for (int i = 0; i < tries; i++) {
      admitted += principal.admit(Scope.READ) == Principal.Admission.ADMITTED ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void aForeignFileIsRefusedWithoutRepeatingIt() throws IOException {
    Files.writeString(file.path(), "varve_secret\n");
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.Corrupt.class)
        .hasMessageNotContaining("varve_secret");
    Files.writeString(file.path(), TokenFile.FIRST_LINE + "\nvarve_secret a b c d\n");
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.Corrupt.class)
        .hasMessageNotContaining("varve_secret");
    assertThatThrownBy(() -> TokenAuthenticator.open(folder.resolve("none"), () -> now))
        .isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  void namesThatWouldBreakALineAreRefused() {
    for (String name : List.of("", " ", "a\nb", "x".repeat(101), " a")) {
      assertThatThrownBy(() -> add(name, EnumSet.of(Scope.READ), 0))
          .as("'%s'", name)
          .isInstanceOf(StoreException.Invalid.class);
    }
    assertThatThrownBy(() -> TokenRecord.scopes("read,delete"))
        .isInstanceOf(StoreException.Invalid.class);
  }
}
