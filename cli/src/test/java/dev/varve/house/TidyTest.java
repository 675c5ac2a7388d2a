// SPDX-License-Identifier: Apache-2.0
package dev.varve.house;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The house is tidy; and for each rule there are files that break it and files that only look so.
class TidyTest {

  private static final String SPDX = "// SPDX-License-Identifier: Apache-2.0\n";
  private static final String TEST = "core/src/test/java/dev/varve/hash/HashTest.java";
  private static final String MAIN = "core/src/main/java/dev/varve/hash/Hash.java";
  private static final String DECISION =
      """
      # A thing
      ## Context
      ## Decision
      ## Consequences
      ## Tried and dropped
      ## What would reopen it
      """;

  private static final Map<Tidy, List<Case>> CASES = new EnumMap<>(Tidy.class);
  private static SourceTree ours = new SourceTree(Map.of());

  /// Files, and how many complaints they deserve.
  private record Case(int complaints, Map<String, String> files) {}

  private static void broken(Tidy rule, String path, String content) {
    add(rule, new Case(1, Map.of(path, content)));
  }

  private static void kept(Tidy rule, String path, String content) {
    add(rule, new Case(0, Map.of(path, content)));
  }

  private static void add(Tidy rule, Case each) {
    CASES.computeIfAbsent(rule, ignored -> new ArrayList<>()).add(each);
  }

