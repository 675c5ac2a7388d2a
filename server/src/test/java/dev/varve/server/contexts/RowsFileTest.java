// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.StorageFacts;
import dev.varve.Store;
import dev.varve.StoreCounts;
import dev.varve.TurnId;
import dev.varve.files.FileDraft;
import dev.varve.files.WholeFile;
import dev.varve.format.Bytes;
import dev.varve.format.Example;
import dev.varve.format.FormatPage;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page of the file of rows says what the code writes.
final class RowsFileTest {

  private static final FormatPage PAGE = FormatPage.of("contexts-rows");

  @TempDir Path folder;

  @Test
  void thePageTellsTheLayout() {
    assertThat(PAGE.table("Header").differences(RowsFile.HEADER)).isEmpty();
    assertThat(PAGE.table("Row").differences(RowsFile.ROW)).isEmpty();
    assertThat(PAGE.table("Trailer").differences(RowsFile.TRAILER)).isEmpty();
    assertThat(RowsFile.HEADER.byteSize()).isEqualTo(RowsFile.HEADER_BYTES);
    assertThat(RowsFile.ROW.byteSize()).isEqualTo(RowColumns.ROW_BYTES);
    assertThat(RowsFile.TRAILER.byteSize()).isEqualTo(RowsFile.TRAILER_BYTES);
  }

  @Test
  void thePageShowsWhatIsWritten() throws IOException {
    assertThat(PAGE.example("Example")).isEqualTo(Bytes.dump(written()));
  }

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    byte[] bytes = written();
    Path file = folder.resolve("copy");
    Files.write(file, bytes);
    try (RowsReader reader = new RowsReader(file, 1 << 24)) {
      RowsReader.SavedRows saved = reader.read(hash("root"));

      assertThat(saved.turns()).isEqualTo(1);
      assertThat(saved.history()).isEqualTo(hash("history"));
      assertThat(saved.origin().overlays()).isZero();
      assertThat(saved.columns().isOf(head())).isTrue();
      assertThat(saved.columns().texts().bytes(2))
          .isEqualTo("work".getBytes(StandardCharsets.UTF_8));
    }
  }

  private static BlobHash hash(String text) {
    return Blake3.hash(text.getBytes(StandardCharsets.UTF_8));
  }

  private static ContextHead head() {
    return new ContextHead(
        Example.CONTEXT,
        new TurnId(1),
        0,
        TurnId.NONE,
        Example.CREATED_AT,
        Example.CREATED_AT,
        null);
  }

  private byte[] written() throws IOException {
    ContextMetadata metadata = new ContextMetadata(null, "hello", List.of("work"), null);
    ContextEntry entry =
        new ContextEntry(metadata, true, new TurnId(1), null, AboutReader.NOTHING, null);
    ContextRows rows = new ContextRows(1 << 24, 0);
    rows.put(head(), new ContextFinder.FoundEntry(entry, new TurnId(1), false, true), 0);
    StoreCounts counts = new StoreCounts(1, 1, 1, 0, 1, 5, 5, 5);
    Object store =
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Store.class, StorageFacts.class},
            (_, method, _) ->
                method.getName().equals("counts") ? counts : Optional.of(hash("history")));
    Path file = folder.resolve("rows");
    try (FileDraft draft = WholeFile.at(file).draft()) {
      new RowsWriter(rows, draft)
          .write(new RowsFile.Origin(hash("root"), 0), (Store) store, (StorageFacts) store);
      draft.replaceSoon();
    }
    return Files.readAllBytes(file);
  }
}
