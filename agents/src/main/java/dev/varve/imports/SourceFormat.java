// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import dev.varve.StoreException;
import dev.varve.files.RegularFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/// A format in which some agent keeps conversations, recognised by the first bytes of a file and
/// never by the file's name.
public enum SourceFormat {
  PI("a session of Pi", "pi"),
  CLAUDE_CODE("a Claude Code transcript", "claude-code"),
  CODEX("a Codex rollout", "codex"),
  GEMINI_CLI("a Gemini CLI session", "gemini"),
  QWEN_CODE("a Qwen Code transcript", "qwen"),
  COPILOT_CLI("a Copilot CLI session", "copilot"),
  FACTORY("a Factory session", "factory"),
  KIRO("a Kiro CLI session", "kiro"),
  CURSOR("a Cursor transcript", "cursor"),
  AMP("an Amp thread", "amp"),
  CLINE("a Cline conversation", "cline"),
  OPENCODE("a session of opencode", "opencode"),
  DEEPSEEK("a DeepSeek session"),
  AIDER("an aider chat history", "aider"),
  GOOSE("a Goose session", "goose"),
  CRUSH("a session of crush", "crush"),
  ROWS("rows of a database"),
  SQLITE("an SQLite database"),
  ZSTD("a file compressed with zstd"),
  ZIP("a zip archive");

  /// As much of a file as is looked at.
  private static final int BYTES_MAX = 1 << 20;

  private static final byte[] ZSTD_MAGIC = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD};

  private final String description;
  private final String importer;

  SourceFormat(String description) {
    this(description, "");
  }

  /// @param importer the word of `varve import` that takes the format; empty if none does
  SourceFormat(String description, String importer) {
    this.description = description;
    this.importer = importer;
  }

  /// The format with an article, for messages.
  public String description() {
    return description;
  }

  /// The format with an article, and the command that takes the format, if one does.
  public String descriptionWithImport() {
    return importer.isEmpty() ? description : description + " ('varve import " + importer + "')";
  }

  /// The format of a file; empty if it is none of these.
  ///
  /// @throws IOException if the file cannot be read
  public static Optional<SourceFormat> of(Path file) throws IOException {
    try (InputStream in = RegularFile.read(file)) {
      return of(in.readNBytes(BYTES_MAX));
    }
  }

  /// Refuses a file that begins like another format. A file of no known format passes: it may be
  /// damaged.
  ///
  /// @throws StoreException.Invalid if the file has another format
  /// @throws StoreException.Io if the file cannot be read
  public void demandNoOther(Path file) {
    Optional<SourceFormat> found;
    try {
      found = of(file);
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
    if (found.isPresent() && found.get() != this) {
      throw refusal(file, found.get().descriptionWithImport());
    }
  }

  /// The refusal of a file that is not of this format.
  ///
  /// @param found a description of the content, with an article
  public StoreException.Invalid refusal(Path file, String found) {
    return new StoreException.Invalid(
        file.toString(), "expected " + description + ", found " + found);
  }

  /// The format of a file that begins with `start`; empty if it is none of these.
  public static Optional<SourceFormat> of(byte[] start) {
    if (begins(start, ZSTD_MAGIC)) {
      return Optional.of(ZSTD);
    }
    if (begins(start, "SQLite format 3\0")) {
      return Optional.of(SQLITE);
    }
    if (begins(start, "PK\3\4")) {
      return Optional.of(ZIP);
    }
    if (begins(start, "# aider chat started at ") || begins(start, "\n# aider chat started at ")) {
      return Optional.of(AIDER);
    }
    return FirstRecord.read(start).flatMap(SourceFormat::of);
  }

  private static Optional<SourceFormat> of(FirstRecord record) {
    String type = record.text("type");
    if (record.has("$row")) {
      return Optional.of(ROWS);
    }
    if (record.isArray()) {
      if (record.has("sessionId") && record.has("messageId")) {
        return Optional.of(GEMINI_CLI);
      }
      return record.has("role") && record.has("content") ? Optional.of(CLINE) : Optional.empty();
    }
    if (type.equals("session") && record.has("id")) {
      return Optional.of(record.has("delegationDepth") ? DEEPSEEK : PI);
    }
    if (type.equals("session_meta") && record.has("payload")
        || record.has("instructions") && record.has("id") && record.has("timestamp")) {
      return Optional.of(CODEX);
    }
    if (record.has("sessionId") && (record.has("projectHash") || record.has("startTime"))) {
      return Optional.of(GEMINI_CLI);
    }
    if (isClaudeCode(record, type)) {
      boolean qwen =
          record.messageHasParts() || record.has("provenance") || record.has("systemPayload");
      return Optional.of(qwen ? QWEN_CODE : CLAUDE_CODE);
    }
    return rarer(record, type);
  }

  private static boolean isClaudeCode(FirstRecord record, String type) {
    return record.has("uuid") && record.has("parentUuid")
        || record.has("sessionId") && !type.isEmpty()
        || type.equals("summary") && record.has("leafUuid")
        || type.equals("file-history-snapshot") && record.has("messageId");
  }

  private static Optional<SourceFormat> rarer(FirstRecord record, String type) {
    if (type.equals("session.start") && record.has("data")) {
      return Optional.of(COPILOT_CLI);
    }
    if (type.equals("session_start") && record.has("id")) {
      return Optional.of(FACTORY);
    }
    if (record.text("version").equals("v1") && record.has("kind")) {
      return Optional.of(KIRO);
    }
    if (record.has("role") && record.has("message")) {
      return Optional.of(CURSOR);
    }
    if (record.has("sessionId") && record.has("agent") && record.has("messages")
        || record.has("session_id") && record.has("messages_path")) {
      return Optional.of(CLINE);
    }
    if (record.has("working_dir") && record.has("message_count")) {
      return Optional.of(GOOSE);
    }
    return record.text("id").startsWith("T-") && record.has("messages")
        ? Optional.of(AMP)
        : Optional.empty();
  }

  private static boolean begins(byte[] start, String text) {
    return begins(start, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static boolean begins(byte[] start, byte[] magic) {
    return start.length >= magic.length
        && Arrays.equals(start, 0, magic.length, magic, 0, magic.length);
  }
}
