// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.hash.Blake3;
import dev.varve.server.ServerConfig;
import dev.varve.server.access.PageEntry;
import dev.varve.server.access.Scope;
import dev.varve.server.access.TokenAuthenticator;
import dev.varve.server.access.TokenFile;
import dev.varve.server.access.TokenRecord;
import dev.varve.server.http.Served.Reply;
import dev.varve.server.tls.TestCertificate;
import dev.varve.tree.Tree;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The routes of a restore: which turn they are about, and everybody who is refused.
final class FileRestoreTest {

  private static final String AGREED = "{\"plan_digest\":\"" + NotedRestores.AGREED + "\"}";

  @TempDir Path folder;
  private final NotedRestores restores = new NotedRestores(true);

  private static ServerConfig with(NotedRestores restores) {
    return Served.ANY_PORT.withRestores(restores);
  }

  private static Turn captured(Served served) {
    BlobHash root = served.store.put(new Tree(List.of()).payload());
    var context = served.store.createContext().id();
    return served.store.append(context, note("snapshot").withFsRoot(root));
  }

  private static String at(Turn turn, String what) {
    return "/v1/turns/" + turn.id() + "/" + what;
  }

  private static NewTurn note(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("note", 1), Encoding.RAW);
  }

  @Test
  void thePlanAndTheRestoreAreThoseOfTheNearestTurnWithFiles() {
    try (Served served = new Served(folder, with(restores))) {
      Turn snapshot = captured(served);
      Turn later = served.store.append(snapshot.context(), note("later"));

      Reply plan = served.post(at(later, "restore-plan"), "");
      assertThat(plan.header("Content-Type")).startsWith("application/json");
      String digest = plan.json().get("plan_digest").stringValue();
      Reply restored = served.post(at(later, "restore"), "{\"plan_digest\":\"" + digest + "\"}");
      assertThat(restored.json().get("failures").get(0).get("failure").stringValue())
          .isEqualTo("is in use");
      assertThat(served.post(at(later, "restore-plan?undo=1"), "").status()).isEqualTo(200);
      assertThat(served.post(at(later, "restore?undo=1"), AGREED).status()).isEqualTo(200);

      assertThat(restores.calls)
          .containsExactly("plan RESTORE", "carry out RESTORE", "plan UNDO", "carry out UNDO");
      assertThat(Set.copyOf(restores.turns)).containsExactly(snapshot.id());
      assertThat(served.get(at(later, "restore-plan")).status()).isEqualTo(405);
      assertThat(served.get(at(later, "restore")).status()).isEqualTo(405);
    }
  }

  @Test
  void aTurnWithoutFilesAndOneWithoutASnapshotAreNotFound() {
    try (Served served = new Served(folder, with(restores))) {
      Turn none = served.store.append(served.store.createContext().id(), note("none"));
      BlobHash root = served.store.put(new Tree(List.of()).payload());
      Turn bare = served.store.append(none.context(), note("bare").withFsRoot(root));

      for (Turn turn : List.of(none, bare)) {
        assertThat(served.post(at(turn, "restore-plan"), "").status()).isEqualTo(404);
        assertThat(served.post(at(turn, "restore"), AGREED).status()).isEqualTo(404);
      }
      assertThat(restores.calls).isEmpty();
    }
  }

  @Test
  void aPlanThatIsNotTheOneThatWasShownIsRefused() {
    try (Served served = new Served(folder, with(restores))) {
      String path = at(captured(served), "restore");
      String other = "{\"plan_digest\":\"" + Blake3.hash(Served.utf8("another")) + "\"}";

      assertThat(served.post(path, other).status()).isEqualTo(409);
      for (String body :
          List.of("{}", "{\"plan_digest\":5}", "{\"plan_digest\":\"x\"}", AGREED + ",")) {
        assertThat(served.post(path, body).status()).as(body).isIn(400, 422);
      }
      assertThat(served.post(path, AGREED.replace("}", ",\"paths\":[]}")).status()).isEqualTo(422);
      assertThat(restores.calls).isEmpty();
    }
  }

  @Test
  void aServiceWithoutLeaveRestoresNothingAndPlansAllTheSame() {
    NotedRestores plansOnly = new NotedRestores(false);
    try (Served served = new Served(folder, with(plansOnly))) {
      Turn turn = captured(served);

      assertThat(served.post(at(turn, "restore-plan"), "").status()).isEqualTo(200);
      Reply refused = served.post(at(turn, "restore"), AGREED);
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.text()).contains("--allow-restore");
      assertThat(plansOnly.calls).containsExactly("plan RESTORE");
    }
  }

  @Test
  void aPageOfAnotherSiteIsRefused() {
    try (Served served = new Served(folder, with(restores))) {
      String path = at(captured(served), "restore");
      for (List<String> header :
          List.of(
              List.of("Origin", "https://evil.example"),
              List.of("Origin", "null"),
              List.of("Sec-Fetch-Site", "cross-site"))) {
        Reply refused =
            served.send(
                path,
                r -> r.header(header.get(0), header.get(1)).POST(BodyPublishers.ofString(AGREED)));
        assertThat(refused.status()).as("%s", header).isEqualTo(403);
      }
      assertThat(restores.calls).isEmpty();
      String own = "http://127.0.0.1:" + served.port();
      Reply answered =
          served.send(path, r -> r.header("Origin", own).POST(BodyPublishers.ofString(AGREED)));
      assertThat(answered.status()).isEqualTo(200);
    }
  }

  @Test
  void aTokenNeedsTheScopeAndTheAuditLogNamesEachTry() throws IOException {
    Path tokens = folder.resolve("tokens");
    Path log = folder.resolve("audit");
    String reader = token(tokens, "reader", EnumSet.of(Scope.READ, Scope.WRITE, Scope.ADMIN));
    String restorer = token(tokens, "restorer", EnumSet.of(Scope.RESTORE));
    ServerConfig config = with(restores).withTokens(tokens).withAudit(log);
    try (Served served = new Served(folder.resolve("s"), config)) {
      String path = at(captured(served), "restore");
      assertThat(served.post(path, AGREED).status()).isEqualTo(401);
      assertThat(asked(served, path, reader)).isEqualTo(403);
      assertThat(restores.calls).isEmpty();
      assertThat(asked(served, path, restorer)).isEqualTo(200);
      assertThat(asked(served, path + "-plan", restorer)).as("a scope has no other").isEqualTo(403);
    }
    assertThat(Files.readAllLines(log))
        .satisfiesExactly(
            line -> assertThat(line).contains("\"who\":\"-\"", "restoreFiles", "\"status\":401"),
            line -> assertThat(line).contains("\"who\":\"reader\"", "\"status\":403"),
            line -> assertThat(line).contains("\"who\":\"restorer\"", "\"status\":200"));
  }

  @Test
  void thePageOfASingleReaderRestoresOnlyIfItsServiceMay() {
    assertThat(restoredBy(PageEntry.reading())).isEqualTo(403);
    assertThat(restoredBy(PageEntry.restoring())).isEqualTo(200);
    assertThat(restores.calls).containsExactly("carry out RESTORE");
  }

  @Test
  void noOtherMachineAndNoOtherNameLeadsToAServiceThatRestores() {
    ServerConfig config = with(restores);
    for (ServerConfig open :
        List.of(
            config.withHosts(Set.of("varve.example")),
            config.withOrigins(Set.of("https://ui.example")))) {
      assertThatThrownBy(() -> new Served(folder.resolve("s"), open))
          .isInstanceOf(StoreException.Invalid.class)
          .hasMessageContaining("restores files")
          .hasMessageContaining(".example");
    }
    Path tokens = folder.resolve("tokens");
    token(tokens, "any", EnumSet.of(Scope.RESTORE));
    TestCertificate certificate = TestCertificate.make(folder, "EC");
    ServerConfig everywhere =
        Served.ANY_PORT
            .withTls(new ServerConfig.TlsConfig(certificate.certificates(), certificate.key()))
            .withTokens(tokens)
            .withHttp(new InetSocketAddress("0.0.0.0", 0));
    assertThatThrownBy(() -> new Served(folder.resolve("s"), everywhere.withRestores(restores)))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("restores files");
    new Served(folder.resolve("s"), everywhere.withRestores(new NotedRestores(false))).close();
  }

  private int restoredBy(PageEntry entry) {
    try (Served served = new Served(folder.resolve("s"), with(restores).withEntry(entry))) {
      String token = entry.redeem(entry.code()).orElseThrow();
      return asked(served, at(captured(served), "restore"), token);
    }
  }

  private static int asked(Served served, String path, String token) {
    return served
        .send(
            path,
            r -> r.header("Authorization", "Bearer " + token).POST(BodyPublishers.ofString(AGREED)))
        .status();
  }

  private static String token(Path file, String name, Set<Scope> scopes) {
    String token = TokenAuthenticator.create();
    new TokenFile(file)
        .change(
            all -> {
              List<TokenRecord> more = new ArrayList<>(all);
              more.add(TokenAuthenticator.record(token, name, scopes, 0, Instant.EPOCH));
              return more;
            });
    return token;
  }
}
