// SPDX-License-Identifier: Apache-2.0
package dev.varve.house;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The rules of a tidy house. Each says where it is broken: `path: what`, or `path:line: what`.
///
/// A pattern here is written so that it does not match itself.
enum Tidy {
  EVERY_SOURCE_NAMES_ITS_LICENCE(
      tree ->
          tree.java().stream()
              .filter(path -> !tree.text(path).startsWith(Tidy.SPDX + "\n"))
              .map(path -> path + ": the first line is not " + Tidy.SPDX)
              .toList()),

  ONLY_PROGRAMS_PRINT(
      tree ->
          tree.find(
              tree.java().stream().filter(path -> !isProgram(tree, path)).toList(),
              Pattern.compile("\\bSystem\\s*\\.\\s*(out|err)\\b|\\.printStackTrace\\(\\)"))),

  NO_TEST_SLEEPS(
      tree ->
          tree.find(
              tree.paths(".*/src/test/.*\\.java"),
              Pattern.compile("\\bThread\\.sl[e]ep\\b|\\bTimeUnit\\.\\w+\\.sl[e]ep\\b"))),

  NO_TEST_IS_SKIPPED(
      tree ->
          tree.find(
              tree.paths(".*/src/test/.*\\.java"),
              Pattern.compile("@Dis[a]bled\\w*|\\bass[u]m(e|ing)(True|False|That)\\b"))),

  WISHES_ARE_NOT_KEPT_IN_FILES(
      tree -> tree.find(ourTexts(tree), Pattern.compile("\\b(T[O]DO|F[I]XME|X[X]X|H[A]CK)\\b"))),

  EVERY_PACKAGE_SAYS_WHAT_IT_IS(Tidy::undescribedPackages),

  LINKS_IN_PAGES_LEAD_SOMEWHERE(Tidy::deadLinks),

  DECISIONS_HAVE_THEIR_SHAPE(Tidy::shapelessDecisions),

  CHANGES_SPEAK_TO_USERS(Tidy::shapelessChanges),

  NO_FILE_IS_LARGE(
      tree ->
          tree.files().entrySet().stream()
              .filter(file -> file.getValue().length > Tidy.SIZE_BYTES_MAX)
              .map(file -> file.getKey() + ": " + file.getValue().length + " bytes")
              .toList()),

  NOTHING_NAMES_A_MACHINE(Tidy::machines),

  NAMES_MEAN_SOMETHING(Tidy::emptyNames),

  NO_CLASS_NAME_STANDS_FOR_TWO_THINGS(NameRules::twice),

  A_CLASS_NAME_IS_A_TERM_OR_TWO_WORDS(NameRules::guesses),

  NO_ROOM_IS_A_HALL(NameRules::halls),

  NO_RECORD_HAS_TEN_COMPONENTS(NameRules::wideRecords),

  DOC_COMMENTS_BEGIN_WITH_A_NOUN_OR_A_VERB(NameRules::riddles),

  HELP_TEXTS_BEGIN_WITH_A_NOUN_OR_A_VERB(Tidy::vagueHelpTexts),

  MESSAGES_REPORT_AND_DO_NOT_TELL(
      tree ->
          tree.find(
              tree.paths("\\w+/src/main/java/.*\\.java"),
              Pattern.compile("\"[^\"]*\\b([Tt]ells?|t[o]ld)\\b[^\"]*\"")));

  private static final String SPDX = "// SPDX-License-Identifier: Apache-2.0";

  /// The first words of the description of a command, an option or an argument that let a reader
  /// guess what is described.
  private static final Pattern VAGUE_HELP =
      Pattern.compile(
          "\\bdescription\\s*=\\s*\\{?\\s*\"(What|Whoever|Those|How|Whether|That|Who|Whose|Where|Which"
              + "|Its?|Such|Of|Tells?|Says?)\\b[^\"]*\"");

  private static final int SIZE_BYTES_MAX = 1 << 20;

  /// Folders of somebody's machine, and hosts that packages come from. Names of XML schemas are no
  /// hosts.
  private static final Pattern MACHINES =
      Pattern.compile(
          "(?<![\\w.~}-])/(home|root|work)/"
              + "|https?://(?!maven\\.apache\\.org/(POM|xsd|SETTINGS)/)"
              + "[\\w.-]*(maven|npmjs|pypi|nexus|artifactory|jfrog)[\\w.-]*"
              + "|\\b(repo1?\\.maven|registry\\.npmjs|registry\\.yarnpkg)\\.");

  private static final Set<String> EMPTY_WORDS =
      Set.of("util", "utils", "common", "impl", "manager", "helper", "helpers");

  private static final List<String> DECISION_HEADINGS =
      List.of(
          "## Context",
          "## Decision",
          "## Consequences",
          "## Tried and dropped",
          "## What would reopen it");

  private static final Pattern LINK =
      Pattern.compile("\\]\\(<?([^)\\s>]+)>?(?:\\s+\"[^\"]*\")?\\)");

  private final Function<SourceTree, List<String>> rule;

  Tidy(Function<SourceTree, List<String>> rule) {
    this.rule = rule;
  }

  List<String> complaints(SourceTree tree) {
    return rule.apply(tree);
  }

  /// Fixtures are bytes of others, with their paths and their words.
  private static boolean isOurText(String path) {
    return !path.matches("(.*/)?fixtures/.*|.*/src/test/resources/.*");
  }

