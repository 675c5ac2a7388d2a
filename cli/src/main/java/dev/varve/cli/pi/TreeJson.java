// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.pi.session.EntryReader;
import dev.varve.pi.session.EntryTable;
import dev.varve.pi.session.EntryWords;
import dev.varve.pi.session.SessionRecord;
import dev.varve.pi.session.SessionTree;
import java.nio.file.Path;

/// A session's tree for programs: an object for the session, then one for each entry in the file's
/// order.
final class TreeJson {

  private final SessionTree tree;
  private final Path file;

  TreeJson(SessionTree tree, Path file) {
    this.tree = tree;
    this.file = file;
  }

  void print(Terminal terminal) {
    SessionRecord.Header header = tree.header().orElse(null);
    EntryTable entries = tree.entries();
    new JsonLine()
        .text("file", file.toString())
        .text("session", header == null ? null : header.id())
        .numberOrNull("version", header == null ? null : (long) header.version())
        .text("cwd", header == null ? null : header.cwd())
        .text("parent_session", header == null ? null : header.parentSession())
        .text("name", tree.name().isEmpty() ? null : tree.name())
        .number("entries", entries.count())
        .number("branches", tree.tips())
        .number("damaged_pieces", tree.damagedPieces())
        .print(terminal);
    try (EntryReader reader = EntryReader.open(file)) {
      for (int entry = 0; entry < entries.count(); entry++) {
        entry(entry, reader.words(entries.offset(entry), entries.sizeBytes(entry))).print(terminal);
      }
    }
  }

  private JsonLine entry(int entry, EntryWords words) {
    EntryTable entries = tree.entries();
    int parent = entries.parent(entry);
    return new JsonLine()
        .text("entry_id", words.id().isEmpty() ? null : words.id())
        .text("parent_id", words.parentId())
        .numberOrNull("parent_line", parent < 0 ? null : entries.line(parent))
        .text(
            "root",
            switch (parent) {
              case EntryTable.ROOT -> "root";
              case EntryTable.MISSING -> "parent_missing";
              case EntryTable.CIRCULAR -> "circular";
              default -> null;
            })
        .number("line", entries.line(entry))
        .number("offset", entries.offset(entry))
        .number("size_bytes", entries.sizeBytes(entry))
        .text("kind", words.kind().words())
        .text("time", words.timestamp())
        .text("label", tree.label(entry).orElse(null))
        .bool("tip", tree.firstChild(entry) < 0)
        .bool("leaf", entry == tree.leaf())
        .text("text", words.text());
  }
}
