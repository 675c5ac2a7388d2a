// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/// The names of drafts: `.varve-`, a number of the process, a number of the draft, `.part`. No
/// other file of ours has such a name, so a draft is known by it.
public final class DraftName {

  private static final Pattern PATTERN = Pattern.compile("\\.varve-[0-9a-f]{8}-[0-9a-f]{8}\\.part");

  private static final int PROCESS = ThreadLocalRandom.current().nextInt();
  private static final AtomicInteger DRAFTS = new AtomicInteger();

  private DraftName() {}

  /// A name that sorts behind those this process took before.
  static String next() {
    return ".varve-%08x-%08x.part".formatted(PROCESS, DRAFTS.incrementAndGet());
  }

  /// Returns whether a file of this name is a draft of [Disk#createDraft].
  public static boolean matches(String name) {
    return PATTERN.matcher(name).matches();
  }
}
