// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import dev.varve.files.RegularFile;
import dev.varve.files.WholeFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// The rules of retention of a store, in the file `retention.rules` of the store's folder: one line
/// a rule, its age and its project with a tab between.
final class RetentionRules {

  private static final String FILE = "retention.rules";
  private static final String AGE = "[1-9][0-9]{0,5}[hdw]";

  /// The most rules of a store.
  private static final int RULES_MAX = 1000;

  private static final ReentrantLock THREADS = new ReentrantLock();

  private final Path file;

  RetentionRules(Path storeFolder) {
    this.file = storeFolder.resolve(FILE);
  }

  /// A rule.
  ///
  /// @param olderThan the age from which on a conversation goes: `400d`
  /// @param project empty for all projects
  record Rule(String olderThan, String project) {

    /// @throws CommandException if the age is none, or the project is more than a line
    Rule {
      if (!olderThan.matches(AGE) || project.chars().anyMatch(Character::isISOControl)) {
        throw new CommandException(
            ExitCodes.USAGE,
            "retention: expected an age and a project of one line, found '" + olderThan + "'",
            "For instance --older-than 400d, 12w or 48h.");
      }
    }

    /// The rule in words.
    String words() {
      return (project.isEmpty() ? "all projects" : "project " + project)
          + ": older than "
          + olderThan;
    }
  }

  /// All rules, in the order in which they were set.
  ///
  /// @throws StoreException.Corrupt if the file has other lines
  List<Rule> all() {
    List<Rule> rules = new ArrayList<>();
    if (!Files.exists(file)) {
      return rules;
    }
    try {
      for (String line : Files.readString(file, StandardCharsets.UTF_8).lines().toList()) {
        String[] parts = line.split("\t", -1);
        if (parts.length != 2 || !parts[0].matches(AGE) || rules.size() == RULES_MAX) {
          throw new StoreException.Corrupt(FILE, 0, "an age and a project", "'" + line + "'");
        }
        rules.add(new Rule(parts[0], parts[1]));
      }
      return rules;
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
  }

  /// Sets a rule in the place of the project's former one. Durable when this returns.
  ///
  /// @throws StoreException.TooLarge if there are too many
  void set(Rule rule) {
    change(
        rules -> {
          rules.removeIf(other -> other.project().equals(rule.project()));
          rules.add(rule);
          if (rules.size() > RULES_MAX) {
            throw new StoreException.TooLarge("rules of retention", rules.size(), RULES_MAX);
          }
        });
  }

  /// Removes the rule of a project.
  ///
  /// @throws StoreException.NotFound if there is none
  void remove(String project) {
    change(
        rules -> {
          if (!rules.removeIf(rule -> rule.project().equals(project))) {
            throw new StoreException.NotFound(
                "rule of retention",
                project.isEmpty() ? "for all projects" : "for project " + project);
          }
        });
  }

  /// Changes the rules while no other process and no other thread does: whoever reads, changes and
  /// writes at the same time would undo the change of another.
  private void change(Consumer<List<Rule>> change) {
    THREADS.lock();
    try (FileChannel channel =
        RegularFile.open(
            file.resolveSibling(FILE + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE)) {
      channel.lock(); // until the channel is closed
      List<Rule> rules = all();
      change.accept(rules);
      write(rules);
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be written", e);
    } finally {
      THREADS.unlock();
    }
  }

  private void write(List<Rule> rules) {
    StringBuilder text = new StringBuilder();
    rules.forEach(
        rule -> text.append(rule.olderThan()).append('\t').append(rule.project()).append('\n'));
    WholeFile.at(file).replace(text.toString());
  }
}
