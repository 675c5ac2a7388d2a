// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.travel;

import static dev.varve.jp.JpFolders.CLOCK;
import static dev.varve.jp.JpFolders.events;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.imports.ImportProblem;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import dev.varve.jp.CopyRewriter;
import dev.varve.jp.JpFolders;
import dev.varve.jp.WorkspaceContents;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.place.ConversationCopy;
import dev.varve.jp.place.Workspace;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JpTravelTest {

  private static final String ID = "17800000001";
  private static final String NAME = ID + "-talk";

  @TempDir Path folder;

  private final JpFolders jp;
  private final LocalStore store;

  JpTravelTest(@TempDir Path made) {
    jp = new JpFolders(made.resolve("jp"));
    store = LocalStore.open(made.resolve("store"), StoreOptions.DEFAULTS);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private JpImport.Report load(String id) {
    Workspace workspace = jp.workspace();
    ConversationCopy copy = jp.conversation(id).newest();
    return JpImport.conversation(
        store,
        workspace,
        copy,
        new WorkspaceContents(workspace, copy.root(), CLOCK, BlobFolder.SIZE_BYTES_MAX));
  }

  private ContextId context(ImportReport report) {
    return report.contexts().all().getFirst();
  }

  private Path export(ContextId context, String to) {
    return JpExport.conversation(store, context, folder.resolve(to), CLOCK).folder();
  }

  @Test
  void aConversationComesBackByteForByteFromEitherContext() {
    Path file = jp.add(jp.storage(), NAME, events("one", "two", "one"));
    JpFolders.write(file.resolveSibling("notes.bin"), "\0\u00ff");

    JpImport.Report report = load(ID);

    assertThat(report.imported().outcome()).isEqualTo(Outcome.NEW);
    assertThat(report.imported().records().turnsNew()).isEqualTo(5);
    assertThat(report.payloads()).isEqualTo(2);
    Map<String, String> original = JpFolders.snapshot(file.getParent());
    assertThat(JpFolders.snapshot(export(context(report.imported()), "a"))).isEqualTo(original);
    ContextId manifests = report.imported().manifest().context();
    assertThat(JpFolders.snapshot(export(manifests, "b"))).isEqualTo(original);
    assertThatThrownBy(() -> export(manifests, "b")).isInstanceOf(StoreException.Conflict.class);
  }

  @Test
  void aConversationWithReferencesComesBackWithItsBlobs() {
    Path file = jp.add(jp.storage(), NAME, events("payload ".repeat(2_000)));
    load(ID);
    new CopyRewriter(jp.workspace(), CLOCK, BlobFolder.SIZE_BYTES_MAX)
        .externalize(jp.conversation(ID), false);

    JpImport.Report report = load(ID);

    assertThat(report.imported().records().turnsNew())
        .as("the same events, wherever their payloads are")
        .isZero();
    Path copy = export(context(report.imported()), "out");
    assertThat(JpFolders.snapshot(copy)).isEqualTo(JpFolders.snapshot(file.getParent()));
    assertThat(JpFolders.snapshot(folder.resolve("out/blobs")).keySet())
        .hasSize(1)
        .allMatch(JpFolders.snapshot(jp.storage().resolve("blobs"))::containsKey);
  }

  @Test
  void importingAgainAddsOnlyWhatIsNew() {
    jp.add(jp.storage(), NAME, events("one"));
    ImportReport first = load(ID).imported();
    long turns = store.counts().turns();

    ImportReport again = load(ID).imported();
    assertThat(again.outcome()).isEqualTo(Outcome.UNCHANGED);
    assertThat(again.manifest()).isEqualTo(first.manifest());
    assertThat(store.counts().turns()).isEqualTo(turns);

    jp.add(jp.storage(), NAME, events("one", "two"));
    ImportReport grown = load(ID).imported();
    assertThat(grown.outcome()).isEqualTo(Outcome.GROWN);
    assertThat(grown.records().turnsNew()).isEqualTo(1);
    assertThat(context(grown)).isEqualTo(context(first));

    jp.add(jp.storage(), NAME, events("other"));
    assertThat(load(ID).imported().outcome()).isEqualTo(Outcome.REWRITTEN);
  }

  @Test
  void aForkSharesItsTurns() {
    jp.add(jp.storage(), NAME, events("one", "two"));
    jp.add(jp.storage(), "17800000002-fork", events("one", "three"));
    load(ID);

    ImportReport fork = load("17800000002").imported();

    assertThat(fork.records().turnsShared()).isEqualTo(3);
    assertThat(fork.records().turnsNew()).isEqualTo(1);
    assertThat(JpFolders.read(export(context(fork), "f").resolve("events.json")))
        .isEqualTo(events("one", "three"));
  }

  @Test
  void aPayloadThatIsGoneIsAProblemAndTheFileComesBackAllTheSame() throws IOException {
    Path file = jp.add(jp.storage(), NAME, events("payload ".repeat(2_000)));
    new CopyRewriter(jp.workspace(), CLOCK, BlobFolder.SIZE_BYTES_MAX)
        .externalize(jp.conversation(ID), false);
    for (String blob : JpFolders.snapshot(jp.storage().resolve("blobs")).keySet()) {
      if (blob.endsWith(".gz")) {
        Files.delete(jp.storage().resolve("blobs").resolve(blob));
      }
    }

    ImportReport report = load(ID).imported();

    assertThat(report.problems().first())
        .extracting(ImportProblem::place)
        .containsExactly("events.json");
    assertThat(JpFolders.read(export(context(report), "out").resolve("events.json")))
        .isEqualTo(JpFolders.read(file));
  }

  @Test
  void aStreamThatIsNoJsonIsKeptAsTheFileItIs() {
    Path file = jp.add(jp.storage(), NAME, "[{\"type\": \"turn_sta");

    ImportReport report = load(ID).imported();

    assertThat(report.records().turns()).isZero();
    assertThat(JpFolders.snapshot(export(context(report), "out")))
        .isEqualTo(JpFolders.snapshot(file.getParent()));
  }

  /// The context of a manifest that somebody made up.
  private ContextId forged(byte[] manifest) {
    ContextId context = store.createContext().id();
    Turn turn =
        store.append(
            context,
            NewTurn.of(Payload.wrap(manifest), JpManifest.TYPE, Encoding.JSON)
                .withParent(TurnId.NONE));
    JpAbout about = new JpAbout(JpAbout.CONVERSATION, "t", ID, "", turn.id(), context);
    store.describe(context, store.put(about.payload()));
    return context;
  }

  private byte[] manifest(String name, String file, BlobHash hash) {
    return new JpManifest(
            ID,
            name,
            false,
            List.of(new JpManifest.FileEntry(file, 3, hash, JpFolders.NOW)),
            Optional.empty(),
            List.of())
        .bytes();
  }

  @ParameterizedTest
  @ValueSource(strings = {"../escaped", "..", ".", "a/b", "a\\b", "", "c:x", "a\nb"})
  void aManifestThatLeavesItsFolderIsRefusedBeforeAnythingIsWritten(String name) {
    BlobHash hash = store.put(Payload.utf8("abc"));
    ContextId evilFile = forged(manifest(NAME, name, hash));
    ContextId evilFolder = forged(manifest(name, "f", hash));

    assertThatThrownBy(() -> export(evilFile, "out")).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> export(evilFolder, "out")).isInstanceOf(StoreException.class);
    assertThat(folder.resolve("out")).doesNotExist();
    assertThat(folder.resolve("escaped")).doesNotExist();
  }

  @Test
  void everyCutOfAManifestIsRefused() {
    jp.add(jp.storage(), NAME, events("one"));
    TurnId turn = load(ID).imported().manifest().turn();
    byte[] whole = store.turn(turn, View.AS_WRITTEN).payload().unsafeArray();

    for (int size = 0; size < whole.length - 1; size++) {
      byte[] cut = Arrays.copyOf(whole, size);
      assertThatThrownBy(() -> JpManifest.read(cut, "cut"))
          .as(new String(cut, UTF_8))
          .isInstanceOf(StoreException.Corrupt.class);
    }
    assertThat(JpManifest.read(whole, "whole").bytes()).isEqualTo(whole);
  }

  @Test
  void aContextOfAnotherProgramIsRefused() {
    ContextId other = store.createContext().id();
    assertThatThrownBy(() -> export(other, "x")).isInstanceOf(StoreException.Invalid.class);

    store.describe(
        other, store.put(Payload.utf8("{\"kind\":\"jp.conversation\",\"manifest\":\"x\"}")));
    assertThatThrownBy(() -> export(other, "x")).isInstanceOf(StoreException.Invalid.class);
  }
}
