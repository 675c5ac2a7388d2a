// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.Store;
import dev.varve.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BranchBundleTest {

  @TempDir Path folder;

  private Travellers travellers;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    travellers = Travellers.in(folder);
    file = folder.resolve("x.bundle");
    assertThat(BranchBundle.write(List.of(travellers.chain()), file)).isEqualTo(6);
  }

  private static BranchVerification verify(Path bundle) {
    try (BundleFile opened = BundleFile.open(bundle)) {
      return BranchVerification.of(opened, Travellers.budget(100 << 20));
    }
  }

  @Test
  void whatIsPackedIsUnpacked() throws IOException {
    assertThat(verify(file))
        .isEqualTo(new BranchVerification(3, 6, verify(file).bytes(), List.of(), List.of()));
    try (BundleFile bundle = BundleFile.open(file);
        Store store = travellers.store()) {
      assertThat(bundle.branches()).containsExactly(travellers.branch());
      assertThat(travellers.get(bundle, store).branch(travellers.branch()).complete()).isTrue();
    }
  }

  @Test
  void theSameBranchesGiveTheSameBytes() throws IOException {
    Path again = folder.resolve("again.bundle");
    BranchBundle.write(List.of(travellers.chain(), travellers.chain()), again);

    assertThat(again).hasSameBinaryContentAs(file);
  }

  @Test
  void aFileThatIsThereIsNotWrittenOver() {
    assertThatThrownBy(() -> BranchBundle.write(List.of(travellers.chain()), file))
        .isInstanceOf(StoreException.Conflict.class);
    assertThat(verify(file).sound()).isTrue();
  }

  @Test
  void aChangedByteIsFoundWhereverItIs() throws IOException {
    byte[] good = Files.readAllBytes(file);
    long seed = 7;
    SplittableRandom random = new SplittableRandom(seed);
    int unseen = 0;
    for (int i = 0; i < 60; i++) {
      byte[] bad = good.clone();
      int at = random.nextInt(bad.length);
      bad[at] ^= (byte) (1 << random.nextInt(8));
      Path damaged = Files.write(folder.resolve("damaged"), bad);
      try {
        unseen += verify(damaged).sound() ? 1 : 0;
      } catch (StoreException.Corrupt | StoreException.FormatTooNew e) {
        // seen at once
      }
    }
    // The archive says times and the like twice, and nobody needs them: they may differ.
    assertThat(unseen).as("seed %d", seed).isLessThan(6);
  }

  @Test
  void aCutBundleIsNone() throws IOException {
    byte[] good = Files.readAllBytes(file);
    for (int size : new int[] {0, 10, good.length / 2, good.length - 1}) {
      Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(good, size));

      assertThatThrownBy(() -> verify(cut)).isInstanceOf(StoreException.Corrupt.class);
    }
    Path notes = Files.writeString(folder.resolve("notes"), "no archive, but some text of mine");
    assertThatThrownBy(() -> verify(notes)).isInstanceOf(StoreException.Corrupt.class);
    assertThatThrownBy(() -> verify(folder)).isInstanceOf(StoreException.Corrupt.class);
  }

  // ---- made with ill will

  private Path archive(SequencedMap<String, byte[]> entries) throws IOException {
    Path made = folder.resolve("made");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(made))) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
      }
    }
    return made;
  }

  private static byte[] index(String branches) {
    return ("{\"type\":\"varve.pi.bundle\",\"version\":1,\"branches\":[" + branches + "]}\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void noNameInItBecomesAPath() throws IOException {
    SequencedMap<String, byte[]> entries = new LinkedHashMap<>();
    entries.put(BranchBundle.INDEX, index(""));
    for (String name :
        List.of("../../evil", "/etc/evil", "v1/blobs/../x", "C:\\evil", "v1/blobs/")) {
      entries.put(name, new byte[] {1});
    }

    BranchVerification found = verify(archive(entries));

    assertThat(found.problems()).hasSize(5).allMatch(p -> p.contains("does not belong"));
    assertThat(folder.getParent().resolve("evil")).doesNotExist();
  }

  @Test
  void aBlobUnderAnothersNameIsFound() throws IOException {
    SequencedMap<String, byte[]> entries = new LinkedHashMap<>();
    entries.put(BranchBundle.INDEX, index("\"" + travellers.branch() + "\""));
    entries.put("v1/blobs/" + travellers.branch(), "not it".getBytes(StandardCharsets.UTF_8));

    assertThat(verify(archive(entries)).problems()).anyMatch(p -> p.contains("has the hash"));
  }

  @Test
  void aBranchThatIsNotInItIsAProblemAndAParentIsMissing() throws IOException {
    SequencedMap<String, byte[]> entries = new LinkedHashMap<>();
    entries.put(BranchBundle.INDEX, index("\"" + travellers.branch() + "\""));
    assertThat(verify(archive(entries)).problems())
        .singleElement()
        .asString()
        .contains("not there");

    entries.put("v1/blobs/" + travellers.branch(), travellers.lineage().branch().bytes().bytes());
    entries.put("v1/blobs/" + travellers.session(), Files.readAllBytes(travellers.forkOfFork()));
    BranchVerification partial = verify(archive(entries));
    assertThat(partial.sound()).isTrue();
    assertThat(partial.missing()).containsExactly(travellers.parent());
  }

  @Test
  void aSmallBundleCannotGrowWithoutEnd() throws IOException {
    SequencedMap<String, byte[]> entries = new LinkedHashMap<>();
    entries.put(BranchBundle.INDEX, index(""));
    entries.put("v1/blobs/" + travellers.session(), new byte[8 << 20]);
    Path bomb = archive(entries);
    assertThat(Files.size(bomb)).isLessThan(20_000);

    try (BundleFile opened = BundleFile.open(bomb)) {
      assertThatThrownBy(() -> BranchVerification.of(opened, Travellers.budget(1 << 20)))
          .isInstanceOf(StoreException.TooLarge.class);
    }
  }

  @Test
  void anotherIndexIsRefused() throws IOException {
    for (String text :
        List.of(
            "", "{}", "[]", new String(index("\"x\""), StandardCharsets.UTF_8), "x".repeat(99))) {
      SequencedMap<String, byte[]> entries = new LinkedHashMap<>();
      entries.put(BranchBundle.INDEX, text.getBytes(StandardCharsets.UTF_8));
      Path made = archive(entries);
      assertThatThrownBy(() -> verify(made)).isInstanceOf(StoreException.Corrupt.class);
    }
    SequencedMap<String, byte[]> later = new LinkedHashMap<>();
    later.put(
        BranchBundle.INDEX,
        new String(index(""), StandardCharsets.UTF_8)
            .replace(":1,", ":2,")
            .getBytes(StandardCharsets.UTF_8));
    Path made = archive(later);
    assertThatThrownBy(() -> verify(made)).isInstanceOf(StoreException.FormatTooNew.class);
  }
}
