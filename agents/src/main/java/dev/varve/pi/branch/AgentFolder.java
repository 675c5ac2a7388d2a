// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import dev.varve.StoreException;
import dev.varve.imports.SourceFolder;
import dev.varve.pi.session.PlainFileName;
import dev.varve.pi.session.SessionHeader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The folder in which Pi keeps its sessions: `sessions/--<cwd>--/<time>_<id>.jsonl` below Pi's
/// folder, or one folder for all sessions if the user chose this.
///
/// A folder's name is only a hint, because `/w/a-b` and `/w/a/b` share one name. The header of a
/// session decides.
///
/// @param sessions the folder of all sessions
/// @param flat whether they lie in it side by side, without a folder for each `cwd`
public record AgentFolder(Path sessions, boolean flat) {

  private static final String SUFFIX = ".jsonl";
  private static final int NAME_BYTES_MAX = 255;

  /// The form of an id in Pi.
  private static final Pattern ID =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,126}[A-Za-z0-9])?");

  private static final Pattern TIME = Pattern.compile("[0-9]{4}-[0-9A-Za-z-]{1,40}");

  /// All session files, sorted by path.
  public SourceFolder all() {
    return Files.isDirectory(sessions)
        ? SourceFolder.walk(sessions, SourceFolder.JSON_LINES)
        : new SourceFolder(List.of(), List.of());
  }

  /// The sessions with this id, or whose id begins so. The file's name is asked first; only if none
  /// has it, all headers are read.
  public List<Path> find(String id) {
    List<Path> files = all().files();
    List<Path> named = files.stream().filter(file -> id(file).startsWith(id)).toList();
    List<Path> exactly = named.stream().filter(file -> id(file).equals(id)).toList();
    if (!named.isEmpty()) {
      return exactly.isEmpty() ? named : exactly;
    }
    return files.stream()
        .filter(file -> SessionHeader.find(file).filter(h -> h.id().startsWith(id)).isPresent())
        .toList();
  }

  private static String id(Path file) {
    String name = String.valueOf(file.getFileName());
    int from = name.indexOf('_') + 1;
    return from == 0 || !name.endsWith(SUFFIX)
        ? ""
        : name.substring(from, name.length() - SUFFIX.length());
  }

  /// The session of the folder `cwd` that was written to last, as `pi --continue` finds it.
  public Optional<Path> newestOf(Path cwd) {
    record Found(Path file, FileTime modifiedAt) {}
    List<Found> files = new ArrayList<>();
    Path folder = flat ? sessions : sessions.resolve(encode(cwd.toString()));
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : stream) {
        files.add(new Found(file, Files.getLastModifiedTime(file)));
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new StoreException.Io(folder.toString(), "cannot be read", e);
    }
    files.sort(Comparator.comparing(Found::modifiedAt).reversed());
    return files.stream().map(Found::file).filter(file -> isOf(cwd, file)).findFirst();
  }

  private static boolean isOf(Path cwd, Path file) {
    return SessionHeader.find(file).filter(h -> h.cwd().equals(cwd.toString())).isPresent();
  }

  /// The place at which Pi would keep the session with this header.
  ///
  /// @throws StoreException.Invalid if id, time or `cwd` of the header cannot be part of a path; a
  ///   header may contain anything
  public Path place(SessionHeader header) {
    String time = header.timestamp() == null ? "" : header.timestamp().replaceAll("[:.]", "-");
    demand(ID.matcher(header.id()).matches(), "an id", header.id());
    demand(TIME.matcher(time).matches(), "a timestamp", String.valueOf(header.timestamp()));
    String name = time + "_" + header.id() + SUFFIX;
    demand(PlainFileName.is(name), "an id", header.id());
    if (flat) {
      return sessions.resolve(name);
    }
    String folder = encode(header.cwd());
    boolean fits = folder.getBytes(StandardCharsets.UTF_8).length <= NAME_BYTES_MAX;
    demand(fits && isPlain(header.cwd()), "a cwd", header.cwd());
    return sessions.resolve(folder).resolve(name);
  }

  /// The name of the folder for the sessions of `cwd`.
  static String encode(String cwd) {
    boolean rooted = cwd.startsWith("/") || cwd.startsWith("\\");
    return "--" + (rooted ? cwd.substring(1) : cwd).replaceAll("[/\\\\:]", "-") + "--";
  }

  /// True if every file system allows the encoded folder as a name.
  private static boolean isPlain(String cwd) {
    return !cwd.isEmpty()
        && cwd.codePoints()
            .noneMatch(
                c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }

  private static void demand(boolean valid, String field, String found) {
    if (!valid) {
      String brief = found.length() > 80 ? found.substring(0, 80) + "…" : found;
      throw new StoreException.Invalid(
          "session header",
          "expected " + field + " that can be part of a path, found '" + brief + "'");
    }
  }
}