  /// The command, the benchmarks, and what tests start as a process of its own to read what it
  /// prints.
  private static boolean isProgram(SourceTree tree, String path) {
    return path.matches("(cli|bench)/.*")
        || path.contains("/src/test/") && tree.text(path).contains(" static void main(");
  }

  private static List<String> ourTexts(SourceTree tree) {
    return tree.files().keySet().stream().filter(Tidy::isOurText).filter(tree::isText).toList();
  }

  private static List<String> machines(SourceTree tree) {
    return tree.find(ourTexts(tree), MACHINES);
  }

  private static List<String> undescribedPackages(SourceTree tree) {
    List<String> complaints = new ArrayList<>();
    Set<String> folders = new TreeSet<>();
    for (String path : tree.paths(".*/src/(main|test)/java/.+/[^/]+\\.java")) {
      folders.add(path.substring(0, path.lastIndexOf('/')));
    }
    for (String folder : folders) {
      // The tests of a package stand in the same package, and are described with it.
      String page =
          Stream.of(folder, folder.replace("/src/test/", "/src/main/"))
              .map(each -> tree.text(each + "/package-info.java"))
              .filter(text -> !text.isEmpty())
              .findFirst()
              .orElse("");
      if (page.isEmpty()) {
        complaints.add(folder + ": no package-info.java");
      } else if (!page.contains("\n@NullMarked\n")) {
        complaints.add(folder + ": package-info.java without @NullMarked");
      } else if (!page.contains("\n/// ")) {
        complaints.add(folder + ": package-info.java says nothing");
      }
    }
    return complaints;
  }

  private static List<String> vagueHelpTexts(SourceTree tree) {
    List<String> complaints = new ArrayList<>();
    for (String path : tree.paths("cli/src/main/java/.*\\.java")) {
      Matcher texts = VAGUE_HELP.matcher(tree.text(path));
      while (texts.find()) {
        complaints.add(path + ": a help text begins with '" + texts.group(1) + "'");
      }
    }
    return complaints;
  }

  private static List<String> deadLinks(SourceTree tree) {
    List<String> complaints = new ArrayList<>();
    for (String page : tree.paths("docs/.*\\.md|README\\.md|CONTRIBUTING\\.md")) {
      Matcher links = LINK.matcher(withoutCode(tree.text(page)));
      while (links.find()) {
        String link = links.group(1);
        if (link.matches("[a-z]+:.*|#.*")) {
          continue;
        }
        String target = resolved(page, link.replaceFirst("#.*", ""));
        if (target.startsWith("..") || !tree.has(target)) {
          complaints.add(page + ": " + link + " leads nowhere");
        }
      }
    }
    return complaints;
  }

  private static String withoutCode(String page) {
    return page.replaceAll("(?ms)^```.*?^```", "").replaceAll("`[^`\n]*`", "");
  }

  /// Where a relative link on a page leads, from the root.
  private static String resolved(String page, String link) {
    List<String> steps = new ArrayList<>(List.of(page.split("/")));
    steps.removeLast();
    for (String step : link.split("/")) {
      if (step.equals("..") && !steps.isEmpty() && !steps.getLast().equals("..")) {
        steps.removeLast();
      } else if (!step.isEmpty() && !step.equals(".")) {
        steps.add(step);
      }
    }
    return String.join("/", steps);
  }

  private static List<String> shapelessDecisions(SourceTree tree) {
    List<String> complaints = new ArrayList<>();
    for (String page : tree.paths("docs/decisions/(?!README\\.md).*")) {
      if (!page.matches("docs/decisions/\\d{4}-[a-z0-9-]+\\.md")) {
        complaints.add(page + ": expected a name like 0001-one-thing.md");
        continue;
      }
      List<String> headings =
          tree.text(page).lines().map(String::strip).filter(l -> l.startsWith("## ")).toList();
      for (String heading : DECISION_HEADINGS) {
        if (!headings.contains(heading)) {
          complaints.add(page + ": no heading '" + heading + "'");
        }
      }
    }
    return complaints;
  }

  private static List<String> shapelessChanges(SourceTree tree) {
    List<String> complaints = new ArrayList<>();
    for (String page : tree.paths("changes/(?!README\\.md).*\\.md")) {
      if (!tree.text(page).matches("(?s)# \\S.*")) {
        complaints.add(page + ": does not start with a title");
      }
      if (tree.find(List.of(page), Pattern.compile("^For users: \\S")).isEmpty()) {
        complaints.add(page + ": no line 'For users: ...'");
      }
    }
    return complaints;
  }

  private static List<String> emptyNames(SourceTree tree) {
    List<String> complaints = new ArrayList<>();
    for (String path : tree.files().keySet()) {
      if (!isOurText(path)) {
        continue;
      }
      String[] segments = path.split("/");
      for (int i = 0; i < segments.length; i++) {
        boolean isFile = i == segments.length - 1;
        String name = isFile ? segments[i].replaceFirst("\\..*", "") : segments[i];
        // The last word of a name says what the thing is: a StoreManager, but not a CommonAncestor.
        String lastWord = name.replaceFirst(".*(?:[-_.]|(?<=[a-z0-9])(?=[A-Z]))", "");
        if (EMPTY_WORDS.contains(lastWord.toLowerCase(Locale.ROOT))) {
          complaints.add(path + ": '" + segments[i] + "' says nothing");
        }
      }
    }
    return complaints;
  }
}
