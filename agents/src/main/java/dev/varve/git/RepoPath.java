// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.StoreException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The name of a file in a worktree: bytes, with `/` between steps, from the worktree's top.
///
/// File systems of POSIX know names as bytes, and so does git. Java's [Path] holds them as bytes
/// too but takes them from text, which cannot say every name; a file URI can.
public final class RepoPath implements Comparable<RepoPath> {

  private final byte[] bytes;

  private RepoPath(byte[] bytes) {
    this.bytes = bytes;
  }

  public static RepoPath of(byte[] bytes) {
    return new RepoPath(bytes.clone());
  }

  public static RepoPath of(String text) {
    return new RepoPath(text.getBytes(UTF_8));
  }

  /// Takes apart what git printed with `-z`.
  public static List<RepoPath> list(byte[] output) {
    List<RepoPath> paths = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < output.length; i++) {
      if (output[i] == 0) {
        paths.add(new RepoPath(Arrays.copyOfRange(output, start, i)));
        start = i + 1;
      }
    }
    return paths;
  }

  /// The opposite of [#list].
  public static byte[] join(Iterable<RepoPath> paths) {
    var joined = new java.io.ByteArrayOutputStream();
    for (RepoPath path : paths) {
      joined.writeBytes(path.bytes);
      joined.write(0);
    }
    return joined.toByteArray();
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  /// The name behind a prefix of ASCII.
  public RepoPath after(String prefix) {
    byte[] head = prefix.getBytes(UTF_8);
    byte[] whole = Arrays.copyOf(head, head.length + bytes.length);
    System.arraycopy(bytes, 0, whole, head.length, bytes.length);
    return new RepoPath(whole);
  }

  /// The name in a folder.
  ///
  /// @param folder with a slash at its end
  public RepoPath after(RepoPath folder) {
    byte[] whole = Arrays.copyOf(folder.bytes, folder.bytes.length + bytes.length);
    System.arraycopy(bytes, 0, whole, folder.bytes.length, bytes.length);
    return new RepoPath(whole);
  }

  /// The name from a folder on: the opposite of [#after(RepoPath)].
  ///
  /// @param folder with a slash at its end; this is somewhere in it
  public RepoPath below(RepoPath folder) {
    return new RepoPath(Arrays.copyOfRange(bytes, folder.bytes.length, bytes.length));
  }

  /// The folder that the file is in; empty for one at the top.
  public Optional<RepoPath> parent() {
    for (int i = bytes.length - 1; i > 0; i--) {
      if (bytes[i] == '/') {
        return Optional.of(new RepoPath(Arrays.copyOf(bytes, i)));
      }
    }
    return Optional.empty();
  }

  /// The last step.
  public RepoPath name() {
    for (int i = bytes.length - 1; i >= 0; i--) {
      if (bytes[i] == '/') {
        return new RepoPath(Arrays.copyOfRange(bytes, i + 1, bytes.length));
      }
    }
    return this;
  }

  /// Git marks a folder that it does not look into by a slash at its end.
  public boolean isFolder() {
    return bytes.length > 0 && bytes[bytes.length - 1] == '/';
  }

  /// The name with a slash at its end.
  public RepoPath asFolder() {
    byte[] whole = Arrays.copyOf(bytes, bytes.length + 1);
    whole[bytes.length] = '/';
    return isFolder() ? this : new RepoPath(whole);
  }

  /// The name without a slash at its end.
  public RepoPath withoutSlash() {
    return isFolder() ? new RepoPath(Arrays.copyOf(bytes, bytes.length - 1)) : this;
  }

  /// Returns whether this is `other`, or a file somewhere in it. Both with and without a slash at
  /// the end.
  public boolean isIn(RepoPath other) {
    int length = other.isFolder() ? other.bytes.length - 1 : other.bytes.length;
    return length == 0
        || bytes.length >= length
            && Arrays.equals(bytes, 0, length, other.bytes, 0, length)
            && (bytes.length == length || bytes[length] == '/');
  }

  /// Returns whether the name stays in the worktree and out of its repository's own files, on any
  /// file system: trees are received from others. No step may be empty, `.`, `..`, or any spelling
  /// of `.git`.
  public boolean isSafe() {
    int start = 0;
    for (int i = 0; i <= bytes.length; i++) {
      if (i == bytes.length || bytes[i] == '/') {
        if (!isOrdinary(start, i) && !isSafe(new String(bytes, start, i - start, UTF_8))) {
          return false;
        }
        start = i + 1;
      }
    }
    return true;
  }

  /// Returns whether a step begins with a letter or a digit and has nothing but these, `.`, `-` and
  /// `_`: then it is safe on every file system. Nearly all steps are, and a worktree has many.
  private boolean isOrdinary(int start, int end) {
    for (int i = start; i < end; i++) {
      byte b = bytes[i];
      boolean alphanumeric = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9';
      boolean mark = b == '.' && !WINDOWS || b == '-' || b == '_';
      if (!alphanumeric && !(mark && i > start)) {
        return false;
      }
    }
    return start < end;
  }

  private static boolean isSafe(String step) {
    String plain = IGNORED_IN_NAMES.matcher(step).replaceAll("").toLowerCase(Locale.ROOT);
    return !plain.isEmpty()
        && plain.indexOf('\0') < 0
        && !UNSAFE.matcher(plain).matches()
        && !(WINDOWS && UNSAFE_ON_WINDOWS.matcher(plain).matches());
  }

  /// Characters that some file systems pass over when they compare names.
  private static final Pattern IGNORED_IN_NAMES =
      Pattern.compile("[\\u200c-\\u200f\\u202a-\\u202e\\u206a-\\u206f\\ufeff]");

  private static final Pattern UNSAFE = Pattern.compile("\\.{1,2}|\\.git");

  private static final Pattern UNSAFE_ON_WINDOWS =
      Pattern.compile("(?s)(\\.git|git~1)[ .]*|.*[\\\\:].*");

  private static final boolean WINDOWS = java.io.File.separatorChar == '\\';

  /// The file below `root`, exact to the byte.
  public Path under(Path root) {
    if (isPlain() || WINDOWS) {
      return root.resolve(new String(bytes, UTF_8));
    }
    URI top = root.toUri();
    String raw = top.getRawPath();
    return Path.of(URI.create("file://" + raw + (raw.endsWith("/") ? "" : "/") + escaped()));
  }

  /// A path that git printed.
  public static Path absolute(byte[] printed) {
    RepoPath path = new RepoPath(printed);
    return path.isPlain() || WINDOWS
        ? Path.of(new String(printed, UTF_8))
        : Path.of(URI.create("file://" + path.escaped()));
  }

  /// The name of a file below `root`.
  public static RepoPath from(Path root, Path file) {
    String text = root.relativize(file).toString().replace('\\', WINDOWS ? '/' : '\\');
    RepoPath path = of(text);
    if (path.isPlain() || WINDOWS) {
      return path;
    }
    String top = root.toUri().getRawPath();
    String whole = file.toUri().getRawPath();
    String rest = whole.substring(top.endsWith("/") ? top.length() : top.length() + 1);
    return parse(rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest);
  }

  private boolean isPlain() {
    for (byte b : bytes) {
      if (b < 0) {
        return false;
      }
    }
    return true;
  }

  /// Printable ASCII without `%` as it is, every other byte as `%XX`; [#parse] reads it.
  public String escaped() {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      char c = (char) (b & 0xff);
      boolean kept =
          c < 0x80 && (Character.isLetterOrDigit(c) || "/-._~!$&'()*+,;=:@".indexOf(c) >= 0);
      if (kept) {
        text.append(c);
      } else {
        text.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
      }
    }
    return text.toString();
  }

  /// @throws StoreException.Invalid if an escape is not whole
  public static RepoPath parse(String escaped) {
    var bytes = new java.io.ByteArrayOutputStream();
    byte[] text = escaped.getBytes(UTF_8);
    for (int i = 0; i < text.length; i++) {
      if (text[i] != '%') {
        bytes.write(text[i]);
      } else if (i + 2 < text.length
          && HexFormat.isHexDigit(text[i + 1])
          && HexFormat.isHexDigit(text[i + 2])) {
        bytes.write(HexFormat.fromHexDigits(escaped(text, i), 0, 2));
        i += 2;
      } else {
        throw new StoreException.Invalid("file name", "an escape is not whole: " + escaped);
      }
    }
    return new RepoPath(bytes.toByteArray());
  }

  private static String escaped(byte[] text, int i) {
    return new String(text, i + 1, 2, ISO_8859_1);
  }

  @Override
  public int compareTo(RepoPath other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RepoPath path && Arrays.equals(bytes, path.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /// For people: UTF-8, with `%XX` for what is none.
  @Override
  public String toString() {
    String text = new String(bytes, UTF_8);
    return Arrays.equals(text.getBytes(UTF_8), bytes) ? text : escaped();
  }
}
