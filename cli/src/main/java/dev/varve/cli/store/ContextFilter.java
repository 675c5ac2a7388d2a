// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.cli.session.TimeArgument;
import dev.varve.cli.terminal.Terminal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that choose contexts by their descriptions and their times.
public final class ContextFilter {

  @Option(
      names = "--agent",
      paramLabel = "NAME",
      description = "Only conversations of this agent, for instance pi.")
  private @Nullable String agent;

  @Option(
      names = "--project",
      paramLabel = "PROJECT",
      description = "Only conversations of this project: the name of its folder, or a path.")
  private @Nullable String project;

  @Option(
      names = "--title",
      paramLabel = "TEXT",
      description = "Only conversations whose title contains this text.")
  private @Nullable String title;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only conversations active since this time: 12h, 7d, 2026-11-27.")
  private @Nullable String since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Only conversations last active before this time.")
  private @Nullable String until;

  private Instant earliest = Instant.MIN;
  private Instant end = Instant.MAX;

  /// Reads the times. To be called once, before the first context is looked at.
  void prepare(Terminal terminal) {
    earliest = since == null ? earliest : TimeArgument.parse("--since", since, terminal);
    end = until == null ? end : TimeArgument.parse("--until", until, terminal);
  }

  /// Returns whether any option was given.
  boolean isGiven() {
    return agent != null || project != null || title != null || since != null || until != null;
  }

  /// The earliest time that [#matchesTime] accepts.
  Instant earliest() {
    return earliest;
  }

  boolean matchesTime(Instant activeAt) {
    return !activeAt.isBefore(earliest) && activeAt.isBefore(end);
  }

  boolean matches(ContextDescription about) {
    return (agent == null || agent.equalsIgnoreCase(about.agent()))
        && (title == null || lower(about.title()).contains(lower(title)))
        && (project == null || isProject(project, about));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /// Returns whether a project was given as a path rather than by its folder's name.
  public static boolean isPath(String project) {
    return project.startsWith(".") || project.indexOf('/') >= 0 || project.indexOf('\\') >= 0;
  }

  /// A name is compared with the folder's last name; a path with the folder and the folders above.
  public static boolean isProject(String wanted, ContextDescription about) {
    if (about.folder().isEmpty()) {
      return false;
    }
    if (!isPath(wanted)) {
      return wanted.equalsIgnoreCase(about.project());
    }
    try {
      return Path.of(about.folder())
          .normalize()
          .startsWith(Path.of(wanted).toAbsolutePath().normalize());
    } catch (InvalidPathException e) {
      return false; // a folder of another system
    }
  }
}
