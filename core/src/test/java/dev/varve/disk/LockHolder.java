// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.file.Path;

/// A process that takes a lock and holds it until its input ends or it is killed. It says `locked`,
/// or why not.
public final class LockHolder {

  private LockHolder() {}

  public static void main(String[] args) throws IOException {
    try (DiskLock _ = LocalDisk.open(Path.of(args[0])).lock(args[1], args[2])) {
      System.out.println("locked");
      System.in.read();
    } catch (StoreException.Busy refusal) {
      System.out.println(refusal.getMessage());
    }
  }

  public static Process start(Path folder, String name, String holder) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            LockHolder.class.getName(),
            folder.toString(),
            name,
            holder)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