  static {
    Tidy licence = Tidy.EVERY_SOURCE_NAMES_ITS_LICENCE;
    broken(licence, MAIN, "package dev.varve.hash;\n");
    broken(licence, MAIN, "\n" + SPDX);
    broken(licence, TEST, "// SPDX-License-Identifier: MIT\n");
    kept(licence, MAIN, SPDX + "package dev.varve.hash;\n");
    kept(licence, "README.md", "# Varve\n");

    Tidy print = Tidy.ONLY_PROGRAMS_PRINT;
    broken(print, MAIN, "System.out.println(1);");
    broken(print, TEST, "  System . err.print(1);");
    broken(print, "agents/src/main/java/dev/varve/pi/Pi.java", "e.printStackTrace();");
    kept(print, "cli/src/main/java/dev/varve/cli/Main.java", "System.out.println(1);");
    kept(print, "bench/src/main/java/dev/varve/bench/Bench.java", "System.err.println(1);");
    kept(print, TEST, "public static void main(String[] args) {\nSystem.out.println(1);");
    broken(print, MAIN, "public static void main(String[] args) {\nSystem.out.println(1);");
    kept(print, MAIN, "System.getLogger(\"dev.varve\"); FileSystem.outer();");

    Tidy sleep = Tidy.NO_TEST_SLEEPS;
    broken(sleep, TEST, "Thread.sl" + "eep(10);");
    broken(sleep, TEST, "TimeUnit.SECONDS.sl" + "eep(1);");
    kept(sleep, TEST, "Thread.onSpinWait();");

    Tidy skip = Tidy.NO_TEST_IS_SKIPPED;
    broken(skip, TEST, "@Dis" + "abled");
    broken(skip, TEST, "  @Dis" + "abledOnOs(WINDOWS)");
    broken(skip, TEST, "ass" + "umeTrue(fast);");
    broken(skip, TEST, "Assumptions.ass" + "umingThat(fast, test);");
    kept(skip, TEST, "assertThat(true).isTrue();");

    Tidy wishes = Tidy.WISHES_ARE_NOT_KEPT_IN_FILES;
    broken(wishes, MAIN, "// TO" + "DO: faster");
    broken(wishes, "docs/page.md", "FIX" + "ME");
    broken(wishes, "pom.xml", "<!-- X" + "XX -->");
    broken(wishes, ".ci/run", "# HA" + "CK");
    kept(wishes, MAIN, "// TODOS, hacks and fixmes are words");
    kept(wishes, "fixtures/pi/session.jsonl", "{\"text\":\"TO" + "DO\"}");

    Tidy packages = Tidy.EVERY_PACKAGE_SAYS_WHAT_IT_IS;
    String info = MAIN.replace("Hash.java", "package-info.java");
    String page = SPDX + "/// Hashes.\n@NullMarked\npackage dev.varve.hash;\n";
    broken(packages, MAIN, SPDX);
    broken(packages, TEST, SPDX);
    broken(packages, info, page.replace("@NullMarked\n", ""));
    broken(packages, info, page.replace("/// Hashes.\n", ""));
    add(packages, new Case(1, Map.of(MAIN, SPDX, info.replace("main", "test"), page)));
    add(packages, new Case(0, Map.of(MAIN, SPDX, info, page, TEST, SPDX)));
    add(packages, new Case(0, Map.of(TEST, SPDX, info.replace("main", "test"), page)));

    Tidy links = Tidy.LINKS_IN_PAGES_LEAD_SOMEWHERE;
    broken(links, "README.md", "see [the docs](docs/absent.md)");
    broken(links, "docs/format/a.md", "[b](../b.md)");
    broken(links, "docs/a.md", "[out](../../elsewhere.md)");
    broken(links, "docs/a.md", "![picture](a.png \"a title\")");
    broken(links, "CONTRIBUTING.md", "[`code`](absent#anchor)");
    kept(links, "docs/a.md", "[web](https://example.org/x) [here](#part) [me](a.md#part)");
    kept(links, "docs/a.md", "`[code](absent)`\n```\n[block](absent)\n```\n");
    add(links, new Case(0, Map.of("docs/f/a.md", "[b](../b.md) [f](.) [d](..)", "docs/b.md", "")));

    Tidy decisions = Tidy.DECISIONS_HAVE_THEIR_SHAPE;
    kept(decisions, "docs/decisions/0001-a-thing.md", DECISION);
    kept(decisions, "docs/decisions/README.md", "# Decisions");
    broken(decisions, "docs/decisions/a-thing.md", DECISION);
    for (String heading : DECISION.lines().skip(1).toList()) {
      broken(decisions, "docs/decisions/0001-a-thing.md", DECISION.replace(heading, "## Other"));
    }

    Tidy changes = Tidy.CHANGES_SPEAK_TO_USERS;
    kept(changes, "changes/store.md", "# A store\n\nFor users: it keeps turns.\n");
    kept(changes, "changes/README.md", "One file a change.");
    broken(changes, "changes/store.md", "A store\n\nFor users: it keeps turns.\n");
    broken(changes, "changes/store.md", "# A store\n\nRefactored.\n");
    broken(changes, "changes/store.md", "# A store\n\nFor users: \n");

    Tidy size = Tidy.NO_FILE_IS_LARGE;
    broken(size, "docs/film.mp4", "x".repeat((1 << 20) + 1));
    kept(size, "docs/picture.png", "x".repeat(1 << 20));

    Tidy machines = Tidy.NOTHING_NAMES_A_MACHINE;
    broken(machines, MAIN, "Path.of(\"/ho" + "me/ada/store\")");
    broken(machines, "docs/a.md", "run /ro" + "ot/bin/x");
    broken(machines, ".ci/run", "cd /wo" + "rk/varve");
    broken(machines, "pom.xml", "<url>https://repo.ma" + "ven.apache.org/x</url>");
    broken(machines, "pom.xml", "<url>http://nex" + "us.example.org/x</url>");
    broken(machines, "pi-extension/package-lock.json", "\"https://registry.np" + "mjs.org/a\"");
    kept(machines, "pom.xml", "xmlns=\"http://maven.apache.org/POM/4.0.0\"");
    kept(machines, "pom.xml", "http://maven.apache.org/xsd/maven-4.0.0.xsd");
    kept(machines, "docs/a.md", "look into docs/wo" + "rk/a and ~/home/ and $HOME/" + "root/");
    kept(machines, "fixtures/pi/a.jsonl", "{\"cwd\":\"/ho" + "me/ada\"}");

    Tidy names = Tidy.NAMES_MEAN_SOMETHING;
    broken(names, "core/src/main/java/dev/varve/util/Bytes.java", SPDX);
    broken(names, "core/src/main/java/dev/varve/StoreImpl.java", SPDX);
    broken(names, "core/src/main/java/dev/varve/turn/TurnManager.java", SPDX);
    broken(names, "core/src/main/java/dev/varve/Utils.java", SPDX);
    broken(names, "docs/common.md", "");
    broken(names, "pi-extension/src/git-helper.ts", "");
    kept(names, "core/src/main/java/dev/varve/turn/CommonAncestor.java", SPDX);
    kept(names, "core/src/main/java/dev/varve/turn/Simpl.java", SPDX);

    Tidy twice = Tidy.NO_CLASS_NAME_STANDS_FOR_TWO_THINGS;
    String other = "agents/src/main/java/dev/varve/other/Hash.java";
    add(twice, new Case(1, Map.of(MAIN, SPDX, other, SPDX)));
    add(twice, new Case(0, Map.of(MAIN, SPDX, other.replace("main", "test"), SPDX)));
    add(twice, new Case(0, Map.of(info, SPDX, other.replace("Hash", "package-info"), SPDX)));

    Tidy guesses = Tidy.A_CLASS_NAME_IS_A_TERM_OR_TWO_WORDS;
    broken(guesses, MAIN.replace("Hash", "Shelf"), SPDX);
    kept(guesses, MAIN.replace("Hash", "Store"), SPDX);
    kept(guesses, MAIN.replace("Hash", "BookShelf"), SPDX);
    kept(guesses, TEST.replace("HashTest", "Shelf"), SPDX);

    Tidy halls = Tidy.NO_ROOM_IS_A_HALL;
    Map<String, String> hall = new HashMap<>();
    for (int i = 0; i < 40; i++) {
      hall.put(MAIN.replace("Hash", "Hash" + i), SPDX);
    }
    hall.put(info, SPDX);
    add(halls, new Case(0, Map.copyOf(hall)));
    hall.put(MAIN, SPDX);
    add(halls, new Case(1, Map.copyOf(hall)));

    Tidy wide = Tidy.NO_RECORD_HAS_TEN_COMPONENTS;
    String nine = "record R(int a, int b, int c, int d, int e, int f, int g, int h, ";
    kept(wide, MAIN, nine + "Map<String, List<Integer>> i) {}");
    broken(wide, MAIN, nine + "int i,\n    @Name(a = 1, b = 2) int j)\n    implements X {}");

    Tidy riddles = Tidy.DOC_COMMENTS_BEGIN_WITH_A_NOUN_OR_A_VERB;
    for (String word : List.of("What", "Whoever", "Those", "How", "Whether")) {
      broken(riddles, "cli/src/main/java/dev/varve/house/A.java", "  /// " + word + " a hash is.");
    }
    kept(riddles, "cli/src/main/java/dev/varve/house/A.java", "/// A hash.\n/// What it is.\n");
    kept(riddles, "cli/src/test/java/dev/varve/house/A.java", "/// Whether it is.\n");

    Tidy help = Tidy.HELP_TEXTS_BEGIN_WITH_A_NOUN_OR_A_VERB;
    String command = "cli/src/main/java/dev/varve/cli/store/LogCommand.java";
    broken(help, command, "@Command(\n    description = {\n      \"Tells a turn.\",");
    broken(help, command, "@Option(names = \"-n\", description = \"How many.\")");
    broken(help, command, "@Parameters(description =\n    \"Its number.\")");
    kept(help, command, "description = \"Shows a turn, and what it is.\"");
    kept(help, MAIN, "description = \"What it is.\"");

    Tidy messages = Tidy.MESSAGES_REPORT_AND_DO_NOT_TELL;
    broken(messages, MAIN, "say(\"the status t" + "ells more\");");
    broken(messages, MAIN, "say(\"as t" + "old before\");");
    kept(messages, MAIN, "say(\"reported\"); // as told");
    kept(messages, TEST, "say(\"as t" + "old\");");
  }

