// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.imports.StrictJson;
import dev.varve.rewind.Repo;
import dev.varve.rewind.pi.RestoreMenu.Option;
import dev.varve.rewind.pi.RestoreMenu.Place;
import dev.varve.rewind.pi.SessionNavigation.Chosen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/// Pi as far as snapshots go: a session with its file, its tree and its leaf, and the order in
/// which Pi tells of things. At a turn's beginning its entries are not there yet; at its end they
/// are.
final class FakePi {

  /// Something that an agent or a user does to files.
  interface Edit {
    void run() throws IOException;
  }

  private static int sessions;

  final Repo repo;
  final Path file;
  final String id;
  private final @Nullable Path parent;
  private final List<String> lines = new ArrayList<>();
  private final List<SessionEntry> untold = new ArrayList<>();
  private int entries;
  @Nullable String leaf;
  LiveSession live;
  SessionNavigation moves;

  private FakePi(Repo repo, Path folder, @Nullable Path parent, int entries) {
    this.repo = repo;
    this.id = String.format("01a21ebe-%04d", ++sessions);
    this.file = folder.resolve(id + ".jsonl");
    this.parent = parent;
    this.entries = entries;
    this.live = LiveSession.open(repo.rewind(), start("new"));
    this.moves = new SessionNavigation(live);
  }

  static FakePi in(Repo repo) throws IOException {
    Path folder = Files.createDirectories(repo.root().resolveSibling("sessions"));
    FakePi pi = new FakePi(repo, folder, null, 0);
    pi.header();
    pi.open("new");
    return pi;
  }

  private void header() throws IOException {
    String link = parent == null ? "" : ",\"parentSession\":\"" + parent.toString() + "\"";
    line(
        "{\"type\":\"session\",\"version\":3,\"id\":\""
            + id
            + "\",\"timestamp\":\"2026-11-28T05:00:00.000Z\",\"cwd\":\""
            + repo.root()
            + "\""
            + link
            + "}");
  }

  private void line(String line) throws IOException {
    lines.add(line);
    Files.writeString(
        file, line + "\n", UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private SessionStart start(String reason) {
    String named = parent == null ? null : parent.toString();
    return new SessionStart(file, id, named, named, reason, List.of());
  }

  /// Opens the session in a process of its own.
  FakePi open(String reason) throws IOException {
    live = LiveSession.open(repo.rewind(), start(reason));
    moves = new SessionNavigation(live);
    untold.clear();
    did(live.begin());
    return this;
  }

  /// Appends an entry below the leaf.
  String entry(String fields) throws IOException {
    String entry = String.format("%08x", ++entries * 0x01000193);
    String above = leaf == null ? "null" : "\"" + leaf + "\"";
    String line =
        "{" + fields + ",\"id\":\"" + entry + "\",\"parentId\":" + above + ",\"timestamp\":\"t\"}";
    line(line);
    leaf = entry;
    untold.add(parsed(line));
    return entry;
  }

  static SessionEntry parsed(String line) {
    byte[] bytes = line.getBytes(UTF_8);
    try (JsonParser json = StrictJson.parser(bytes, 0, bytes.length)) {
      json.nextToken();
      SessionEntry entry = SessionEntry.read(json);
      if (entry == null) {
        throw new AssertionError(line);
      }
      return entry;
    }
  }

  String message(String role) throws IOException {
    return entry("\"type\":\"message\",\"message\":{\"role\":\"" + role + "\",\"content\":[]}");
  }

  /// Does what an answer wants.
  SessionReply did(SessionReply reply) throws IOException {
    for (SessionReply.Appended mark : reply.append()) {
      entry(
          "\"type\":\"custom\",\"customType\":\""
              + mark.customType()
              + "\",\"data\":"
              + mark.data());
    }
    return reply;
  }

  void declare() {
    live.declare(untold);
    untold.clear();
  }

  SessionReply began() throws IOException {
    declare();
    return did(live.prompt(leaf));
  }

  /// A turn with one tool; its end is told.
  String turn(Edit work) throws IOException {
    String said = message("assistant");
    work.run();
    message("toolResult");
    declare();
    did(live.turnEnd(leaf, said, false));
    return said;
  }

  void ended() throws IOException {
    declare();
    did(live.agentEnd(leaf));
  }

  /// A prompt and the turns that answer it.
  ///
  /// @return the user's message
  String prompt(Edit... turns) throws IOException {
    began();
    String user = message("user");
    for (Edit turn : turns) {
      turn(turn);
    }
    ended();
    return user;
  }

  RestoreMenu forkMenu(String entry) {
    declare();
    return moves.fork(entry, false, leaf);
  }

  /// A fork before a user's message.
  ///
  /// @return the session that came of it; this one if Pi was kept from forking
  FakePi fork(String user, Option option) throws IOException {
    declare();
    Chosen chosen = moves.choose(Place.FORK, user, option, leaf);
    did(chosen.reply());
    return chosen.cancel() ? this : copy(log().find(user).parent());
  }

  /// The session up to an entry, as one of its own.
  FakePi copy(@Nullable String to) throws IOException {
    FakePi child = new FakePi(repo, file.getParent(), file, entries);
    child.header();
    List<String> path = new ArrayList<>();
    for (SessionEntry entry : log().up(to)) {
      path.add(entry.id());
    }
    for (String line : lines.subList(1, lines.size())) {
      String its = parsed(line).id();
      if (path.contains(its)) {
        child.line(line);
        child.leaf = its;
      }
    }
    return child.open("fork");
  }

  /// A step to an entry of the tree; of a user's message, in front of it.
  Chosen tree(String entry, Option option) throws IOException {
    declare();
    Chosen chosen = moves.choose(Place.TREE, entry, option, leaf);
    did(chosen.reply());
    if (!chosen.cancel()) {
      SessionEntry to = log().find(entry);
      leaf = to.kind() == dev.varve.pi.session.EntryKind.USER ? to.parent() : entry;
      did(moves.arrived(null, leaf));
    }
    return chosen;
  }

  /// The session as its file says.
  SessionLog log() {
    return SessionLog.read(file);
  }

  RestorePoints points() {
    declare();
    return live.points();
  }
}
