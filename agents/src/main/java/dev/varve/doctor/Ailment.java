// SPDX-License-Identifier: Apache-2.0
package dev.varve.doctor;

/// What can be wrong with a session file: what it is called, what it means for who uses the
/// session, and what a repair does about it.
public enum Ailment {
  EMPTY(
      Severity.DAMAGE,
      "the file is empty",
      "Nothing was written, or everything was cut off. Pi begins a new session in it.",
      "Nothing: there is nothing to repair."),
  NOT_A_SESSION(
      Severity.DAMAGE,
      "this is no session of Pi",
      "There is neither a header nor an entry in it. Versions of Pi up to 0.80.2 empty such a file"
          + " when they are told to open it; later ones refuse it.",
      "Nothing: keep it away from Pi."),
  NO_HEADER(
      Severity.DAMAGE,
      "the header is missing",
      "Pi refuses the file, or, up to 0.80.2, empties it. It comes about when the file is deleted"
          + " while Pi runs: the next entry makes it anew, without header.",
      "Makes a header: the id and time are those of the file's name, the folder is a guess by the"
          + " name of the folder that it lies in."),
  HEADER_NOT_FIRST(
      Severity.DAMAGE,
      "the header is not the first record",
      "Pi looks at the first record only, finds no header, and refuses the file.",
      "Puts the header first."),
  BYTE_ORDER_MARK(
      Severity.DAMAGE,
      "a byte order mark stands before the header",
      "An editor put it there. Pi cannot read the header behind it and refuses the file.",
      "Leaves the mark out."),
  SECOND_HEADER(
      Severity.DAMAGE,
      "another header",
      "The file was begun twice, or two files were joined. Pi goes by the first header.",
      "Leaves it out."),
  REPEATED(
      Severity.DAMAGE,
      "entries are written again, byte for byte",
      "The beginning of the file was flushed twice. Pi shows such entries twice, or hangs over"
          + " them.",
      "Leaves the repetition out."),
  SAME_ID(
      Severity.DAMAGE,
      "two different entries have one id",
      "Pi finds the later one only; the earlier can no longer be reached.",
      "Gives the earlier entry a new id. What follows stays with the later, as in Pi."),
  TORN_TAIL(
      Severity.DAMAGE,
      "the last line is cut off",
      "The writer was killed, or the power failed, in the middle of an entry. It is lost; up to"
          + " 0.84.3 the entry that Pi writes next is glued onto it and lost too.",
      "Leaves the torn bytes out."),
  GLUED(
      Severity.DAMAGE,
      "an entry is glued onto the torn bytes of another",
      "Somebody was killed in the middle of a line, and the next entry was written behind it. Pi"
          + " reads neither, and what follows hangs from nothing.",
      "Puts the whole entry on a line of its own and leaves the torn bytes out."),
  LINE_FEED_MISSING(
      Severity.DAMAGE,
      "two records stand on one line",
      "The line feed between them is lost. Pi reads neither.",
      "Puts each on a line of its own."),
  ZEROS(
      Severity.DAMAGE,
      "a stretch of zeros",
      "The power failed before the bytes reached the disk: the file got its length, not its"
          + " content. What stood there is lost.",
      "Leaves the zeros out."),
  NOT_JSON(
      Severity.DAMAGE,
      "a line that is no JSON",
      "Pi passes over it without a word. Entries that follow it may hang from nothing.",
      "Leaves it out."),
  FOREIGN(
      Severity.DAMAGE,
      "JSON that is no entry",
      "It has no id or no type. Pi may pass over it or stumble.",
      "Leaves it out."),
  NOT_UTF8(
      Severity.WARNING,
      "an entry is not all UTF-8",
      "Pi shows the wrong bytes as replacement characters.",
      "Keeps the entry byte for byte."),
  NO_LINE_FEED_AT_END(
      Severity.WARNING,
      "the last line has no line feed",
      "The entry itself is whole. Up to 0.84.3 Pi glues the next entry onto it and loses both.",
      "Adds the line feed."),
  ORPHAN(
      Severity.DAMAGE,
      "an entry's parent is not in the file",
      "Pi takes it for the beginning of a conversation: what came before is not shown to the"
          + " model.",
      "Hangs it from the entry that was written just before it: a guess."),
  ORPHAN_AFTER_FORK(
      Severity.DAMAGE,
      "an entry's parent was not copied when the session was forked",
      "Pi up to 0.79.1 left labels out of a fork, but not the links to them: all before is out of"
          + " reach.",
      "Hangs it from the nearest copied entry above it: known for sure where the session that it"
          + " was forked from is at hand, else the entry before it."),
  CIRCLE(
      Severity.DAMAGE,
      "the parents of an entry go in a circle",
      "Pi walks from parent to parent until memory runs out.",
      "Opens the circle at its first entry, which then follows the entry before it in the file."),
  TWO_WRITERS(
      Severity.WARNING,
      "two processes wrote into the file at once",
      "Each went on from its own last entry, so the conversation has two branches that know nothing"
          + " of each other. Nothing is lost.",
      "Keeps both branches: 'varve pi tree' shows them."),
  LOST_REFERENCE(
      Severity.WARNING,
      "a compaction keeps entries from one on that is not in the file",
      "Pi cannot tell which entries follow the summary.",
      "Keeps the entry byte for byte."),
  LABEL_WITHOUT_TARGET(
      Severity.NOTE,
      "a label of an entry that is not in the file",
      "It is shown nowhere.",
      "Keeps it."),
  PARENT_LATER(
      Severity.NOTE,
      "an entry stands before its parent",
      "Another program changed the order of the lines. Pi reads it all the same, but goes on from"
          + " whichever entry is last.",
      "Keeps the order."),
  OLD_VERSION(
      Severity.NOTE,
      "an old format",
      "The first time that Pi opens the file, even to export it, it is rewritten in place. Two"
          + " computers that do so get different files.",
      "Keeps the format."),
  NEW_VERSION(
      Severity.NOTE,
      "a format that this version does not know",
      "What is said here may be wrong.",
      "Keeps the format."),
  UNKNOWN_TYPE(
      Severity.NOTE,
      "entries of types that this version does not know",
      "A later version of Pi, or an extension, wrote them. They keep their place.",
      "Keeps them byte for byte."),
  TOO_LONG(
      Severity.NOTE,
      "a line too long to be looked at as a whole",
      "Its beginning tells its place; whether its end is sound was not checked.",
      "Keeps it byte for byte."),
  CARRIAGE_RETURNS(
      Severity.NOTE,
      "lines end with carriage returns",
      "A program for Windows copied it. Pi reads it; its hash is another than that of the"
          + " original.",
      "Keeps them."),
  NAME_DIFFERS(
      Severity.NOTE,
      "the file is named after another session",
      "Versions before 0.75.4 did so when a session was forked from its first message.",
      "Keeps the header.");

  /// How much it matters.
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

  Ailment(Severity severity, String words, String meaning, String remedy) {
    this.severity = severity;
    this.words = words;
    this.meaning = meaning;
    this.remedy = remedy;
  }

  public Severity severity() {
    return severity;
  }

  /// What it is.
  public String words() {
    return words;
  }

  /// What follows from it, one or two sentences.
  public String meaning() {
    return meaning;
  }

  /// What a repaired copy does about it.
  public String remedy() {
    return remedy;
  }
}
