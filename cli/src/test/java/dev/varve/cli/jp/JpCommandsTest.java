// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JpCommandsTest {

  private static final String ID = "jp-c17800000001";

  @TempDir Path folder;

  private Path conversations;

  @BeforeEach
  void makeWorkspace() throws IOException {
    conversations = Files.createDirectories(folder.resolve("project/.jp/conversations"));
    Files.writeString(folder.resolve("project/.jp/.id"), "id\nab1cd");
    add("17800000001-first", "one", "two");
    add("17800000002-second", "two");
  }

  private Path add(String name, String... answers) throws IOException {
    Path conversation = Files.createDirectories(conversations.resolve(name));
    Files.writeString(
        conversation.resolve("metadata.json"),
        "{\"title\": \"" + name + "\", \"last_activated_at\": \"2026-06-01 10:00:00.0\"}");
    Files.writeString(
        conversation.resolve("base_config.json"),
        "{\"assistant\": {\"model\": {\"id\": \"anthropic/claude\"}},"
            + " \"conversation\": {\"tools\": {\"*\": {\"run\": \"ask\"}}}}");
    StringBuilder events =
        new StringBuilder("[{\"timestamp\": \"2026-06-01 10:00:00.0\", \"type\": \"turn_start\"}");
    for (String answer : answers) {
      events
          .append(",\n {\"timestamp\": \"2026-06-01 10:00:01.0\", \"type\":")
          .append(" \"tool_call_response\", \"id\": \"c\", \"content\": \"")
          .append(Base64.getEncoder().encodeToString(answer.getBytes(StandardCharsets.UTF_8)))
          .append("\", \"is_error\": false}");
    }
    return Files.writeString(conversation.resolve("events.json"), events.append("]\n"));
  }

  private Call.Result jp(String... args) {
    List<String> words = new ArrayList<>(List.of(args));
    boolean travels = args[0].equals("import") || args[0].equals("export");
    words.add(travels ? 1 : 0, "jp");
    if (!args[0].equals("export")) {
      words.add(2, "--workspace=" + folder.resolve("project"));
    }
    return new Call()
        .with("JP_USER_DATA_DIR", folder.resolve("data").toString())
        .run(words.toArray(String[]::new));
  }

  private String events(String name) throws IOException {
    return Files.readString(conversations.resolve(name).resolve("events.json"));
  }

  private List<Path> blobs() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".blob.gz")).toList();
    }
  }

  @Test
  void nothingIsWrittenThatJpCannotReadUnlessThatWasSaid() throws IOException {
    String before = events("17800000001-first");

    Call.Result refused = jp("externalize");

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("cannot read").contains("--format rfd066");
    assertThat(events("17800000001-first")).isEqualTo(before);
    assertThat(jp("externalize", "--format", "rfd067").status()).isEqualTo(2);
  }

  @Test
  void aConversationLooksTheSameWhereverItsPayloadsAre() throws IOException {
    String before = events("17800000001-first");
    String printed = jp("print", ID).out();
    assertThat(printed).contains("one").contains("two");

    assertThat(jp("externalize", "--format", "rfd066").status()).isZero();
    assertThat(blobs()).hasSize(2);
    assertThat(jp("print", ID).out()).isEqualTo(printed);

    assertThat(jp("inline").status()).isZero();
    assertThat(events("17800000001-first")).isEqualTo(before);
  }

  @Test
  void withoutANameAllConversationsArePrinted() {
    String all = jp("print").out();

    assertThat(all)
        .startsWith("# Conversation " + ID + "\n\n")
        .contains("\n# Conversation jp-c17800000002\n\n")
        .contains(jp("print", ID).out());
    assertThat(jp("print", ID).out()).doesNotContain("# Conversation");
  }

  @Test
  void severalPlacesAreLeftAsTheyWere() throws IOException {
    assertThat(jp("externalize", "--format", "rfd066").status()).isZero();
    for (Path blob : blobs()) {
      Files.delete(blob);
    }

    assertThat(jp("inline").err()).contains("\n3 places left as they were");
    assertThat(jp("inline", "jp-c17800000002").err()).contains("\n1 place left as it was");
  }

  @Test
  void aPlaceThatCannotBeReadIsNamedByEachCommandAndByItsStatus() throws IOException {
    Path events = add("17800000001-first", "one", "two");
    String text = Files.readString(events);
    Files.writeString(
        events, text.replaceFirst("\"content\": \"[^\"]*\"", "\"content\": \"\\\\ud800\""));

    for (String command : List.of("print", "show", "verify")) {
      Call.Result result = command.equals("verify") ? jp(command) : jp(command, ID);

      assertThat(result.status()).as(command).isEqualTo(3);
      assertThat(result.out() + result.err()).contains("events.json:2:").contains("surrogate");
    }
    assertThat(jp("du").status()).isEqualTo(3);
    assertThat(jp("du").err()).contains("surrogate");
  }

  @Test
  void migratingChoosesAndGoingBackTakesTheChoiceBack() throws IOException {
    String before = events("17800000002-second");

    assertThat(jp("migrate", "--format", "rfd066").status()).isZero();
    assertThat(folder.resolve("project/.jp/blobs/.format")).hasContent("rfd066");
    add("17800000003-third", "three");
    assertThat(jp("externalize").status()).as("chosen").isZero();

    assertThat(jp("migrate", "--back").status()).isZero();
    assertThat(folder.resolve("project/.jp/blobs/.format")).doesNotExist();
    assertThat(events("17800000002-second")).isEqualTo(before);
    assertThat(jp("externalize").status()).isEqualTo(2);
  }

  @Test
  void theFilesOfAConversationAreListedOnceEach() throws IOException {
    jp("externalize", "--format", "rfd066");
    add("17800000002-second", "two", "two");
    jp("externalize", "--format", "rfd066");

    List<String> files = jp("show", "--files", ID, "17800000002").lines();

    assertThat(files).hasSize(3 + 3 + 2).doesNotHaveDuplicates();
    assertThat(files).allMatch(file -> Files.isRegularFile(Path.of(file)));
    assertThat(jp("show", "--files", "-z", ID).out().split("\0")).hasSize(5);

    Files.delete(blobs().getFirst());
    Call.Result broken = jp("show", "--files", "17800000001", "17800000002");
    assertThat(broken.status()).isEqualTo(3);
    assertThat(broken.err()).contains("is missing");
  }

  @Test
  void idsMayComeFromStandardInput() {
    Call.Result result =
        new Call()
            .with("JP_USER_DATA_DIR", folder.resolve("data").toString())
            .input("jp-c17800000002\n\n")
            .run("jp", "show", "-w", folder.resolve("project").toString(), "-", "--json");

    assertThat(result.lines()).hasSize(1).first().asString().contains("17800000002");
  }

  @Test
  void filesWithLineEndsInTheirNamesAreToldByZerosOnly() throws IOException {
    add("17800000003-a\nb é", "three");

    assertThat(jp("show", "--files", "jp-c17800000003").status()).isEqualTo(2);
    Call.Result zeros = jp("show", "--files", "-z", "jp-c17800000003");

    assertThat(zeros.status()).isZero();
    assertThat(zeros.out().split("\0"))
        .contains(conversations.resolve("17800000003-a\nb é").resolve("events.json").toString());
  }

  @Test
  void checkTellsWhatJpWouldDo() throws IOException {
    assertThat(jp("check").status()).isZero();
    jp("externalize", "--format", "rfd066", ID);
    Files.writeString(conversations.resolve("17800000002-second/events.json"), "[],");

    Call.Result check = jp("check");

    assertThat(check.status()).isEqualTo(3);
    assertThat(check.out())
        .contains("unreadable  jp-c17800000001")
        .contains("expected a string, found an array")
        .contains("trashes     jp-c17800000002")
        .contains("events.json:1:3");
  }

  @Test
  void aMissingPayloadIsToldInItsPlaceAndInTheStatus() throws IOException {
    jp("externalize", "--format", "rfd066");
    for (Path blob : blobs()) {
      Files.delete(blob);
    }

    Call.Result print = jp("print", ID);

    assertThat(print.status()).isEqualTo(3);
    assertThat(print.out()).contains("(blob ").contains("3 bytes: missing)");
    assertThat(jp("verify").status()).isEqualTo(3);
    assertThat(jp("inline").status()).isEqualTo(3);
  }

  @Test
  void damageIsFoundByVerify() throws IOException {
    jp("externalize", "--format", "rfd066");
    assertThat(jp("verify").out()).contains("no problems");
    Path blob = blobs().getFirst();
    Files.write(blob, new byte[0]);

    assertThat(jp("verify").status()).isEqualTo(3);
    assertThat(jp("verify", "--json").out()).contains(blob.toString());
  }

  @Test
  void gcRemovesWhatIsOldAndUnreferenced() throws IOException {
    jp("externalize", "--format", "rfd066");
    jp("inline");
    for (Path blob : blobs()) {
      Files.setLastModifiedTime(blob, FileTime.from(Instant.parse("2025-12-01T00:00:00Z")));
    }

    assertThat(jp("gc", "--dry-run").out()).contains("2 to remove");
    assertThat(blobs()).hasSize(2);
    assertThat(jp("gc").out()).contains("2 removed");
    assertThat(blobs()).allMatch(blob -> blob.toString().contains(".trash"));
    assertThat(jp("gc", "--grace", "soon").status()).isEqualTo(2);
  }

  @Test
  void aSweepInTheBackgroundSaysNothing() {
    jp("externalize", "--format", "rfd066");

    Call.Result sweep = jp("gc", "--background");

    assertThat(sweep.status()).isZero();
    assertThat(sweep.out() + sweep.err()).isEmpty();
    assertThat(jp("gc", "--within", "1m").out()).contains("2 blobs");
    Call.Result hurried = jp("gc", "--within", "0s");
    assertThat(hurried.status()).as("stopped").isEqualTo(4);
    assertThat(hurried.err()).contains("stopped");
  }

  @Test
  void aSlipOfTheHandIsRepairedAndTheFileKept() throws IOException {
    Path events = conversations.resolve("17800000001-first/events.json");
    String before = Files.readString(events);
    String slip = "\ufeff// mine\n" + before.replace("]\n", ", /* more? */ ]\n");
    Files.writeString(events, slip);
    assertThat(jp("externalize", "--format", "rfd066").err()).contains("varve jp fix");

    assertThat(jp("fix", "--dry-run", ID).out()).contains("to remove: ");
    assertThat(events).hasContent(slip);
    assertThat(jp("fix", ID).status()).isZero();

    assertThat(events).hasContent("\n" + before.replace("]\n", "  ]\n"));
    assertThat(events.resolveSibling("events.json.before-fix")).hasContent(slip);

    Files.writeString(events, "[");
    assertThat(jp("fix", ID).status()).isEqualTo(3);
    assertThat(events).hasContent("[");
  }

  @Test
  void duTellsWhatIsSharedWithoutOpeningABlob() throws IOException {
    jp("externalize", "--format", "rfd066");
    for (Path blob : blobs()) {
      Files.write(blob, new byte[0]); // whoever opened one would notice
    }

    Call.Result du = jp("du");

    assertThat(du.status()).isZero();
    assertThat(du.out()).contains("3 saved by keeping each once");
    assertThat(jp("show").status()).isZero();
  }

  @Test
  void jpRunsItAsACommandOfItsOwn() {
    String init =
        "{\"type\":\"init\",\"version\":1,\"workspace\":{\"root\":\""
            + folder.resolve("project")
            + "\"},\"paths\":{\"user_data\":\""
            + folder.resolve("data")
            + "\"},\"config\":{\"a\":[1]},\"args\":[\"show\",\"jp-c17800000001\"]}\n";

    List<String> said = new Call().input(init).run("jp", "plugin").lines();

    assertThat(said.getFirst()).isEqualTo("{\"type\":\"ready\"}");
    assertThat(said.get(1)).startsWith("{\"type\":\"print\"").contains("17800000001-first");
    assertThat(said.getLast()).isEqualTo("{\"type\":\"exit\",\"code\":0}");
    assertThat(new Call().input("{\"type\":\"describe\"}\n").run("jp", "plugin").out())
        .startsWith("{\"type\":\"describe\",\"name\":\"varve\"");
    assertThat(new Call().input("hello\n").run("jp", "plugin").status()).isEqualTo(2);
  }

  @Test
  void aConversationGoesIntoTheStoreAndComesBackByteForByte() throws IOException {
    String store = folder.resolve("store").toString();
    Path out = folder.resolve("out/.jp");
    String before = events("17800000001-first");

    Call.Result first = jp("import", "--store", store, "--json");
    assertThat(first.lines()).hasSize(2).first().asString().contains("\"turns_new\":3");
    assertThat(jp("import", "--store", store).out()).contains("0 new or changed");
    assertThat(new Call().run("log", context(first), "--json", "--store", store).out())
        .contains("\"created_at\":\"2026-06-01T10:00:01Z\"");
    add("17800000003-fork", "one", "two", "three");
    assertThat(jp("import", "--store", store, "17800000003", "--json").out())
        .contains("\"turns_new\":1,\"turns_shared\":3");

    assertThat(jp("export", context(first), "-o", out.toString(), "--store", store).status())
        .isZero();
    assertThat(out.resolve("conversations/17800000001-first/events.json")).hasContent(before);
    assertThat(out.resolve("blobs")).doesNotExist();
    assertThat(jp("export", context(first), "-o", out.toString(), "--store", store).status())
        .as("it is there")
        .isEqualTo(2);
  }

  @Test
  void referencesComeBackAsReferencesWithTheirBlobs() throws IOException {
    String store = folder.resolve("store").toString();
    Path out = folder.resolve("out/.jp");
    jp("externalize", "--format", "rfd066");
    String before = events("17800000001-first");

    Call.Result imported = jp("import", "--store", store, ID, "--json");
    assertThat(jp("export", context(imported), "-o", out.toString(), "--store", store).status())
        .isZero();

    assertThat(out.resolve("conversations/17800000001-first/events.json")).hasContent(before);
    try (Stream<Path> files = Files.walk(out)) {
      assertThat(files.filter(file -> file.toString().endsWith(".blob.gz"))).hasSize(2);
    }
  }

  /// The context that the first line of an import's JSON names.
  private static String context(Call.Result imported) {
    return imported.lines().getFirst().replaceFirst(".*\"context_id\":\"([0-9]+)\".*", "$1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"externalize", "show", "gc", "verify"})
  void outsideOfAWorkspaceThereIsNothingToDo(String command) {
    Call.Result result = new Call().run("jp", command, "-w", folder.toString());

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("JP workspace");
  }
}
