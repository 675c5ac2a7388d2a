// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.ReadProgress;
import dev.varve.files.WholeFile;
import dev.varve.server.events.ServerEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// The file of rows beside erasures: it keeps no word that was erased.
final class RowsErasureTest extends RowsFixture {
  private int erase() {
    EraseRequest request = new EraseRequest(Set.of(new ContextId(2)), Set.of(), List.of());
    BlobHash digest = store.erasures().plan(request, ReadProgress.NONE).digest();
    EraseReceipt receipt = store.erasures().erase(request, digest, ReadProgress.NONE);
    return receipt.run();
  }

  private boolean hasWord(String word) throws IOException {
    return Files.exists(file())
        && new String(Files.readAllBytes(file()), ISO_8859_1).contains(word);
  }

  @Test
  void noErasedWordIsInTheFileOfAService() throws IOException {
    endService();
    assertThat(hasWord("pear")).isTrue();
    startService();
    index.on(new ServerEvent.BlobsErased(erase()));

    assertThat(file()).doesNotExist();
    assertThat(titled("pear")).isEmpty();
    assertThat(titled("plum")).containsExactly(3L);
    endService();
    assertThat(hasWord("plum")).isTrue();
    assertThat(hasWord("pear")).isFalse();
    startService();
    assertThat(taken()).contains(1L, 3L);
  }

  @Test
  void anErasureWithoutAServiceDeletesTheFile() throws IOException {
    endService();
    Path draft = folder.resolve("store").resolve(".varve-00000001-00000002.part");
    Files.copy(file(), draft); // of a process that was killed while it wrote
    int run = erase();

    assertThat(run).isEqualTo(1);
    assertThat(file()).doesNotExist();
    assertThat(draft).doesNotExist();
    startService();
  }

  @Test
  void aFileFromBeforeAnErasureIsDeleted() throws IOException {
    endService();
    byte[] former = Files.readAllBytes(file());
    erase();
    Files.write(file(), former);
    startService();

    assertThat(taken()).isEmpty();
    assertThat(file()).doesNotExist();
  }

  /// The service hears of the erasure between the last row and the moment at which the file takes
  /// its place.
  @Test
  void aFileThatIsWrittenDuringAnErasureNeverTakesItsPlace() {
    endService();
    WholeFile.at(file()).delete();
    AtomicBoolean erasing = new AtomicBoolean();
    index =
        keeping(
            () -> {
              if (erasing.getAndSet(false)) {
                index.on(new ServerEvent.BlobsErased(erase()));
              }
            });
    index.start();
    index.awaitRows(Duration.ofMinutes(1));
    erasing.set(true);
    assertThat(titled("pear")).containsExactly(2L);
    index.close();

    assertThat(erasing).isFalse();
    assertThat(file()).doesNotExist();
  }

  /// The service is killed before it hears of the erasure.
  @Test
  void aFileThatIsWrittenAfterAnErasureIsOfTheFormerStore() {
    endService();
    WholeFile.at(file()).delete();
    startService();
    assertThat(titled("pear")).containsExactly(2L);
    erase();
    endService();
    startService();

    assertThat(taken()).isEmpty();
    assertThat(file()).doesNotExist();
  }
}
