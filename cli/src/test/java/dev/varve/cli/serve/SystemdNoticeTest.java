// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The numbers of system calls' arguments are those of Linux, where systemd is.
class SystemdNoticeTest {

  @TempDir private Path folder;

  @Test
  void aNoticeArrivesAtAPath() throws Throwable {
    String socket = folder.resolve("notify").toString();
    assertThat(received(socket, () -> SystemdNotice.send(socket, SystemdNotice.READY)))
        .isEqualTo("READY=1");
  }

  @Test
  void aNoticeArrivesAtAnAbstractName() throws Throwable {
    String socket = "@varve-test-" + ProcessHandle.current().pid();
    assertThat(received(socket, () -> SystemdNotice.send(socket, SystemdNotice.STOPPING)))
        .isEqualTo("STOPPING=1");
  }

  @Test
  void aSocketThatIsAbsentOrHasNoPathIsNoFault() {
    assertThat(SystemdNotice.send(folder.resolve("absent").toString(), "READY=1")).isFalse();
    assertThat(SystemdNotice.send("relative", "READY=1")).isFalse();
    assertThat(SystemdNotice.send("/" + "x".repeat(107), "READY=1")).isFalse();
  }

  private static String received(String socket, Runnable sender) throws Throwable {
    MethodHandle open = function("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    MethodHandle bind = function("bind", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    MethodHandle receive = function("recv", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    MethodHandle close = function("close", JAVA_INT, JAVA_INT);
    byte[] path = socket.getBytes(UTF_8);
    if (path[0] == '@') {
      path[0] = 0;
    }
    int descriptor = (int) open.invokeExact(1, 2, 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(110);
      address.set(JAVA_SHORT, 0, (short) 1);
      MemorySegment.copy(path, 0, address, JAVA_BYTE, 2, path.length);
      assertThat((int) bind.invokeExact(descriptor, address, 2 + path.length)).isZero();
      sender.run();
      MemorySegment message = arena.allocate(64);
      int withoutWaiting = 0x40;
      long size = (long) receive.invokeExact(descriptor, message, 64L, withoutWaiting);
      assertThat(size).as("a datagram is there").isPositive();
      return new String(message.asSlice(0, size).toArray(JAVA_BYTE), UTF_8);
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
