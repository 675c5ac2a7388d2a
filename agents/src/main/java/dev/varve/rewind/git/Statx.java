// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Looks at many files by `statx` of Linux. A call costs a third of one through `java.nio`, and
/// includes the time of the last change of any kind in nanoseconds. The structure is the same on
/// every processor. For one thread.
///
/// Source: statx(2).
final class Statx {

  private static final int AT_SYMLINK_NOFOLLOW = 0x100;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int BASIC_STATS = 0x7ff;
  private static final int O_DIRECTORY_X86 = 0x10000;
  private static final int O_NOFOLLOW_X86 = 0x20000;
  private static final int O_DIRECTORY_ARM = 0x4000;
  private static final int O_NOFOLLOW_ARM = 0x8000;
  private static final int O_CLOEXEC = 0x80000;
  private static final int AT_FDCWD = -100;

  private static final int KIND = 0170000;
  static final int FOLDER = 0040000;
  static final int FILE = 0100000;
  static final int LINK = 0120000;

  private static final @Nullable Calls CALLS = Calls.find();
  private static final MemorySegment NO_NAME = Arena.global().allocateFrom("");

  private final Calls calls;
  private final MemorySegment buffer = Arena.ofAuto().allocate(256, 8);

  private record Calls(MethodHandle statx, MethodHandle openat, MethodHandle close, int openFlags) {

    @SuppressWarnings("restricted") // three calls of the system
    static @Nullable Calls find() {
      String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
      String processor = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
      boolean arm = processor.equals("aarch64");
      if (!system.equals("linux") || !arm && !processor.equals("amd64")) {
        return null;
      }
      Linker linker = Linker.nativeLinker();
      SymbolLookup names = linker.defaultLookup();
      if (names.find("statx").isEmpty()
          || names.find("openat").isEmpty()
          || names.find("close").isEmpty()) {
        return null;
      }
      int flags =
          O_CLOEXEC | (arm ? O_DIRECTORY_ARM | O_NOFOLLOW_ARM : O_DIRECTORY_X86 | O_NOFOLLOW_X86);
      return new Calls(
          linker.downcallHandle(
              names.findOrThrow("statx"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS)),
          linker.downcallHandle(
              names.findOrThrow("openat"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT),
              Linker.Option.firstVariadicArg(3)),
          linker.downcallHandle(
              names.findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT)),
          flags);
    }
  }

  private Statx(Calls calls) {
    this.calls = calls;
  }

  /// The system's call; null on a system that does not have it.
  static @Nullable Statx open() {
    return CALLS == null ? null : new Statx(CALLS);
  }

  /// Opens a folder that is no link.
  ///
  /// @param folder an open folder that `name` is in; negative if it is absolute
  /// @param name ends in NUL
  /// @return negative if the folder cannot be opened
  int openFolder(int folder, MemorySegment name) {
    try {
      return (int) calls.openat.invokeExact(folder < 0 ? AT_FDCWD : folder, name, calls.openFlags);
    } catch (Throwable e) {
      throw new AssertionError(e); // it has no Java in it
    }
  }

  void close(int folder) {
    try {
      int _ = (int) calls.close.invokeExact(folder);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /// Looks at a file in an open folder. The methods below then return its metadata.
  ///
  /// @return whether the file exists and can be looked at
  boolean look(int folder, MemorySegment name) {
    return call(folder, name, AT_SYMLINK_NOFOLLOW);
  }

  /// Looks at the open folder itself.
  boolean lookAtFolder(int folder) {
    return call(folder, NO_NAME, AT_EMPTY_PATH);
  }

  private boolean call(int folder, MemorySegment name, int flags) {
    try {
      return (int) calls.statx.invokeExact(folder, name, flags, BASIC_STATS, buffer) == 0;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  // ---- of what was looked at last

  int mode() {
    return buffer.get(JAVA_SHORT, 0x1c) & 0xffff;
  }

  int kind() {
    return mode() & KIND;
  }

  long inode() {
    return buffer.get(JAVA_LONG, 0x20);
  }

  long sizeBytes() {
    return buffer.get(JAVA_LONG, 0x28);
  }

  /// In nanoseconds since 1970.
  long changedAt() {
    return nanos(0x60);
  }

  /// In nanoseconds since 1970.
  long modifiedAt() {
    return nanos(0x70);
  }

  private long nanos(long at) {
    return buffer.get(JAVA_LONG, at) * 1_000_000_000L + buffer.get(JAVA_INT, at + 8);
  }
}
