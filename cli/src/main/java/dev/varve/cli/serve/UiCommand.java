// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.access.StoreAccess;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.server.ServerConfig;
import dev.varve.server.access.PageEntry;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve ui`: the workbench in a browser.
@Command(
    name = "ui",
    description =
        "Opens the workbench, a page on which people read the store. Starts a service if no service"
            + " has the store.",
    footer = {
      "  varve ui                    opens the page and serves it until Control-C",
      "  varve ui --no-open          prints the link, to be opened by hand",
      "  varve ui --store ./shared   the page of another store"
    })
final class UiCommand implements Callable<Integer> {

  private final CommandSession command;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      description = "The address of the page (default: a free port of 127.0.0.1).")
  private String http = "127.0.0.1:0";

  @Option(names = "--no-open", description = "Prints the link and opens no browser.")
  private boolean isLinkOnly;

  @Mixin private final RestoreOption restores = new RestoreOption();

  @Mixin private final JsonOption output = new JsonOption();

  UiCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() throws InterruptedException {
    PageEntry entry = restores.isAllowed() ? PageEntry.restoring() : PageEntry.reading();
    ServerConfig config =
        ServerConfig.DEFAULTS
            .withHttp(ServeCommand.address("--http", http))
            .withBinary(ServeCommand.address("--binary", "127.0.0.1:0"))
            .withSocket(StoreAccess.socket(command.storeFolder()))
            .withEntry(entry)
            .withSearch(command.storeFolder())
            .withRestores(restores.in(command));
    ServiceRun run;
    try {
      run = ServiceRun.start(command, StoreOptions.DEFAULTS, config);
    } catch (StoreException.Busy e) {
      if (!e.holder().startsWith(StoreAccess.SERVICE_HOLDER)) {
        throw e;
      }
      command.terminal().status("");
      show("running", runningService(), ProcessHandle.current().pid());
      if (restores.isAllowed()) {
        command.terminal().say("--allow-restore counts where the service is started.");
      }
      return ExitCodes.OK;
    }
    run.untilStopped(
        () -> {
          show("ready", run.url() + "/#enter=" + entry.code(), ProcessHandle.current().pid());
          command.terminal().say("The link opens the page once. Control-C stops the service.");
        });
    return ExitCodes.OK;
  }

  private String runningService() {
    return ServiceAddress.in(command.storeFolder())
        .read()
        .map(url -> url.replace("//0.0.0.0:", "//127.0.0.1:") + "/")
        .orElseThrow(
            () ->
                new CommandException(
                    ExitCodes.UNAVAILABLE,
                    "a service has the store, and its address is not known",
                    "Open the HTTP address with which the service was started."));
  }

  private void show(String event, String link, long pid) {
    Terminal terminal = command.terminal();
    if (output.json()) {
      new JsonLine()
          .text("event", event)
          .text("link", link)
          .text("http", link.replaceFirst("/(#.*)?$", ""))
          .number("pid", pid)
          .print(terminal);
    } else {
      terminal.println(link);
    }
    terminal.flush();
    if (!isLinkOnly && !open(link)) {
      terminal.say("no browser could be started: open the link yourself");
    }
  }

  /// Asks the desktop to open a link.
  private static boolean open(String link) {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    List<String> words =
        system.contains("mac")
            ? List.of("open", link)
            : system.contains("windows")
                ? List.of("rundll32", "url.dll,FileProtocolHandler", link)
                : List.of("xdg-open", link);
    try {
      new ProcessBuilder(words)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
