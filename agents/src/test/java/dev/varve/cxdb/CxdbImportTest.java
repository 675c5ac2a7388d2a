// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.blob.Codec;
import dev.varve.hash.Blake3;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportProblem;
import dev.varve.sim.StoreModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CxdbImportTest {

  @TempDir Path folder;
  private final StoreModel store = new StoreModel();
  private final CxdbDirectory cxdb = new CxdbDirectory();

  /// Context 1 with turns 1, 2, 4; context 2 forked from turn 1 with turn 3; context 3 empty.
  private CxdbDirectory small() {
    return cxdb.head(1, 0, 0, 1000)
        .append(1, 1, 0, 0, "one", 2000)
        .append(1, 2, 1, 1, "two ".repeat(100), 3000)
        .head(2, 1, 0, 4000)
        .append(2, 3, 1, 1, "three", 5000)
        .head(3, 0, 0, 6000)
        .append(1, 4, 2, 2, "one", 7000);
  }

  @Test
  void turnsKeepNumbersParentsTimesTypesAndPayloads() throws IOException {
    CxdbReport report = load(small());

    assertThat(report.problems().first()).isEmpty();
    assertThat(report.turns()).isEqualTo(4);
    assertThat(report.blobs()).isEqualTo(4); // "one" twice
    Turn turn = store.turn(new TurnId(3), View.LATEST);
    assertThat(turn.parent()).isEqualTo(new TurnId(1));
    assertThat(turn.depth()).isEqualTo(1);
    assertThat(turn.context()).isEqualTo(new ContextId(2));
    assertThat(turn.type()).isEqualTo(new DeclaredType("com.example.Message", 3));
    assertThat(turn.encoding()).isEqualTo(Encoding.MSGPACK);
    assertThat(turn.declaredCompression()).isEqualTo(1);
    assertThat(turn.createdAt()).isEqualTo(Instant.ofEpochMilli(5000));
    assertThat(turn.payload()).isEqualTo(Payload.utf8("three"));
    assertThat(store.turn(new TurnId(2), View.LATEST).payload())
        .isEqualTo(Payload.utf8("two ".repeat(100)));
    assertThat(store.turn(new TurnId(4), View.LATEST).context()).isEqualTo(new ContextId(1));
  }

  @Test
  void contextsKeepNumbersHeadsBasesAndBothTimes() throws IOException {
    CxdbReport report = load(small());

    assertThat(report.contexts()).isEqualTo(3);
    assertThat(report.contextsSetBack()).isZero();
    assertThat(store.head(new ContextId(1))).isEqualTo(head(1, 4, 2, 0, 1000, 7000));
    assertThat(store.head(new ContextId(2))).isEqualTo(head(2, 3, 1, 1, 4000, 5000));
    assertThat(store.head(new ContextId(3))).isEqualTo(head(3, 0, 0, 0, 6000, 6000));
  }

  @Test
  void aContextThatAnAppendMadeWasForkedFromNothing() throws IOException {
    load(small().append(9, 5, 1, 1, "five", 8000));

    assertThat(store.head(new ContextId(9))).isEqualTo(head(9, 5, 1, 0, 8000, 8000));
  }

  @Test
  void whatIsAddedAfterwardsGetsNewNumbers() throws IOException {
    load(small());

    assertThat(store.createContext().id()).isEqualTo(new ContextId(4));
    assertThat(
            store
                .append(
                    new ContextId(2),
                    NewTurn.of(Payload.utf8("new"), DeclaredType.UNDECLARED, Encoding.RAW))
                .id())
        .isEqualTo(new TurnId(5));
  }

  @Test
  void fileTreesAreAttachedAndTheLastOneCounts() throws IOException {
    BlobHash tree = cxdb.blob(new byte[] {(byte) 0x90});
    BlobHash other = cxdb.blob(new byte[] {(byte) 0xc0});
    small().root(2, other).root(2, tree).root(3, Blake3.hash(new byte[] {7})).root(99, tree);

    CxdbReport report = load(cxdb);

    assertThat(store.turn(new TurnId(2), View.LATEST).fsRoot()).isEqualTo(tree);
    assertThat(store.turn(new TurnId(3), View.LATEST).fsRoot()).isNull();
    assertThat(report.fsRoots()).isEqualTo(1);
    assertThat(report.problems().first())
        .extracting(ImportProblem::place)
        .containsExactly("fs/roots.idx", "fs/roots.idx");
  }

  @Test
  void blobsThatNoTurnNamesComeAlong() throws IOException {
    byte[] file = "a file".getBytes(StandardCharsets.UTF_8);
    BlobHash hash = cxdb.blob(file);
    cxdb.blob(new byte[0]);

    load(small());

    assertThat(store.get(hash).bytes()).isEqualTo(file);
    assertThat(store.has(Blake3.hash(new byte[0]))).isTrue();
  }

  @Test
  void aBadTurnRecordCostsThatTurnAndWhatFollowsIt() throws IOException {
    small();
    byte[] log = cxdb.log.toByteArray();
    log[80 + 10] ^= 1; // turn 2
    cxdb.log.reset();
    cxdb.log.writeBytes(log);

    CxdbReport report = load(cxdb);

    assertThat(store.turns()).extracting(Turn::id).containsExactly(new TurnId(1), new TurnId(3));
    assertThat(report.turnsSkipped()).isEqualTo(1);
    assertThat(report.contextsSetBack()).isEqualTo(1);
    assertThat(store.head(new ContextId(1)).head()).isEqualTo(new TurnId(1));
    assertThat(report.problems().first())
        .extracting(ImportProblem::what)
        .contains(
            "80 bytes are no whole record",
            "turn 4: its parent 2 is missing",
            "context 1: its head 4 is missing; set back to 1");
  }

  @Test
  void bytesInTheMiddleOfAFileCostNoRecordBehindThem() throws IOException {
    cxdb.log.writeBytes(new byte[33]);
    cxdb.heads.writeBytes(new byte[5]);
    cxdb.roots.writeBytes(new byte[50]);
    cxdb.pack.writeBytes("BLSB torn".getBytes(StandardCharsets.UTF_8));

    CxdbReport report = load(small());

    assertThat(report.turns()).isEqualTo(4);
    assertThat(report.contexts()).isEqualTo(3);
    assertThat(report.problems().first())
        .extracting(ImportProblem::place)
        .containsExactlyInAnyOrder(
            "turns/turns.log", "turns/heads.tbl", "fs/roots.idx", "blobs/blobs.pack");
  }

  @Test
  void aTurnWhoseBlobIsMissingIsSkippedAndTold() throws IOException {
    small().turn(5, 4, 3, Blake3.hash(new byte[] {9}), 8000).head(1, 5, 3, 8000);

    CxdbReport report = load(cxdb);

    assertThat(report.turnsSkipped()).isEqualTo(1);
    assertThat(store.head(new ContextId(1)).head()).isEqualTo(new TurnId(4));
  }

  @Test
  void aTurnOfWhichNothingIsDeclaredIsUndeclared() throws IOException {
    small();
    cxdb.turn(5, 0, 0, cxdb.blob("x".getBytes(StandardCharsets.UTF_8)), 8000);

    CxdbReport report = load(cxdb);

    Turn turn = store.turn(new TurnId(5), View.LATEST);
    assertThat(turn.type()).isEqualTo(DeclaredType.UNDECLARED);
    assertThat(turn.encoding()).isEqualTo(Encoding.MSGPACK);
    assertThat(report.problems().count()).isEqualTo(1);
  }

  @Test
  void damagedDeclarationsCostOnlyTheirOwnTurn() throws IOException {
    small();
    byte[] meta = cxdb.meta.toByteArray();
    meta[8] ^= 4; // the first one's length
    cxdb.meta.reset();
    cxdb.meta.writeBytes(meta);

    load(cxdb);

    assertThat(store.turn(new TurnId(1), View.LATEST).type()).isEqualTo(DeclaredType.UNDECLARED);
    assertThat(store.turn(new TurnId(2), View.LATEST).type())
        .isEqualTo(new DeclaredType("com.example.Message", 3));
  }

  @Test
  void ofTwoRecordsWithOneNumberTheLastCounts() throws IOException {
    cxdb.append(1, 1, 0, 0, "old", 1000)
        .append(1, 2, 1, 1, "lost", 2000)
        .append(2, 1, 0, 0, "new", 3000);

    load(cxdb);

    assertThat(store.turn(new TurnId(1), View.LATEST).payload()).isEqualTo(Payload.utf8("new"));
    assertThat(store.turns()).hasSize(2);
  }

  @Test
  void blobsThatSayOneThingAndHoldAnotherAreDamaged() throws IOException {
    byte[] zeros = new byte[10_000_000];
    byte[] bomb = CxdbDirectory.compress(zeros);
    cxdb.blob(1, 1000, bomb, Blake3.hash(zeros)); // more comes out than it says
    cxdb.blob(1, zeros.length, bomb, Blake3.hash(new byte[1])); // another hash
    cxdb.blob(0, 5, new byte[6], Blake3.hash(new byte[6])); // sizes that do not fit
    cxdb.blob(7, 6, new byte[6], Blake3.hash(new byte[6])); // a codec nobody knows
    cxdb.blob(1, -1, new byte[6], Blake3.hash(new byte[6])); // 4 GiB
    BlobHash whole = cxdb.blob(new byte[] {1, 2, 3});

    CxdbReport report = load(small());

    assertThat(report.blobs()).isEqualTo(5);
    assertThat(store.has(whole)).isTrue();
    assertThat(store.has(Blake3.hash(zeros))).isFalse();
    assertThat(report.problems().first())
        .containsExactly(
            new ImportProblem(
                "blobs/blobs.pack",
                0,
                (5 * 52 + 2 * bomb.length + 18) + " bytes are no whole record"));
  }

  @Test
  void aBlobLargerThanTheWindowComesWhole() throws IOException {
    byte[] large = new byte[3 << 20];
    new SplittableRandom(1).nextBytes(large);
    BlobHash hash = cxdb.blob(large);

    load(small());

    assertThat(store.get(hash).bytes()).isEqualTo(large);
  }

  @Test
  void theRegistryIsToldButNotTaken() throws IOException {
    small().write(folder);
    Files.createDirectory(folder.resolve("registry"));
    Files.writeString(folder.resolve("registry/bundle_x.json"), "{}");

    assertThat(load(cxdb).registryFiles()).containsExactly("bundle_x.json");
  }

  @Test
  void theDirectoryIsNotWrittenTo() throws IOException {
    Path directory = small().write(folder);
    for (Path file :
        List.of(directory.resolve("turns/turns.log"), directory.resolve("blobs/blobs.pack"))) {
      assertThat(file.toFile().setReadOnly()).isTrue();
    }
    byte[] before = Files.readAllBytes(directory.resolve("turns/turns.log"));

    CxdbImport.directory(
        directory, store, StoreLimits.DEFAULTS, Codec.ZSTD::decode, ImportListener.NONE);

    assertThat(Files.readAllBytes(directory.resolve("turns/turns.log"))).isEqualTo(before);
    assertThat(directory.resolve("turns/turns.idx")).doesNotExist();
  }

  @Test
  void onlyAnEmptyStoreTakesAnImport() throws IOException {
    load(small());

    assertThatThrownBy(() -> load(cxdb)).isInstanceOf(StoreException.Conflict.class);
  }

  @Test
  void aFolderOfAnotherKindIsRefused() {
    assertThatThrownBy(
            () ->
                CxdbImport.directory(
                    folder, store, StoreLimits.DEFAULTS, Codec.ZSTD::decode, ImportListener.NONE))
        .isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void aChangedByteCostsItsRecordAndWhatFollowsItAndNothingElse() throws IOException {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      CxdbDirectory whole = random(random);
      String name =
          List.of("blobs/blobs.pack", "turns/turns.log", "turns/heads.tbl").get(random.nextInt(3));

      CxdbReport report =
          loadsNothingWrong(
              seed,
              whole,
              name,
              bytes -> {
                bytes[random.nextInt(bytes.length)] ^= (byte) random.nextInt(1, 256);
                return bytes;
              });

      long turns = whole.log.size() / CxdbTurn.SIZE_BYTES;
      long known = name.equals("turns/turns.log") ? turns - 1 : turns;
      assertThat(report.turns() + report.turnsSkipped()).as("seed %d", seed).isEqualTo(known);
      assertThat(report.problems().count()).as("seed %d", seed).isPositive();
    }
  }

  @Test
  void aFileCutAnywhereIsReadUpToThere() throws IOException {
    for (int seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      String name =
          List.of("blobs/blobs.pack", "turns/turns.log", "turns/turns.meta", "turns/heads.tbl")
              .get(random.nextInt(4));

      CxdbDirectory whole = random(random);

      CxdbReport report =
          loadsNothingWrong(
              seed, whole, name, bytes -> Arrays.copyOf(bytes, random.nextInt(bytes.length)));

      if (name.endsWith("meta") || name.endsWith("tbl")) {
        long turns = whole.log.size() / CxdbTurn.SIZE_BYTES;
        assertThat(report.turns()).as("seed %d", seed).isEqualTo(turns);
      }
    }
  }

  private static CxdbDirectory random(SplittableRandom random) {
    CxdbDirectory cxdb = new CxdbDirectory();
    int[] depths = new int[random.nextInt(2, 20)];
    for (int i = 1; i < depths.length; i++) {
      int parent = i == 1 ? 0 : random.nextInt(3) == 0 ? random.nextInt(1, i) : i - 1;
      depths[i] = parent == 0 ? 0 : depths[parent] + 1;
      String payload = "payload " + i + " ".repeat(random.nextInt(60));
      cxdb.append(1 + random.nextInt(3), i, parent, depths[i], payload, 1000L * i);
    }
    return cxdb;
  }

  private CxdbReport loadsNothingWrong(
      int seed, CxdbDirectory directory, String damagedFile, UnaryOperator<byte[]> damage)
      throws IOException {
    StoreModel expected = new StoreModel();
    load(directory, expected, folder);
    Path file = folder.resolve(damagedFile);
    Files.write(file, damage.apply(Files.readAllBytes(file)));
    StoreModel found = new StoreModel();

    CxdbReport report =
        CxdbImport.directory(
            folder, found, StoreLimits.DEFAULTS, Codec.ZSTD::decode, ImportListener.NONE);

    for (Turn turn : found.turns()) {
      Turn was = expected.turn(turn.id(), View.HEADERS);
      assertThat(List.of(turn.parent(), turn.payloadHash(), turn.createdAt()))
          .as("seed %d", seed)
          .isEqualTo(List.of(was.parent(), was.payloadHash(), was.createdAt()));
    }
    return report;
  }

  private CxdbReport load(CxdbDirectory directory) throws IOException {
    return load(directory, store, folder);
  }

  private static CxdbReport load(CxdbDirectory directory, StoreModel store, Path folder)
      throws IOException {
    return CxdbImport.directory(
        directory.write(folder),
        store,
        StoreLimits.DEFAULTS,
        Codec.ZSTD::decode,
        ImportListener.NONE);
  }

  private static ContextHead head(
      long id, long turn, int depth, long base, long created, long active) {
    return new ContextHead(
        new ContextId(id),
        new TurnId(turn),
        depth,
        new TurnId(base),
        Instant.ofEpochMilli(created),
        Instant.ofEpochMilli(active),
        null);
  }
}
