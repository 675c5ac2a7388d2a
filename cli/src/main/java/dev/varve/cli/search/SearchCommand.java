// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.search;

import dev.varve.Store;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.CountArgument;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.search.FollowLimit;
import dev.varve.search.SearchPage;
import dev.varve.search.SearchRequest;
import dev.varve.search.StoreSearch;
import dev.varve.search.query.PastedText;
import dev.varve.search.query.SearchParser;
import dev.varve.search.query.SearchQuery;
import dev.varve.search.query.SearchQuery.Filter;
import dev.varve.search.query.SearchQuery.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve search`
@Command(
    name = "search",
    description = "Finds turns by their words, in every conversation of the store.",
    footer = {
      "  varve search connection pool exhausted     all of these words",
      "  varve search '\"pool exhausted\"' --since 2w  a phrase, in the last two weeks",
      "  varve search 'path:jwt.py role:command exit:!0'",
      "                                             commands that failed on a file",
      "  varve search --snippet < paste.txt         where a text comes from",
      "  varve search 5734f632                      a turn by its hash or id"
    })
final class SearchCommand implements Callable<Integer> {

  private static final Duration FOLLOWING_MAX = Duration.ofMinutes(10);

  /// The most of a pasted text that is read, in bytes.
  private static final int PASTED_BYTES_MAX = 4 << 20;

  private final CommandSession command;

  @Parameters(
      arity = "0..*",
      paramLabel = "WORDS",
      description = "Words that a text must have; filters such as tool:bash.")
  private List<String> words = new ArrayList<>();

  @Mixin private final SearchFilters filters = new SearchFilters();

  @Option(
      names = "-n",
      paramLabel = "N",
      converter = CountArgument.class,
      description = "The number of texts to list (default: ${DEFAULT-VALUE}).")
  private int limit = 20;

  @Option(
      names = "--cursor",
      paramLabel = "CURSOR",
      description = "Goes on after the texts of an earlier answer.")
  private @Nullable String cursor;

  @Option(
      names = "--snippet",
      description = "Finds the texts that contain parts of standard input.")
  private boolean snippet;

  @Mixin private final JsonOption output = new JsonOption();

  SearchCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    SearchRequest request =
        new SearchRequest(query(), limit, cursor, terminal.clock().instant(), terminal.zone());
    SearchPage page;
    try (Store store = command.openExisting();
        StoreSearch search = StoreSearch.open(command.storeFolder(), store)) {
      follow(search, terminal);
      page = search.search(request);
    }
    if (output.json()) {
      SearchOutput.json(page, terminal);
    } else {
      SearchOutput.print(page, terminal);
    }
    remark(page, terminal);
    return ExitCodes.OK;
  }

  private SearchQuery query() {
    List<Filter> given = filters.all();
    if (snippet) {
      if (!words.isEmpty()) {
        throw new CommandException(
            ExitCodes.USAGE, "--snippet: expected the text on standard input, and no words", null);
      }
      return new SearchQuery(PastedText.words(pasted()), given);
    }
    if (words.isEmpty() && !given.isEmpty()) {
      return new SearchQuery(new Words.Everything(), given);
    }
    SearchQuery query = SearchParser.parse(String.join(" ", words));
    List<Filter> all = new ArrayList<>(query.filters());
    all.addAll(given);
    return new SearchQuery(query.words(), all);
  }

  private String pasted() {
    try {
      byte[] bytes = command.terminal().in().readNBytes(PASTED_BYTES_MAX);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void follow(StoreSearch search, Terminal terminal) {
    AtomicReference<String> done = new AtomicReference<>("indexing new turns");
    FollowLimit limit =
        FollowLimit.within(
            FOLLOWING_MAX,
            (turns, all) ->
                done.set("indexing new turns, " + HumanText.percent(turns, Math.max(all, 1))));
    try (ProgressIndicator _ = ProgressIndicator.on(done::get, terminal)) {
      search.follow(limit);
    }
  }

  private static void remark(SearchPage page, Terminal terminal) {
    if (!page.coverage().isWhole()) {
      terminal.say(
          "Only "
              + HumanText.number(page.coverage().turns())
              + " of "
              + HumanText.count(page.coverage().turnsAll(), "turn")
              + " are indexed so far.");
    }
    if (page.hits().isEmpty()) {
      terminal.say("Nothing found. All words must stand in one text; word* finds beginnings.");
    } else if (page.next() != null) {
      terminal.say("There are more of " + HumanText.count(page.total(), "text") + ":");
      terminal.say("  --cursor " + page.next());
    }
  }
}
