// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.local.LocalStore;
import dev.varve.pi.branch.BranchLineage.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BranchBuilderTest {

  @TempDir Path folder;

  private Sessions sessions;

  @BeforeEach
  void open() throws IOException {
    sessions = new Sessions(folder.toRealPath());
  }

  private static BranchBuilder fresh() {
    return BranchBuilder.of(Sessions.hasher(), KnownBranches.NONE);
  }

  /// By the spec's own words, without this program's help.
  private static BlobHash bySpec(Path session, BlobHash parent) throws IOException {
    String src = Blake3.hash(Files.readAllBytes(session)).toString();
    String quoted = parent == null ? "null" : "\"" + parent + "\"";
    String sidecar =
        "{\"type\":\"branch\",\"version\":1,\"src\":\"%s\",\"parent\":%s}".formatted(src, quoted);
    return Blake3.hash(sidecar.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aForksParentIsTheBranchOfTheSessionItNames() throws IOException {
    Path root = sessions.write("root", "", 5);
    Path fork = sessions.fork("fork", root);
    Path forkOfFork = sessions.fork("forkOfFork", fork);

    BranchLineage lineage = fresh().of(forkOfFork);

    BlobHash expected = bySpec(forkOfFork, bySpec(fork, bySpec(root, null)));
    assertThat(lineage.hash()).isEqualTo(expected);
    assertThat(lineage.rootFirst())
        .extracting(Branch::session)
        .containsExactly(root, fork, forkOfFork);
    assertThat(lineage.problems()).isEmpty();
  }

  @Test
  void aLineOfParentsMayBeLong() throws IOException {
    Path session = sessions.write("s0", "", 1);
    BlobHash expected = bySpec(session, null);
    for (int i = 1; i < 2_000; i++) {
      session = sessions.write("s" + i, session.toString(), 0);
      expected = bySpec(session, expected);
    }
    SessionHasher hasher = new SessionHasher(new HashStates.None(), Sessions.LATER);

    BranchLineage lineage = BranchBuilder.of(hasher, KnownBranches.NONE).of(session);

    assertThat(lineage.hash()).isEqualTo(expected);
    assertThat(lineage.rootFirst()).hasSize(2_000);
  }

  @Test
  void aMissingParentIsReported() throws IOException {
    Path fork = sessions.fork("fork", folder.resolve("none.jsonl"));

    BranchLineage lineage = fresh().of(fork);

    assertThat(lineage.hash()).isEqualTo(bySpec(fork, null));
    assertThat(lineage.problems())
        .containsExactly(new Problem.Missing(fork, folder.resolve("none.jsonl").toString()));
  }

  @Test
  void aPathThatMeansNothingHereIsAMissingParent() throws IOException {
    for (String parent : List.of("C:\\\\Users\\\\x.jsonl", "relative/x.jsonl", "x\\u0000y", "..")) {
      Path fork = sessions.write("fork", parent, 1);

      assertThat(fresh().of(fork).problems())
          .as(parent)
          .allMatch(Problem.Missing.class::isInstance)
          .hasSize(1);
    }
  }

  @Test
  void theParentIsFoundBesideASessionThatWasMoved() throws IOException {
    Path root = sessions.write("root", "", 2);
    Path fork = sessions.fork("fork", Path.of("/users/somebody/else/root.jsonl"));

    BranchLineage lineage = fresh().of(fork);

    assertThat(lineage.hash()).isEqualTo(bySpec(fork, bySpec(root, null)));
    assertThat(lineage.problems()).hasOnlyElementsOfType(Problem.Moved.class).hasSize(1);
  }

  /// A session may come from anywhere, and its header name any file of this computer.
  @Test
  void aFileThatIsNoSessionIsNeverTakenForAParent() throws IOException {
    Path secret = Files.writeString(folder.resolve("id_ed25519"), "-----BEGIN PRIVATE KEY-----\n");
    Path fork = sessions.fork("fork", secret);

    BranchLineage lineage = fresh().of(fork);

    assertThat(lineage.rootFirst()).hasSize(1);
    assertThat(lineage.problems()).hasOnlyElementsOfType(Problem.NoSession.class).hasSize(1);
  }

  @Test
  void circlesAreCutAndReported() throws IOException {
    Path a = folder.toRealPath().resolve("a.jsonl");
    Path b = sessions.fork("b", a);
    Path c = sessions.fork("c", b);
    sessions.fork("a", c);
    Path self = sessions.fork("self", folder.toRealPath().resolve("self.jsonl"));

    BranchLineage lineage = fresh().of(a);

    assertThat(lineage.rootFirst()).extracting(Branch::session).containsExactly(b, c, a);
    assertThat(lineage.problems()).containsExactly(new Problem.Circle(b, a.toString()));
    assertThat(fresh().of(self).problems()).hasOnlyElementsOfType(Problem.Circle.class);
  }

  @Test
  void manyForksAgreeOnTheirParentThoughItGrowsMeanwhile() throws IOException {
    Path root = sessions.write("root", "", 5);
    Path one = sessions.fork("one", root);
    Path two = sessions.fork("two", root);
    BranchBuilder branches = fresh();

    BlobHash ofOne = branches.of(one).branch().parent();
    Sessions.append(root, "more\n");

    assertThat(branches.of(two).branch().parent()).isEqualTo(ofOne);
  }

  @Test
  void whatIsNoSessionIsRefused() throws IOException {
    Path notes = Files.writeString(folder.resolve("notes.jsonl"), "{\"type\":\"message\"}\n");

    assertThatThrownBy(() -> fresh().of(notes)).isInstanceOf(StoreException.Invalid.class);
    assertThatThrownBy(() -> fresh().of(folder.resolve("none")))
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> fresh().of(folder)).isInstanceOf(StoreException.Invalid.class);
  }

  // ---- what is remembered

  private BranchLineage publish(Store store, Path session) {
    BranchPublication publication = new BranchPublication(store, sessions.index());
    BranchLineage lineage = BranchBuilder.of(Sessions.hasher(), publication).of(session);
    publication.add(lineage);
    publication.enter();
    return lineage;
  }

  @Test
  void publishedBranchesOutliveTheirFiles() throws IOException {
    Path root = sessions.write("root", "", 5);
    Path fork = sessions.fork("fork", root);
    byte[] bytes = Files.readAllBytes(root);
    try (Store store = sessions.store()) {
      BranchLineage lineage = publish(store, fork);
      Files.delete(root);

      Sidecar sidecar = Sidecar.read(store.get(lineage.hash()), "fork");
      Sidecar parent = Sidecar.read(store.get(sidecar.parent()), "root");
      assertThat(store.get(parent.src()).bytes()).isEqualTo(bytes);
    }
    assertThat(sessions.index().read().sequencedValues())
        .containsExactly(root.toString(), fork.toString());
  }

  @Test
  void theSameSessionIsTheSameBranchThoughItsParentGrew() throws IOException {
    Path root = sessions.write("root", "", 5);
    Path fork = sessions.fork("fork", root);
    try (Store store = sessions.store()) {
      BlobHash first = publish(store, fork).hash();
      Sessions.append(root, "more\n");

      assertThat(publish(store, fork).hash()).isEqualTo(first);

      Sessions.append(fork, "more\n");
      BranchLineage grown = publish(store, fork);
      assertThat(grown.branch().parent()).isEqualTo(bySpec(root, null));
    }
  }

  @Test
  void aParentThatIsGoneIsRemembered() throws IOException {
    Path root = sessions.write("root", "", 5);
    Path fork = sessions.fork("fork", root);
    Path other = sessions.fork("other", root);
    try (Store store = sessions.store()) {
      publish(store, fork);
      BlobHash rootBranch = bySpec(root, null);
      Files.delete(root);
      Sessions.append(fork, "more\n");

      BranchLineage grown = publish(store, fork);
      BranchLineage late = publish(store, other);

      assertThat(grown.branch().parent()).as("by its own former branch").isEqualTo(rootBranch);
      assertThat(late.branch().parent()).as("by the file's former branch").isEqualTo(rootBranch);
      assertThat(late.problems()).hasOnlyElementsOfType(Problem.Remembered.class).hasSize(1);
    }
  }

  @Test
  void aHashThatTheGuardsGotWrongIsNotPublished() throws IOException {
    Path session = sessions.write("s", "", 6_000);
    try (Store store = sessions.store()) {
      publish(store, session);
      String text = Files.readString(session);
      try (var out = Files.newOutputStream(session)) {
        out.write(text.replace("the 5001th", "THE 5001th").getBytes(StandardCharsets.UTF_8));
        out.write('\n');
      }

      assertThatThrownBy(() -> publish(store, session)).isInstanceOf(StoreException.Conflict.class);

      BranchPublication publication = new BranchPublication(store, sessions.index());
      BranchLineage verified = BranchBuilder.verifying(Sessions.hasher(), publication).of(session);
      publication.add(verified);
      assertThat(store.get(verified.branch().content().hash()).text())
          .isEqualTo(Files.readString(session));
    }
  }

  @Test
  void aLargeSessionThatGrewIsStoredByWhatWasAppended() throws IOException {
    Path session = sessions.write("s", "", 6_000);
    try (LocalStore store = sessions.store()) {
      BranchPublication publication =
          new BranchPublication(store, sessions.index(), BranchPublication.Proof.CHEAP, 100_000);
      publication.add(BranchBuilder.of(Sessions.hasher(), publication).of(session));
      Sessions.append(session, "more\n");

      BranchLineage grown = BranchBuilder.of(Sessions.hasher(), publication).of(session);
      publication.add(grown);

      BlobHash src = grown.branch().content().hash();
      try (InputStream in = store.read(src)) {
        assertThat(in.readAllBytes()).isEqualTo(Files.readAllBytes(session));
      }
      assertThat(store.check().sound()).isTrue();
    }
  }
}
