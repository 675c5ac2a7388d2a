// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Notices to systemd about the state of a service (sd_notify(3)): one datagram to the socket that
/// the environment variable `NOTIFY_SOCKET` names.
///
/// Java has no datagram sockets of the Unix domain, so the C library's are called. Without systemd,
/// or where a notice cannot be sent, nothing happens: a service runs all the same.
final class SystemdNotice {

  private static final System.Logger LOG = System.getLogger(SystemdNotice.class.getPackageName());

  static final String READY = "READY=1";
  static final String STOPPING = "STOPPING=1";

  /// `AF_UNIX` and `SOCK_DGRAM | SOCK_CLOEXEC` of Linux.
  private static final short UNIX_FAMILY = 1;

  private static final int DATAGRAM_CLOSED_ON_EXEC = 2 | 0x80000;

  /// `sockaddr_un`: the family, then a path of at most 107 bytes and a zero.
  private static final int PATH_OFFSET = 2;

  private static final int PATH_BYTES_MAX = 107;

  private SystemdNotice() {}

  /// Sends a notice to the socket that `NOTIFY_SOCKET` names, if the variable is set.
  static void send(String notice) {
    String socket = System.getenv("NOTIFY_SOCKET");
    if (socket != null && !socket.isEmpty()) {
      send(socket, notice);
    }
  }

  /// Sends a notice to a socket.
  ///
  /// @param socket an absolute path, or `@` and the name of an abstract socket
  /// @return whether the notice was sent
  static boolean send(String socket, String notice) {
    byte[] path = socket.getBytes(UTF_8);
    if (path.length > PATH_BYTES_MAX || path[0] != '/' && path[0] != '@') {
      LOG.log(System.Logger.Level.WARNING, "NOTIFY_SOCKET: expected a path, found " + socket);
      return false;
    }
    if (path[0] == '@') {
      path[0] = 0; // the kernel's mark of an abstract name
    }
    try (Arena arena = Arena.ofConfined()) {
      return send(arena, path, arena.allocateFrom(JAVA_BYTE, notice.getBytes(UTF_8)));
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.WARNING, "no notice to systemd: " + e);
      return false;
    }
  }

  private static boolean send(Arena arena, byte[] path, MemorySegment notice) throws Throwable {
    MemorySegment address = arena.allocate(PATH_OFFSET + PATH_BYTES_MAX + 1);
    address.set(JAVA_SHORT, 0, UNIX_FAMILY);
    MemorySegment.copy(path, 0, address, JAVA_BYTE, PATH_OFFSET, path.length);
    MethodHandle open = function("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    MethodHandle send =
        function("sendto", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
    MethodHandle close = function("close", JAVA_INT, JAVA_INT);
    int descriptor = (int) open.invokeExact((int) UNIX_FAMILY, DATAGRAM_CLOSED_ON_EXEC, 0);
    if (descriptor < 0) {
      return false;
    }
    try {
      long sent =
          (long)
              send.invokeExact(
                  descriptor, notice, notice.byteSize(), 0, address, PATH_OFFSET + path.length);
      return sent == notice.byteSize();
    } finally {
      int _ = (int) close.invokeExact(descriptor);
    }
  }

  @SuppressWarnings("restricted") // calls of native code, which the launcher allows
  private static MethodHandle function(
      String name, MemoryLayout result, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
  }
}
