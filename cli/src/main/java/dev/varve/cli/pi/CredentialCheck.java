// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.HumanText;
import dev.varve.disk.FileAccess;
import dev.varve.files.FileDraft;
import dev.varve.files.WholeFile;
import dev.varve.pi.exchange.OutgoingBlob;
import dev.varve.pi.secrets.SessionScan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A look for credentials in what is about to leave this computer.
final class CredentialCheck {

  @Option(
      names = "--allow-secrets",
      description = "Lets likely credentials go out, and reports their number.")
  private boolean allowed;

  @Mixin private final SecretOptions options = new SecretOptions();

  /// Refuses blobs in which a rule sees a credential, unless the user allowed them to go out.
  ///
  /// @param progress receives the number of bytes that were looked through
  void demandNone(List<OutgoingBlob> outgoing, CommandSession command, LongConsumer progress) {
    Map<String, Integer> seen = new TreeMap<>();
    for (OutgoingBlob blob : outgoing) {
      scan(blob, command, progress, seen);
    }
    int count = seen.values().stream().mapToInt(Integer::intValue).sum();
    if (count == 0) {
      return;
    }
    String found =
        HumanText.count(count, "likely credential")
            + ": "
            + seen.entrySet().stream()
                .map(rule -> rule.getKey() + " (" + rule.getValue() + ")")
                .collect(Collectors.joining(", "));
    if (!allowed) {
      throw new CommandException(
          ExitCodes.DAMAGED,
          found + "; nothing was sent",
          "'varve pi scan' shows the places, 'varve pi publish --redact' makes a branch without"
              + " them; --allow LIST lists what is not a credential, --allow-secrets sends all the"
              + " same.");
    }
    command.terminal().say(found);
  }

  /// A scan needs a file: a session may be larger than memory.
  private void scan(
      OutgoingBlob blob, CommandSession command, LongConsumer progress, Map<String, Integer> seen) {
    try {
      Path folder = FileAccess.OWNER_ONLY.makeFolders(PiOptions.notes(command).resolve("outgoing"));
      // The copy of a process that was killed is deleted by the next draft in the folder.
      try (FileDraft copy =
              WholeFile.at(folder.resolve("scan")).with(FileAccess.OWNER_ONLY).draft();
          InputStream in = blob.contents().open()) {
        in.transferTo(copy.out());
        SessionScan.of(
            folder.resolve(copy.name()),
            options.rules(),
            options.allowed(),
            finding -> seen.merge(finding.rule(), 1, Integer::sum),
            progress);
      }
    } catch (IOException e) {
      throw new StoreException.Io("blob " + blob.hash(), "cannot be looked through", e);
    }
  }
}
