// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// Everything a store refuses, and nothing else: a sealed list, so that each place that turns
/// refusals into codes is checked for completeness by the compiler.
///
/// The message says what, where, expected and found. Advice is the program's business, not the
/// library's.
public abstract sealed class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private StoreException(String message) {
    super(message);
  }

  private StoreException(String message, Throwable cause) {
    super(message, cause);
  }

  /// There is no such thing in the store.
  public static final class NotFound extends StoreException {
    private static final long serialVersionUID = 1;
    private final String kind;
    private final String id;

    /// The kind of a blob that was erased.
    public static final String ERASED_BLOB = "erased blob";

    /// @param kind `turn`, `context`, `blob`, `parent turn`
    public NotFound(String kind, String id) {
      super(kind + " " + id + ": not found");
      this.kind = kind;
      this.id = id;
    }

    public String kind() {
      return kind;
    }

    public String id() {
      return id;
    }

    /// Returns whether a blob is meant that was in the store once, and was erased for good.
    public boolean isErased() {
      return kind.equals(ERASED_BLOB);
    }
  }

  /// The blob was erased, and the store keeps its name so that the blob does not come back by
  /// itself.
  public static final class Erased extends StoreException {
    private static final long serialVersionUID = 1;
    private final String hash;
    private final String why;
    private final String erasedAt;

    public Erased(String hash, String why, String erasedAt) {
      super("blob " + hash + ": erased on " + erasedAt + " (" + why + ")");
      this.hash = hash;
      this.why = why;
      this.erasedAt = erasedAt;
    }

    public String hash() {
      return hash;
    }

    /// The word of an [ErasedBlob.Cause].
    public String why() {
      return why;
    }

    public String erasedAt() {
      return erasedAt;
    }
  }

  /// The request itself is wrong, whatever the store holds.
  public static final class Invalid extends StoreException {
    private static final long serialVersionUID = 1;
    private final String what;
    private final String why;

    public Invalid(String what, String why) {
      super(what + ": " + why);
      this.what = what;
      this.why = why;
    }

    public String what() {
      return what;
    }

    public String why() {
      return why;
    }
  }

  /// The request was right for another state of the store: the head moved, the key stands for other
  /// content.
  public static final class Conflict extends StoreException {
    private static final long serialVersionUID = 1;
    private final String what;
    private final String expected;
    private final String found;

    public Conflict(String what, String expected, String found) {
      super(what + ": expected " + expected + ", found " + found);
      this.what = what;
      this.expected = expected;
      this.found = found;
    }

    public String what() {
      return what;
    }

    public String expected() {
      return expected;
    }

    public String found() {
      return found;
    }
  }

  /// More than the store's [StoreLimits] allow.
  public static final class TooLarge extends StoreException {
    private static final long serialVersionUID = 1;
    private final String what;
    private final long found;
    private final long limit;

    public TooLarge(String what, long found, long limit) {
      super(what + ": " + found + " is over the limit of " + limit);
      this.what = what;
      this.found = found;
      this.limit = limit;
    }

    public String what() {
      return what;
    }

    public long found() {
      return found;
    }

    public long limit() {
      return limit;
    }
  }

  /// Bytes on the disk are not what was written there.
  public static final class Corrupt extends StoreException {
    private static final long serialVersionUID = 1;
    private final String file;
    private final long offset;
    private final String expected;
    private final String found;

    public Corrupt(String file, long offset, String expected, String found) {
      super(file + " at byte " + offset + ": expected " + expected + ", found " + found);
      this.file = file;
      this.offset = offset;
      this.expected = expected;
      this.found = found;
    }

    public String file() {
      return file;
    }

    public long offset() {
      return offset;
    }

    public String expected() {
      return expected;
    }

    public String found() {
      return found;
    }
  }

  /// There is no store here.
  public static final class NoStore extends StoreException {
    private static final long serialVersionUID = 1;
    private final boolean vacant;

    /// @param vacant whether a store could be made there
    public NoStore(String path, String found, boolean vacant) {
      super(path + ": no Varve store here: " + found);
      this.vacant = vacant;
    }

    public boolean vacant() {
      return vacant;
    }
  }

  /// Written by a later version than this one.
  public static final class FormatTooNew extends StoreException {
    private static final long serialVersionUID = 1;

    public FormatTooNew(String file, int found, int known) {
      super(file + ": format version " + found + ", this version reads up to " + known);
    }
  }

  /// Written by a version so old that this one no longer reads it.
  public static final class FormatTooOld extends StoreException {
    private static final long serialVersionUID = 1;

    public FormatTooOld(String file, int found, int known) {
      super(file + ": format version " + found + ", this version reads from " + known);
    }
  }

  /// Another process has the store open for writing.
  public static final class Busy extends StoreException {
    private static final long serialVersionUID = 1;
    private final String path;
    private final String holder;

    public Busy(String path, String holder) {
      super(path + ": in use by " + holder);
      this.path = path;
      this.holder = holder;
    }

    public String path() {
      return path;
    }

    public String holder() {
      return holder;
    }
  }

  /// The disk has no room. Nothing acknowledged is lost; reads go on; writes resume once there is
  /// room and the store is opened again.
  public static final class Full extends StoreException {
    private static final long serialVersionUID = 1;
    private final String file;

    public Full(String file, Throwable cause) {
      super(file + ": no space left on the disk", cause);
      this.file = file;
    }

    public String file() {
      return file;
    }
  }

  /// Used after it was closed.
  public static final class Closed extends StoreException {
    private static final long serialVersionUID = 1;
    private final String what;

    public Closed(String what) {
      super(what + ": closed");
      this.what = what;
    }

    public String what() {
      return what;
    }
  }

  /// The disk refused. A store that failed to write stays failed until it is opened again.
  public static final class Io extends StoreException {
    private static final long serialVersionUID = 1;
    private final String file;
    private final String what;

    public Io(String file, String what, Throwable cause) {
      super(file + ": " + what, cause);
      this.file = file;
      this.what = what;
    }

    public String file() {
      return file;
    }

    public String what() {
      return what;
    }
  }
}
