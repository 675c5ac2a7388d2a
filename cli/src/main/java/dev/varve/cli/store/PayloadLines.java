// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.Payload;
import dev.varve.StoreLimits;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// The lines of an input, each a payload, without their line feeds. Empty lines are left out.
final class PayloadLines {

  private final InputStream in;
  private long number;

  PayloadLines(InputStream in) {
    this.in = new BufferedInputStream(in);
  }

  /// The next line that is not empty; null at the end.
  ///
  /// @throws dev.varve.StoreException.TooLarge if the line is larger than a payload may be
  @Nullable Payload next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (line.size() == 0) {
      int read = in.read();
      if (read < 0) {
        return null;
      }
      number++;
      for (; read >= 0 && read != '\n'; read = in.read()) {
        line.write(read);
        StoreLimits.DEFAULTS.checkPayload(line.size());
      }
    }
    return Payload.wrap(line.toByteArray());
  }

  /// The number of the last line; empty lines are counted.
  long number() {
    return number;
  }
}
