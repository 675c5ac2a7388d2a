// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import static dev.varve.cli.Call.varve;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.session.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ImportExportTest {

  private static final String SESSION =
      """
      {"type":"session","version":3,"id":"01a21ebe-47c3-76af-831f-a729f69a1f4a","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/src"}
      {"type":"message","id":"aaaaaaaa","parentId":null,"timestamp":"2026-01-05T09:00:01.000Z","message":{"role":"user","content":[{"type":"text","text":"Say hello"}],"timestamp":1}}
      {"type":"message","id":"bbbbbbbb","parentId":"aaaaaaaa","timestamp":"2026-01-05T09:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"hello"}],"timestamp":2}}
      {"type":"message","id":"cccccccc","parentId":"aaaaaaaa","timestamp":"2026-01-05T09:00:03.000Z","message":{"role":"assistant","content":[{"type":"text","text":"good day"}],"timestamp":3}}
      """;

  @TempDir Path folder;

  private Path session(String name) throws IOException {
    return Files.writeString(folder.resolve(name), SESSION);
  }

  @Test
  void aSessionOfPiIsImportedListedAndExportedAsItWas() throws IOException {
    Path store = folder.resolve("s");
    Path file = session("a.jsonl");

    Call.Result imported = varve(store, "import", "pi", file.toString());

    assertThat(imported.status()).isZero();
    assertThat(imported.out())
        .contains("new")
        .contains("Say hello")
        .endsWith("1 session, 3 new turns, 2 new contexts\n");
    assertThat(varve(store, "contexts").lines()).as("the leaves, not the manifest").hasSize(1 + 2);
    assertThat(varve(store, "contexts", "--all").lines()).hasSize(1 + 3);
    assertThat(varve(store, "log").out()).contains("user: Say hello");
    String context = varve(store, "contexts").lines().get(1).strip().split(" ")[0];
    assertThat(varve(store, "export", "pi", context).out()).isEqualTo(SESSION);
    Path copy = folder.resolve("copy.jsonl");
    assertThat(varve(store, "export", "pi", context, "-o", copy.toString()).status()).isZero();
    assertThat(copy).hasContent(SESSION);
  }

  @Test
  void importingAgainAddsNothing() throws IOException {
    Path store = folder.resolve("s");
    session("a.jsonl");
    varve(store, "import", "pi", folder.toString());
    String before = varve(store, "stats", "--json").out();

    Call.Result again = varve(store, "import", "pi", folder.toString());

    assertThat(again.out()).isEqualTo("1 session, 0 new turns, 0 new contexts, 1 unchanged\n");
    assertThat(varve(store, "stats", "--json").out()).isEqualTo(before);
  }

  @Test
  void eachReportOfAnImportIsOneObject() throws IOException {
    session("a.jsonl");
    Files.writeString(folder.resolve("b.jsonl"), "my notes\n");

    Call.Result result = varve(folder.resolve("s"), "import", "pi", folder.toString(), "--json");

    assertThat(result.lines()).hasSize(2).allMatch(line -> line.startsWith("{\"file\":"));
    assertThat(result.lines().getFirst())
        .contains("\"outcome\":\"new\"")
        .contains("\"turns_new\":3");
    assertThat(result.lines().getLast())
        .contains("\"outcome\":\"failed\"")
        .contains("\"problems\":[{\"line\":0,\"what\":\"expected a session of Pi, found no header");
    assertThat(result.status()).isEqualTo(ExitCodes.INPUT_OUTPUT);
  }

  @Test
  void aFileOfAnotherAgentIsRefusedByName() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("a.jsonl"),
            "{\"parentUuid\":null,\"sessionId\":\"s\",\"type\":\"user\",\"uuid\":\"u\"}\n");

    Call.Result one = varve(folder.resolve("s"), "import", "pi", file.toString());
    Call.Result all = varve(folder.resolve("s"), "import", "pi", folder.toString());

    assertThat(one.status()).isNotZero();
    assertThat(one.err()).contains("expected a session of Pi, found a Claude Code transcript");
    assertThat(all.status()).isEqualTo(ExitCodes.INPUT_OUTPUT);
    assertThat(all.out()).endsWith("1 session, 0 new turns, 0 new contexts, 1 failed\n");
    assertThat(varve(folder.resolve("s"), "contexts", "--all", "--json").out()).isEmpty();
  }

  @Test
  void anotherFileIsNeverOverwritten() throws IOException {
    Path store = folder.resolve("s");
    varve(store, "import", "pi", session("a.jsonl").toString());
    Path other = Files.writeString(folder.resolve("mine.txt"), "mine");

    Call.Result result = varve(store, "export", "pi", "1", "-o", other.toString());

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("Name another file");
    assertThat(other).hasContent("mine");
  }

  @Test
  void whatCannotBeImportedOrExportedIsTold() {
    Path store = DemoStore.in(folder);

    assertThat(varve(store, "import", "pi", folder + "/none").status()).isEqualTo(1);
    assertThat(varve(store, "import", "cxdb", folder + "/none").status()).isEqualTo(1);
    assertThat(varve(store, "import", "cxdb", folder.toString()).err()).contains("--store DIR");
    assertThat(varve(store, "import").status()).isEqualTo(2);
    assertThat(varve(store, "export").status()).isEqualTo(2);
    assertThat(varve(store, "export", "pi", "1").err()).contains("no Pi session");
  }

  @Test
  void aFolderThatIsNoneOfCxdbIsRefused() {
    Call.Result result = varve(folder.resolve("s"), "import", "cxdb", folder.toString());

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("turns/turns.log");
  }

  @Test
  void typesComeAlongFromCxdb() throws IOException {
    Files.createDirectories(folder.resolve("cxdb/turns"));
    Files.createDirectories(folder.resolve("cxdb/registry"));
    Files.writeString(folder.resolve("cxdb/turns/turns.log"), "");
    Files.writeString(
        folder.resolve("cxdb/registry/bundle_b_1.json"),
        "{\"registry_version\":1,\"bundle_id\":\"b#1\"}");
    Path store = folder.resolve("s");

    Call.Result imported = varve(store, "import", "cxdb", folder + "/cxdb");

    assertThat(imported.out()).contains("types: 1 bundle");
    assertThat(imported.status()).isZero();
    assertThat(varve(store, "contexts", "--all", "--json").out()).as("no context").isEmpty();
    assertThat(varve(store, "check", "--json").out()).contains("\"bundles\":1");

    Path bundle = only(store.resolve("registry"));
    Files.writeString(bundle, Files.readString(bundle).replace("b#1", "b#2"));
    Call.Result checked = varve(store, "check");
    assertThat(checked.status()).isEqualTo(ExitCodes.DAMAGED);
    assertThat(checked.out()).contains("registry/" + bundle.getFileName());

    Files.writeString(folder.resolve("cxdb/registry/bundle_c.json"), "{");
    Call.Result damaged = varve(folder.resolve("t"), "import", "cxdb", folder + "/cxdb", "--json");
    assertThat(damaged.status()).isEqualTo(ExitCodes.INPUT_OUTPUT);
    assertThat(damaged.out())
        .contains("\"bundles\":1,\"bundle_problems\":[{\"file\":\"bundle_c.json\"");
  }

  private static Path only(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      return all.getFirst();
    }
  }
}
