// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.ContextId;
import dev.varve.EraseRequest;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DurationText;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.store.ContextFilter;
import dev.varve.disk.FileAccess;
import dev.varve.files.RegularFile;
import dev.varve.files.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The rules of retention of a store, in the file `retention.rules` of the store's folder, or of
/// the folder that this machine has of a store in a database: one line a rule, its age and its
/// project with a tab between.
public final class RetentionRules {

  /// The sentence where there are no rules.
  static final String NONE = "no rules: 'varve retention set' makes one";

  private static final String FILE = "retention.rules";
  private static final String AGE = "[1-9][0-9]{0,5}[hdw]";

  /// The most rules of a store.
  private static final int RULES_MAX = 1000;

  private static final ReentrantLock THREADS = new ReentrantLock();

  private final Path file;

  RetentionRules(Path storeFolder) {
    this.file = storeFolder.resolve(FILE);
  }

  /// The rules of the store that a command is about.
  ///
  /// @throws StoreException.NoStore if there is none: rules are for a store that is there
  static RetentionRules of(CommandSession command) {
    Path folder = command.storeFolder();
    if (!Files.exists(command.access().root())) {
      command.openExisting().close();
    }
    return new RetentionRules(folder);
  }

  /// A rule.
  ///
  /// @param olderThan the age from which on a conversation goes: `400d`
  /// @param project empty for all projects
  record Rule(String olderThan, String project) {

    /// The rule that the arguments of the command ask for.
    ///
    /// @param project as the user typed it; null for all projects
    /// @throws CommandException if the age is none, or the project cannot be one
    static Rule of(String olderThan, @Nullable String project) {
      if (!olderThan.matches(AGE)) {
        throw new CommandException(
            ExitCodes.USAGE,
            "--older-than: expected an age, found '" + olderThan + "'",
            "For instance --older-than 400d, 12w or 48h.");
      }
      return new Rule(olderThan, RetentionRules.project(project));
    }

    private OldConversations.Age age(Instant now) {
      return new OldConversations.Age(
          now.minus(DurationText.parse("--older-than", olderThan)), project);
    }

    /// The rule in words.
    String words() {
      return (project.isEmpty() ? "all projects" : "project " + project)
          + ": older than "
          + olderThan;
    }
  }

  /// The erasure that the rules in a store's folder ask for at a time, but for what holds keep;
  /// empty if no conversation is old enough.
  ///
  /// @throws CommandException if the file of rules is damaged
  public static Optional<EraseRequest> due(Path storeFolder, Store store, Instant now) {
    return request(new RetentionRules(storeFolder).all(), store, now);
  }

  /// The erasure that rules ask for at a time, but for what holds keep; empty if no conversation is
  /// old enough.
  static Optional<EraseRequest> request(List<Rule> rules, Store store, Instant now) {
    Set<ContextId> old =
        new OldConversations(store).find(rules.stream().map(rule -> rule.age(now)).toList());
    return old.isEmpty()
        ? Optional.empty()
        : Optional.of(new EraseRequest(old, Set.of(), List.of()).leavingHeld());
  }

  /// The project of a rule. A path becomes a whole path, because the rules are applied from any
  /// folder.
  ///
  /// @param typed as the user typed it; null for all projects
  /// @throws CommandException if it is empty, as the value of an unset variable is, or cannot be
  ///   one
  static String project(@Nullable String typed) {
    if (typed == null) {
      return "";
    }
    if (typed.isBlank() || !isLine(typed)) {
      throw badProject(typed);
    }
    try {
      return ContextFilter.isPath(typed)
          ? Path.of(typed).toAbsolutePath().normalize().toString()
          : typed;
    } catch (InvalidPathException e) {
      throw badProject(typed);
    }
  }

  private static CommandException badProject(String typed) {
    return new CommandException(
        ExitCodes.USAGE,
        "--project: expected a project, found '" + typed + "'",
        "For instance --project shop, or --project /projects/shop.");
  }

  private static boolean isLine(String text) {
    return text.chars().noneMatch(Character::isISOControl);
  }

  /// All rules, in the order in which they were set.
  ///
  /// @throws CommandException if the file has other lines
  List<Rule> all() {
    List<Rule> rules = new ArrayList<>();
    for (String line : text().lines().toList()) {
      String[] parts = line.split("\t", -1);
      if (parts.length != 2
          || !parts[0].matches(AGE)
          || !isKept(parts[1])
          || rules.size() == RULES_MAX) {
        throw new CommandException(
            ExitCodes.DAMAGED,
            file + ": line " + (rules.size() + 1) + ": expected an age and a project",
            "Delete the file and set the rules again with 'varve retention set'.");
      }
      rules.add(new Rule(parts[0], parts[1]));
    }
    return rules;
  }

  /// Returns whether a rule may have this project. A path that depends on the folder of a process
  /// would choose other conversations in each.
  private static boolean isKept(String project) {
    return isLine(project) && (!ContextFilter.isPath(project) || Path.of(project).isAbsolute());
  }

  private String text() {
    try (InputStream in = RegularFile.read(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return "";
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
    Path lock = file.resolveSibling(FILE + ".lock");
    THREADS.lock();
    try (FileChannel channel = RegularFile.open(made(lock), StandardOpenOption.WRITE)) {
      channel.lock(); // until the channel is closed
      List<Rule> rules = all();
      change.accept(rules);
      write(rules);
    } catch (IOException e) {
      throw new StoreException.Io(lock.toString(), "cannot be written", e);
    } finally {
      THREADS.unlock();
    }
  }

  private static Path made(Path lock) throws IOException {
    try {
      return Files.createFile(lock, FileAccess.OWNER_ONLY.ofFile(lock));
    } catch (FileAlreadyExistsException e) {
      return lock;
    }
  }

  private void write(List<Rule> rules) {
    StringBuilder text = new StringBuilder();
    rules.forEach(
        rule -> text.append(rule.olderThan()).append('\t').append(rule.project()).append('\n'));
    WholeFile.at(file).with(FileAccess.OWNER_ONLY).replace(text.toString());
  }
}
