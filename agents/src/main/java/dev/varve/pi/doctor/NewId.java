// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import dev.varve.hash.Blake3;
import dev.varve.pi.session.EntryId;
import dev.varve.pi.session.EntryTable;
import java.nio.charset.StandardCharsets;

/// Ids for entries whose own is taken: always the same for the same file.
final class NewId {

  private NewId() {}

  static String of(String id, int entry, EntryTable entries) {
    for (int i = 0; ; i++) {
      byte[] seed = (id + " " + entry + " " + i).getBytes(StandardCharsets.UTF_8);
      String made = Blake3.hash(seed).toString().substring(0, 8);
      if (entries.find(EntryId.of(made)) < 0) {
        return made;
      }
    }
  }
}
