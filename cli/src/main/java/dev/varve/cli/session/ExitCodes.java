// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.StoreException;
import java.util.LinkedHashMap;
import java.util.Map;

/// The exit statuses of the command. They are part of its interface: a number keeps its meaning.
public final class ExitCodes {

  public static final int OK = 0;
  public static final int NOT_FOUND = 1;
  public static final int USAGE = 2;
  public static final int DAMAGED = 3;
  public static final int UNAVAILABLE = 4;

  /// The launcher found no JDK or could not build (`EX_UNAVAILABLE` of sysexits.h).
  static final int NO_JAVA = 69;

  /// A mistake in Varve (`EX_SOFTWARE`).
  public static final int INTERNAL = 70;

  /// Standard output, a file the user named, or the store's disk could not be read or written
  /// (`EX_IOERR`).
  public static final int INPUT_OUTPUT = 74;

  /// A shell's status for a program that SIGINT ended; Java reports the same.
  static final int INTERRUPTED = 130;

  /// A shell's status for a program that SIGTERM ended; Java reports the same.
  static final int TERMINATED = 143;

  /// The reader of standard output went away: what a shell reports for a program that SIGPIPE
  /// ended.
  static final int BROKEN_PIPE = 141;

  private ExitCodes() {}

  /// The status for a refusal of the store.
  public static int of(StoreException refusal) {
    return switch (refusal) {
      case StoreException.NotFound _ -> NOT_FOUND;
      case StoreException.NoStore _ -> NOT_FOUND;
      case StoreException.Invalid _ -> USAGE;
      case StoreException.Conflict _ -> USAGE;
      case StoreException.Erased _ -> USAGE;
      case StoreException.TooLarge _ -> USAGE;
      case StoreException.Corrupt _ -> DAMAGED;
      case StoreException.FormatTooNew _ -> DAMAGED;
      case StoreException.FormatTooOld _ -> DAMAGED;
      case StoreException.Io _ -> INPUT_OUTPUT;
      case StoreException.Busy _ -> UNAVAILABLE;
      case StoreException.Closed _ -> UNAVAILABLE;
      case StoreException.Full _ -> UNAVAILABLE;
    };
  }

  /// Each status and its meaning.
  public static Map<String, String> meanings() {
    Map<String, String> meanings = new LinkedHashMap<>();
    meanings.put(" " + OK, "done");
    meanings.put(
        " " + NOT_FOUND, "there is no such turn, context, blob, hold, rule, file or store");
    meanings.put(" " + USAGE, "the request is wrong, too large, or refused in the present state");
    meanings.put(" " + DAMAGED, "the store is damaged, or of another version");
    meanings.put(" " + UNAVAILABLE, "the store is in use by another process, or the disk is full");
    meanings.put(" " + NO_JAVA, "no JDK 25 was found, or Varve could not be built");
    meanings.put(" " + INTERNAL, "a mistake in Varve");
    meanings.put(
        " " + INPUT_OUTPUT, "a file, the disk or standard output could not be read or written");
    meanings.put(INTERRUPTED + "", "ended by Control-C (SIGINT)");
    meanings.put(BROKEN_PIPE + "", "the reader of the output went away, as in `varve log | head`");
    meanings.put(TERMINATED + "", "ended by SIGTERM; `serve` then stops in order and reports 0");
    return meanings;
  }
}