  @BeforeAll
  static void readTheTree() throws Exception {
    ours = SourceTree.tracked(Path.of(System.getProperty("root.dir")));
  }

  @Test
  void theTreeIsTheWholeProject() {
    assertThat(ours.files())
        .containsKeys("pom.xml", "core/src/main/java/dev/varve/Store.java", "docs/ARCHITECTURE.md");
    assertThat(ours.java()).hasSizeGreaterThan(50);
    assertThat(ours.paths(".*/target/.*")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void theHouseIsTidy(Tidy rule) {
    assertThat(rule.complaints(ours)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void whatBreaksTheRuleIsNoticedAndWhatKeepsItIsNot(Tidy rule) {
    List<Case> cases = CASES.getOrDefault(rule, List.of());

    assertThat(cases).extracting(each -> each.complaints() > 0).contains(true, false);
    for (Case each : cases) {
      Map<String, byte[]> files = new HashMap<>();
      each.files().forEach((path, content) -> files.put(path, content.getBytes(UTF_8)));
      assertThat(rule.complaints(new SourceTree(files)))
          .as("%s", each)
          .hasSize(each.complaints())
          .allMatch(complaint -> each.files().keySet().stream().anyMatch(isAbout(complaint)));
    }
  }

  /// Whether a complaint names a file or its folder.
  private static Predicate<String> isAbout(String complaint) {
    return path ->
        complaint.startsWith(path)
            || complaint.startsWith(path.substring(0, Math.max(0, path.lastIndexOf('/'))) + ":");
  }

  @Test
  void noListOfNamesHasAnEntryThatNothingNeeds() {
    assertThat(NameRules.staleEntries(ours)).isEmpty();
    assertThat(NameRules.staleEntries(new SourceTree(Map.of()))).contains("Store", "Batch");
  }

  @Test
  void filesAreShort() {
    List<Long> lines =
        ours.paths("\\w+/src/main/java/.*\\.java").stream()
            .map(path -> ours.text(path).lines().count())
            .sorted()
            .toList();

    assertThat(lines.get(lines.size() / 2)).as("median").isLessThanOrEqualTo(85);
    assertThat(lines.get(lines.size() * 9 / 10)).as("p90").isLessThanOrEqualTo(225);
  }

  @Test
  void aComplaintTellsTheLine() {
    Map<String, byte[]> files = Map.of(TEST, "\n\n  @Dis-\n@Disa".concat("bled\n").getBytes(UTF_8));

    assertThat(Tidy.NO_TEST_IS_SKIPPED.complaints(new SourceTree(files)))
        .containsExactly(TEST + ":4: @Disa" + "bled");
  }

  @Test
  void bytesThatAreNoTextAreNotRead() {
    byte[] bytes = ("\0" + "TO" + "DO").getBytes(UTF_8);

    assertThat(
            Tidy.WISHES_ARE_NOT_KEPT_IN_FILES.complaints(
                new SourceTree(Map.of("docs/picture.png", bytes))))
        .isEmpty();
    assertThat(Arrays.asList(Tidy.values())).hasSize(CASES.size());
  }
}
