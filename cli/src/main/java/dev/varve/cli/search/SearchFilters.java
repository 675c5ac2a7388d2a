// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.search;

import dev.varve.search.query.SearchField;
import dev.varve.search.query.SearchQuery.Filter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The filters that have an option of their own. Each is the same as the filter of that name in the
/// query.
final class SearchFilters {

  @Option(
      names = "--agent",
      paramLabel = "NAME",
      description = "Only conversations of this agent, for instance pi.")
  private @Nullable String agent;

  @Option(
      names = "--project",
      paramLabel = "NAME",
      description =
          "Only conversations of this project: the name of its folder, or the whole path.")
  private @Nullable String project;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only turns since this time: 12h, 7d, 2026-11-27.")
  private @Nullable String since;

  @Option(names = "--until", paramLabel = "TIME", description = "Only turns before this time.")
  private @Nullable String until;

  List<Filter> all() {
    List<Filter> filters = new ArrayList<>();
    add(SearchField.AGENT, agent, filters);
    add(SearchField.PROJECT, project, filters);
    add(SearchField.SINCE, since, filters);
    add(SearchField.UNTIL, until, filters);
    return filters;
  }

  private static void add(SearchField field, @Nullable String value, List<Filter> filters) {
    if (value != null) {
      filters.add(new Filter(field, value, false, 1));
    }
  }
}
