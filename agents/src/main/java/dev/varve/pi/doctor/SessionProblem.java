// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

/// A kind of problem of a session file: its name, its consequence for the user of the session, and
/// what a repair does about it.
public enum SessionProblem {
  EMPTY(
      Severity.DAMAGE,
      "the file is empty",
      "Nothing was written, or everything was cut off. Pi begins a new session in the file.",
      "Nothing: there is nothing to repair."),
  NOT_A_SESSION(
      Severity.DAMAGE,
      "this is no session of Pi",
      "The file has neither a header nor an entry. Versions of Pi up to 0.80.2 empty such a file"
          + " when they are asked to open the file; later versions refuse the file.",
      "Nothing: keep the file away from Pi."),
  NO_HEADER(
      Severity.DAMAGE,
      "the header is missing",
      "Pi refuses the file, or, up to 0.80.2, empties the file. The header is missing if the file"
          + " was deleted while Pi ran: the next entry makes the file anew, without a header.",
      "Makes a header: the id and the time come from the file's name, the working folder is guessed"
          + " from the name of the folder around the file."),
  HEADER_NOT_FIRST(
      Severity.DAMAGE,
      "the header is not the first record",
      "Pi reads only the first record, finds no header, and refuses the file.",
      "Puts the header first."),
  BYTE_ORDER_MARK(
      Severity.DAMAGE,
      "a byte order mark stands before the header",
      "An editor wrote the mark. Pi cannot read the header after the mark and refuses the file.",
      "Leaves the mark out."),
  SECOND_HEADER(
      Severity.DAMAGE,
      "another header",
      "The file was begun twice, or two files were joined. Pi uses the first header.",
      "Leaves the line out."),
  REPEATED(
      Severity.DAMAGE,
      "entries are written again, byte for byte",
      "The beginning of the file was flushed twice. Pi shows these entries twice, or hangs.",
      "Leaves the repetition out."),
  SAME_ID(
      Severity.DAMAGE,
      "two different entries have one id",
      "Pi finds only the later entry; the earlier entry can no longer be reached.",
      "Gives the earlier entry a new id. Children stay with the later entry, as in Pi."),
  TORN_TAIL(
      Severity.DAMAGE,
      "the last line is cut off",
      "The writer was killed, or the power failed, in the middle of an entry. The entry is lost; up"
          + " to 0.84.3 the next entry is glued onto the torn bytes and lost too.",
      "Leaves the torn bytes out."),
  GLUED(
      Severity.DAMAGE,
      "an entry is glued onto the torn bytes of another",
      "A writer was killed in the middle of a line, and the next entry was written behind the torn"
          + " bytes. Pi reads neither entry, and their children have no parent.",
      "Puts the whole entry on a line of its own and leaves the torn bytes out."),
  LONG_LINE_DAMAGED(
      Severity.DAMAGE,
      "a very long line is damaged",
      "The line's quotes or brackets do not close at its end: the line is cut off, or has zeros in"
          + " it. Pi skips the line.",
      "Keeps the line byte for byte: the line is too long to be mended."),
  LINE_FEED_MISSING(
      Severity.DAMAGE,
      "two records stand on one line",
      "The line feed between the records is lost. Pi reads neither record.",
      "Puts each record on a line of its own."),
  ZEROS(
      Severity.DAMAGE,
      "a stretch of zeros",
      "The power failed before the bytes reached the disk: the file got its length, not its"
          + " content. The content is lost.",
      "Leaves the zeros out."),
  NOT_JSON(
      Severity.DAMAGE,
      "a line that is no JSON",
      "Pi skips the line and reports nothing. Children of the entry have no parent.",
      "Leaves the line out."),
  FOREIGN(
      Severity.DAMAGE,
      "JSON that is no entry",
      "The record has no id or no type. Pi may skip the record or fail.",
      "Leaves the line out."),
  NOT_UTF8(
      Severity.WARNING,
      "an entry is not all UTF-8",
      "Pi shows the wrong bytes as replacement characters.",
      "Keeps the entry byte for byte."),
  NO_LINE_FEED_AT_END(
      Severity.WARNING,
      "the last line has no line feed",
      "The entry itself is whole. Up to 0.84.3 Pi glues the next entry onto the line and loses"
          + " both.",
      "Adds the line feed."),
  NO_ID(
      Severity.DAMAGE,
      "an entry has no id",
      "Nothing can follow such an entry. If the entry is the last of the file, Pi goes on without a"
          + " parent, and the model does not see the conversation before. Another program wrote the"
          + " entry.",
      "Gives an id to a message that names its parent; leaves every other entry without id out."),
  NO_TIME(
      Severity.WARNING,
      "a time is missing or cannot be read",
      "Lists that are sorted by time put the session in a wrong place.",
      "Keeps the line byte for byte."),
  TIME_AHEAD(
      Severity.WARNING,
      "a time lies in the future",
      "The clock of the computer was wrong. Lists that are sorted by time put the session in a"
          + " wrong place.",
      "Keeps the line byte for byte."),
  ORPHAN(
      Severity.DAMAGE,
      "an entry's parent is not in the file",
      "Pi takes the entry for the beginning of a conversation: the model does not see the entries"
          + " before.",
      "Makes the preceding entry of the file the parent: a guess."),
  ORPHAN_AFTER_FORK(
      Severity.DAMAGE,
      "an entry's parent was not copied when the session was forked",
      "Pi up to 0.79.1 left labels out of a fork, but not the links to them: all entries before are"
          + " out of reach.",
      "Makes the nearest copied ancestor the parent: the ancestor is known for sure if the original"
          + " session is at hand; else the preceding entry of the file is taken."),
  CIRCLE(
      Severity.DAMAGE,
      "the parents of an entry go in a circle",
      "Pi walks from parent to parent until memory runs out.",
      "Opens the circle at its first entry, which then follows the preceding entry of the file."),
  TWO_WRITERS(
      Severity.WARNING,
      "two processes wrote into the file at once",
      "Each process went on from its own last entry, so that the conversation has two branches,"
          + " each without the other's entries. Nothing is lost.",
      "Keeps both branches: 'varve pi tree' shows them."),
  TAKING_TURNS(
      Severity.WARNING,
      "two processes seem to have taken turns in the file",
      "The conversation has two branches, and each was continued after the other. Such a file comes"
          + " from two processes that have the session open, or from a person who goes back and"
          + " forth between the branches. Nothing is lost.",
      "Keeps both branches: 'varve pi tree' shows them."),
  BESIDE_MESSAGE(
      Severity.WARNING,
      "a record that is no message forks the conversation",
      "A message and a record of another kind follow the same entry. Pi shows only the branch that"
          + " was written last: the entries of the other branch are out of sight. Nothing is lost.",
      "Keeps both branches: 'varve pi tree' shows them."),
  LOST_REFERENCE(
      Severity.WARNING,
      "a compaction keeps entries from one on that is not in the file",
      "Pi does not know which entries follow the summary.",
      "Keeps the entry byte for byte."),
  LABEL_WITHOUT_TARGET(
      Severity.NOTE,
      "a label of an entry that is not in the file",
      "The label is shown nowhere.",
      "Keeps the label."),
  PARENT_LATER(
      Severity.NOTE,
      "an entry stands before its parent",
      "Another program changed the order of the lines. Pi reads the file all the same, but goes on"
          + " after the last entry of the file.",
      "Keeps the order."),
  OLD_VERSION(
      Severity.NOTE,
      "an old format",
      "Pi rewrites the file in place when Pi first opens the file, even for an export. Two"
          + " computers rewrite the file differently.",
      "Keeps the format."),
  NEW_VERSION(
      Severity.NOTE,
      "a format that this version does not know",
      "This report may be wrong.",
      "Keeps the format."),
  UNKNOWN_TYPE(
      Severity.NOTE,
      "entries of types that this version does not know",
      "A later version of Pi, or an extension, wrote the entries. The entries keep their place.",
      "Keeps the entries byte for byte."),
  TOO_LONG(
      Severity.NOTE,
      "a line too long to be read as a whole",
      "The beginning of the line gives its place in the tree. Of the rest only quotes and brackets"
          + " were checked.",
      "Keeps the line byte for byte."),
  CARRIAGE_RETURNS(
      Severity.NOTE,
      "lines end with carriage returns",
      "A program for Windows copied the file. Pi reads the file; its hash differs from the hash of"
          + " the original.",
      "Keeps the carriage returns."),
  NAME_DIFFERS(
      Severity.NOTE,
      "the file is named after another session",
      "Versions before 0.75.4 named a file so when a session was forked from its first message.",
      "Keeps the header.");

  /// The importance of a problem.
  public enum Severity {
    /// Good to know.
    NOTE,
    /// Nothing is lost, but something is not as its user expects.
    WARNING,
    /// Pi refuses, loses or misreads something.
    DAMAGE
  }

  private final Severity severity;
  private final String words;
  private final String meaning;
  private final String remedy;

  SessionProblem(Severity severity, String words, String meaning, String remedy) {
    this.severity = severity;
    this.words = words;
    this.meaning = meaning;
    this.remedy = remedy;
  }

  public Severity severity() {
    return severity;
  }

  /// The problem in a few words.
  public String words() {
    return words;
  }

  /// The consequence of the problem, in one to three sentences.
  public String meaning() {
    return meaning;
  }

  /// The treatment of the problem in a repaired copy.
  public String remedy() {
    return remedy;
  }
}
