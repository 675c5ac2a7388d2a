// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.files;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import java.util.Optional;

/// `flock(2)`, which Java's own file locks are not: those are `fcntl` locks, and on Linux the two
/// do not see each other.
///
/// Three C functions, `open`, `flock`, `close`, of the C library that the process runs with anyway.
/// On Windows, which lacks these functions, this class is absent, and Java's locks are the locks
/// that JP uses too.
final class Flock {

  static final int SHARED = 1;
  static final int EXCLUSIVE = 2;
  private static final int NON_BLOCKING = 4;
  private static final int READ_WRITE = 2;

  /// `O_CLOEXEC`, so that a child that is started meanwhile does not keep the lock.
  private static final int CLOSE_ON_EXEC_LINUX = 0x80000;

  private static final int CLOSE_ON_EXEC_MAC = 0x1000000;

  /// `EAGAIN`: 11 on Linux, 35 on macOS.
  private static final int WOULD_BLOCK_LINUX = 11;

  private static final int WOULD_BLOCK_MAC = 35;

  private static final Optional<Flock> SYSTEM = load();

  private final MethodHandle open;
  private final MethodHandle flock;
  private final MethodHandle close;
  private final StructLayout state;
  private final VarHandle errno;
  private final boolean mac;

  @SuppressWarnings("restricted") // native code is what this file is for
  private Flock(Linker linker, SymbolLookup library, boolean mac) {
    Linker.Option capture = Linker.Option.captureCallState("errno");
    this.state = Linker.Option.captureStateLayout();
    this.errno = state.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    this.mac = mac;
    this.open =
        linker.downcallHandle(
            library.findOrThrow("open"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            capture,
            Linker.Option.firstVariadicArg(2));
    this.flock =
        linker.downcallHandle(
            library.findOrThrow("flock"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT),
            capture);
    this.close =
        linker.downcallHandle(
            library.findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  }

  /// The system's locks; empty where it has none of this kind.
  static Optional<Flock> system() {
    return SYSTEM;
  }

  private static Optional<Flock> load() {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    if (system.startsWith("windows")) {
      return Optional.empty();
    }
    Linker linker = Linker.nativeLinker();
    return Optional.of(new Flock(linker, linker.defaultLookup(), system.startsWith("mac")));
  }

  /// Opens a file that exists.
  ///
  /// @return a descriptor; negative: the error's number, negated
  int open(String path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errors = arena.allocate(state);
      int flags = READ_WRITE | (mac ? CLOSE_ON_EXEC_MAC : CLOSE_ON_EXEC_LINUX);
      int descriptor = (int) open.invokeExact(errors, arena.allocateFrom(path), flags);
      return descriptor >= 0 ? descriptor : -(int) errno.get(errors, 0L);
    } catch (Throwable e) {
      throw new AssertionError("open", e);
    }
  }

  /// Takes a lock, or does not wait for it.
  ///
  /// @return 0 if it was taken, 1 if another holds it; negative: the error's number, negated
  int lock(int descriptor, int kind) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errors = arena.allocate(state);
      int result = (int) flock.invokeExact(errors, descriptor, kind | NON_BLOCKING);
      if (result == 0) {
        return 0;
      }
      int error = (int) errno.get(errors, 0L);
      return error == (mac ? WOULD_BLOCK_MAC : WOULD_BLOCK_LINUX) ? 1 : -error;
    } catch (Throwable e) {
      throw new AssertionError("flock", e);
    }
  }

  void close(int descriptor) {
    try {
      int ignored = (int) close.invokeExact(descriptor);
      if (ignored != 0) {
        throw new AssertionError("close of descriptor " + descriptor);
      }
    } catch (Throwable e) {
      throw new AssertionError("close", e);
    }
  }
}
