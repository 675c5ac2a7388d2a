// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.rewind.Repo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/// Packs of real git with differences by offset and by id, each byte of a pack changed in turn:
/// git's own reading decides which objects are damaged.
@ParameterizedClass
@CsvSource({"sha1, true", "sha1, false", "sha256, true"})
final class PackedObjectsTest {

  @TempDir Path folder;

  @Parameter(0)
  String format;

  @Parameter(1)
  boolean byOffset;

  private Repo repo;
  private List<String> ids;
  private Path pack;

  @BeforeEach
  void pack() throws IOException {
    repo = Repo.in(folder, "--object-format=" + format);
    String text = "";
    for (int i = 0; i < 6; i++) {
      text += "line " + i + " of a text that grows, so that git packs differences\n";
      repo.write("grows", text).write("d/" + i, "file " + i);
      repo.gitAs("add", "-A");
      repo.gitAs("commit", "-qm", "version " + i);
    }
    repo.git("-c", "repack.useDeltaBaseOffset=" + byOffset, "repack", "-adfq", "--depth=50");
    repo.git("prune-packed");
    ids = repo.git("rev-list", "--objects", "--no-object-names", "--all").lines().toList();
    try (var packs = Files.newDirectoryStream(repo.path(".git/objects/pack"), "*.pack")) {
      pack = packs.iterator().next();
    }
    Files.setPosixFilePermissions(pack, PosixFilePermissions.fromString("rw-r--r--"));
  }

  private Set<String> damaged() {
    int idBytes = format.equals("sha256") ? 32 : 20;
    return new PackedObjects(repo.path(".git/objects"), idBytes).damaged(ids);
  }

  private Set<String> unreadable() {
    Set<String> bad = new HashSet<>();
    for (String id : ids) {
      if (Git.in(repo.root()).tryRun(new byte[0], "cat-file", "-t", id).status() != 0
          || Git.in(repo.root()).tryRun(new byte[0], "cat-file", "-p", id).status() != 0) {
        bad.add(id);
      }
    }
    return bad;
  }

  @Test
  void ofAWholePackNothingIsDamaged() {
    String differences = repo.git("verify-pack", "-v", pack.toString());
    assertThat(differences).as("the pack has differences").contains("chain length = ");
    assertThat(damaged()).isEmpty();
  }

  @Test
  void aDamagedByteCostsTheObjectAndWhatIsADifferenceToIt() throws IOException {
    byte[] bytes = Files.readAllBytes(pack);
    int sizeBytes = bytes.length - (format.equals("sha256") ? 32 : 20);
    for (int at = 12; at < sizeBytes; at += 1 + sizeBytes / 25) {
      bytes[at] ^= 0x20;
      Files.write(pack, bytes);

      assertThat(damaged()).as("byte %d", at).isNotEmpty().containsAll(unreadable());
      bytes[at] ^= 0x20;
    }
  }

  @Test
  void aPackThatWasCutHasDamagedObjects() throws IOException {
    byte[] bytes = Files.readAllBytes(pack);
    Files.write(pack, java.util.Arrays.copyOf(bytes, bytes.length / 2));

    assertThat(damaged()).isNotEmpty();
  }

  @Test
  void anIndexThatIsNoneIsPassedOver() throws IOException {
    Path index = pack.resolveSibling(pack.getFileName().toString().replace(".pack", ".idx"));
    Files.setPosixFilePermissions(index, PosixFilePermissions.fromString("rw-r--r--"));
    for (int length : new int[] {0, 7, 1032, 1100}) {
      Files.write(index, new byte[length]);
      assertThat(damaged()).isEmpty();
    }
    Files.delete(index);
    assertThat(damaged()).isEmpty();
  }
}
