// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextId;
import dev.varve.ErasePlan;
import dev.varve.EraseRequest;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandInput;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DryRunOption;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.session.TimeArgument;
import dev.varve.cli.store.EraseReceipts;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve erase`
@Command(
    name = "erase",
    description = {
      "Erases content from every file of the store, for good.",
      "",
      "Shows what goes and what stays, asks, erases, and writes a receipt. Turns",
      "keep their numbers and times. The store refuses erased content from then on.",
      "Backups and copies elsewhere are not reached. A service that has the store goes",
      "on; writers wait only at the end."
    },
    footer = {
      "  varve erase --context 12 --dry-run     shows what goes and what stays",
      "  varve erase --secret-file -            reads the secret from standard input",
      "  varve erase --rule aws-access-token --dry-run",
      "  varve erase --project shop --before 2026-01-01",
      "  varve erase --secret-file - --prune-git    takes snapshots in git away too",
      "  varve erase --receipts                 lists what was erased, and when"
    })
final class EraseCommand implements Callable<Integer> {

  private final CommandSession command;

  @Option(
      names = "--context",
      paramLabel = "CONTEXT",
      description = "The content that only this context has. May be repeated.")
  private List<ContextId> contexts = new ArrayList<>();

  @Option(
      names = "--blob",
      paramLabel = "HASH",
      description = "This blob, whatever needs it. May be repeated.")
  private List<BlobHash> blobs = new ArrayList<>();

  @Option(
      names = "--secret",
      paramLabel = "TEXT",
      description = "Every blob with this text in it, also in JSON and base64.")
  private List<String> secrets = new ArrayList<>();

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description =
          "The same with a text from a file, without its last line feed; -: standard input.")
  private @Nullable String secretFile;

  @Option(
      names = "--rule",
      paramLabel = "RULE",
      description = "Every credential that this rule of the scan finds. May be repeated.")
  private List<String> rules = new ArrayList<>();

  @Option(
      names = "--project",
      paramLabel = "PROJECT",
      description = "The content that only contexts of this project have; needs --before.")
  private @Nullable String project;

  @Option(
      names = "--before",
      paramLabel = "TIME",
      description = "Only contexts that were last active before then: 400d, 2026-01-01.")
  private @Nullable String before;

  @Option(
      names = "--leave-held",
      description = "Leaves what contexts under a hold need, and erases the rest.")
  private boolean leaveHeld;

  @Option(names = "--receipts", description = "Lists the receipts of all erasures of the store.")
  private boolean receipts;

  @Mixin private final DryRunOption dryRun = new DryRunOption();

  @Option(
      names = {"-y", "--yes"},
      description = "Erases without asking.")
  private boolean yes;

  @Mixin private final GitOptions git = new GitOptions();
  @Mixin private final JsonOption output = new JsonOption();

  EraseCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() throws IOException {
    Terminal terminal = command.terminal();
    if (receipts) {
      try (BulkStore store = command.openExisting()) { // completes what a crash broke off
        EraseReceipts.fetch(store, command.storeFolder());
      }
      EraseReceipts.print(command.storeFolder(), terminal, output.json());
      return ExitCodes.OK;
    }
    List<Payload> texts = texts();
    if (rules.isEmpty() && before == null && isNothingChosen(texts)) {
      throw new CommandException(
          ExitCodes.USAGE,
          "erase: expected something to erase, found nothing",
          "'--context', '--blob', '--secret', '--rule' or '--project' chooses what goes; "
              + "'--dry-run' shows it first.");
    }
    ErasureDialog dialog = new ErasureDialog(command, ErasureDialog.Purpose.ERASE, output.json());
    try (BulkStore store = command.openExisting()) {
      if (!rules.isEmpty()) {
        texts.addAll(textsOfRules(store, dialog));
      }
      if (!rules.isEmpty() && isNothingChosen(texts)) {
        dialog.nothing();
        return ExitCodes.OK;
      }
      EraseRequest request =
          new EraseRequest(chosenContexts(store), new HashSet<>(blobs), texts, leaveHeld, false);
      ErasePlan plan;
      try (ProgressIndicator _ = dialog.indicator()) {
        plan = plan(store, request, dialog);
      }
      return dialog.run(store, request, plan, new ErasureDialog.Answers(dryRun.dry(), yes, git));
    }
  }

  private static ErasePlan plan(Store store, EraseRequest request, ErasureDialog dialog) {
    try {
      return dialog.plan(store, request);
    } catch (StoreException.Conflict held) {
      throw new CommandException(
          ExitCodes.USAGE,
          String.valueOf(held.getMessage()),
          "'--leave-held' erases the rest, 'varve keep --release' ends a hold.");
    }
  }

  private List<Payload> texts() {
    List<Payload> texts = new ArrayList<>();
    secrets.forEach(text -> texts.add(Payload.utf8(text)));
    if (secretFile != null) {
      String text =
          new String(
              CommandInput.read(secretFile, command.terminal()).unsafeArray(),
              StandardCharsets.ISO_8859_1);
      texts.add(
          Payload.wrap(text.replaceFirst("\r?\n\\z", "").getBytes(StandardCharsets.ISO_8859_1)));
    }
    return texts;
  }

  /// The credentials that rules find. Without any, the other choices may have nothing to erase.
  private List<Payload> textsOfRules(BulkStore store, ErasureDialog dialog) throws IOException {
    RuleSecrets search = new RuleSecrets(store, rules);
    List<Payload> found;
    try (ProgressIndicator _ = dialog.indicator()) {
      found = search.find();
    }
    String unfit =
        search.unfit() == 0
            ? ""
            : "; too short or too long to be erased: " + HumanText.number(search.unfit());
    command.terminal().say("found by rule: " + HumanText.count(found.size(), "secret") + unfit);
    return found;
  }

  private boolean isNothingChosen(List<Payload> texts) {
    return texts.isEmpty() && contexts.isEmpty() && blobs.isEmpty() && project == null;
  }

  private Set<ContextId> chosenContexts(Store store) {
    Set<ContextId> chosen = new HashSet<>(contexts);
    if (project == null && before == null) {
      return chosen;
    }
    if (project == null || before == null) {
      throw new CommandException(
          ExitCodes.USAGE, "erase: --project and --before belong together", null);
    }
    Instant end = TimeArgument.parse("--before", before, command.terminal());
    chosen.addAll(
        new OldConversations(store).find(List.of(new OldConversations.Age(end, project))));
    if (chosen.isEmpty()) {
      throw new StoreException.NotFound("context", "of project " + project + " before " + before);
    }
    return chosen;
  }
}
