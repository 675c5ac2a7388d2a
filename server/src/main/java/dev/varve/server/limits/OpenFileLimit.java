// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.limits;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/// The number of files and connections that the system lets this process open. Beyond it no
/// connection can be accepted, and the store cannot open its files either.
public final class OpenFileLimit {

  /// Descriptors that connections leave to the store, to temporary files and to the JVM.
  private static final long RESERVED = 128;

  private OpenFileLimit() {}

  /// The number of connections that may be open together, at least 1; `Long.MAX_VALUE` if the
  /// system has no such limit.
  public static long connections() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        && system.getMaxFileDescriptorCount() > 0) {
      long free = system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount();
      return Math.max(1, free - RESERVED);
    }
    return Long.MAX_VALUE;
  }
}
