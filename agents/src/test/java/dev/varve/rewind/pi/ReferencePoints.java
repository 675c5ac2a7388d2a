// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import java.nio.file.Path;

/// Prints what the marks of real sessions mean: file, entry and snapshot, a binding a line. Run by
/// `.ci/rewind-marks.sh`, which knows by itself what they must be.
final class ReferencePoints {

  private ReferencePoints() {}

  public static void main(String[] files) {
    for (String file : files) {
      new SnapshotBindings(SessionLog.read(Path.of(file)))
          .all()
          .forEach((entry, snapshot) -> System.out.println(file + "\t" + entry + "\t" + snapshot));
    }
  }
}
