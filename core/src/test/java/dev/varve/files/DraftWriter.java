// SPDX-License-Identifier: Apache-2.0
package dev.varve.files;

import java.io.IOException;
import java.nio.file.Path;

/// A process that writes a draft, says `drafted`, and lets it replace its file once its input ends.
final class DraftWriter {

  private DraftWriter() {}

  public static void main(String[] args) throws IOException {
    try (FileDraft draft = WholeFile.at(Path.of(args[0])).draft()) {
      draft.write(new byte[] {'x'});
      System.out.println(draft.name().isEmpty() ? "nothing" : "drafted");
      int _ = System.in.read();
      draft.replace();
    }
  }

  static Process start(Path file) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            DraftWriter.class.getName(),
            file.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
