// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.git.RepoPath;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/// Reads and makes symbolic links whose targets are exact to the byte. Java tidies a path that is
/// made of text, and text cannot hold every name.
final class SymbolicLinks {

  private static final boolean POSIX = java.io.File.separatorChar == '/';

  private SymbolicLinks() {}

  static byte[] read(Path link) throws IOException {
    Path target = Files.readSymbolicLink(link); // as the system gave it
    String text = target.toString();
    if (!POSIX || isAscii(text)) {
      return text.getBytes(UTF_8);
    }
    String whole = target.toUri().getRawPath();
    String here = Path.of("").toAbsolutePath().toUri().getRawPath();
    String top = here.endsWith("/") ? here : here + "/";
    String escaped = target.isAbsolute() ? whole : whole.substring(top.length());
    // A URI of what is a folder ends with a slash, whatever the link says.
    boolean slash = escaped.endsWith("/") && !text.endsWith("/");
    return RepoPath.parse(slash ? escaped.substring(0, escaped.length() - 1) : escaped).bytes();
  }

  static void create(Path link, byte[] target) throws IOException {
    RepoPath said = RepoPath.of(target);
    if (!POSIX) {
      Files.createSymbolicLink(link, Path.of(new String(target, UTF_8)));
    } else if (isTidy(said)) {
      boolean absolute = target[0] == '/';
      Path path = Path.of(URI.create("file://" + (absolute ? "" : "/") + said.escaped()));
      Files.createSymbolicLink(link, absolute ? path : path.subpath(0, path.getNameCount()));
    } else {
      symlink(target, RepoPath.parse(link.toAbsolutePath().toUri().getRawPath()).bytes());
    }
  }

  /// True if a path of Java can hold the target unchanged.
  private static boolean isTidy(RepoPath said) {
    String text = said.escaped();
    return !text.isEmpty() && !text.contains("//") && (text.equals("/") || !text.endsWith("/"));
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }

  /// POSIX `symlink`.
  @SuppressWarnings("restricted")
  private static void symlink(byte[] target, byte[] link) throws IOException {
    Linker linker = Linker.nativeLinker();
    MethodHandle call =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("symlink"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    int status;
    try (Arena arena = Arena.ofConfined()) {
      status = (int) call.invokeExact(text(target, arena), text(link, arena));
    } catch (Throwable e) {
      throw new IOException("a link could not be made", e);
    }
    if (status != 0) {
      throw new IOException("a link to '" + RepoPath.of(target) + "' could not be made");
    }
  }

  private static MemorySegment text(byte[] bytes, Arena arena) {
    MemorySegment text = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, text, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return text;
  }
}
