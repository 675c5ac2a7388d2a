// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.StoreOptions;
import dev.varve.access.StoreAccess;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.server.ServerConfig;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `varve serve`
@Command(
    name = "serve",
    description = "Serves the store to other programs until something stops it.",
    footer = {
      "  varve serve                             HTTP on 127.0.0.1:9010, cxdb's protocol on :9009",
      "  varve serve --http 127.0.0.1:0          a port that the system chooses, and prints",
      "  curl -s http://127.0.0.1:9010/v1/contexts",
      "  varve serve --http 0.0.0.0:9010 --tls-cert c.pem --tls-key k.pem --token-file tokens"
    })
final class ServeCommand implements Callable<Integer> {

  private final CommandSession command;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      description = "The address for HTTP (default: 127.0.0.1:9010).")
  private String http = "127.0.0.1:9010";

  @Option(
      names = "--binary",
      paramLabel = "HOST:PORT",
      description = "The address for cxdb's binary protocol (default: 127.0.0.1:9009).")
  private String binary = "127.0.0.1:9009";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Admits only clients that show a token of this file ('varve token').")
  private @Nullable Path tokens;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "Certificates, PEM: speaks TLS on both ports. Needs --tls-key.")
  private @Nullable Path certificates;

  @Option(names = "--tls-key", paramLabel = "FILE", description = "Their private key, PEM.")
  private @Nullable Path key;

  @Mixin private final LogOptions logs = new LogOptions();

  @Option(
      names = "--allow-host",
      paramLabel = "NAME",
      description =
          "A host name that requests over HTTP may be addressed to, beside this machine's.")
  private List<String> hosts = new ArrayList<>();

  @Option(
      names = "--allow-origin",
      paramLabel = "URL",
      description = "A web site whose pages may use the HTTP port (CORS), as https://name.")
  private List<String> origins = new ArrayList<>();

  @Mixin private final StoreTuning tuning = new StoreTuning();

  @Mixin private final RetentionOption retention = new RetentionOption();

  @Mixin private final RestoreOption restores = new RestoreOption();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "More options, as lines 'cache-mib = 64'. Else $$VARVE_CONFIG names the file.")
  private @Nullable Path settingsFile;

  @Option(
      names = "--print-config",
      description = "Prints each option with its value and the value's source, and ends.")
  private boolean printsSettings;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private final JsonOption output = new JsonOption();

  ServeCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() throws InterruptedException {
    ServeSettings settings = ServeSettings.apply(spec, command.terminal(), settingsFile);
    ServerConfig config;
    StoreOptions options;
    try {
      config = config();
      options = tuning.options();
    } catch (CommandException e) {
      throw settings.placed(e);
    }
    if (printsSettings) {
      settings.print(command.terminal(), output.json());
      return ExitCodes.OK;
    }
    logs.applyTo(command.terminal());
    ServeSettings.reportUnusedOfCxdb(command.terminal());
    ServiceRun run = ServiceRun.start(command, options, config);
    sayStart(run, settings);
    run.untilStopped(() -> sayReady(run));
    return ExitCodes.OK;
  }

  /// Reports what runs here, and from which settings.
  private void sayStart(ServiceRun run, ServeSettings settings) {
    Terminal terminal = command.terminal();
    if (terminal.isQuiet()) {
      return;
    }
    terminal.talkLines(
        logs.line(terminal)
                .text("version", ServiceRun.version())
                .text("store", command.address().shown())
                .number("format", run.formatVersion())
                .text("settings", settings.origins())
                .built()
            + "\n");
  }

  private ServerConfig config() {
    if ((certificates == null) != (key == null)) {
      throw new CommandException(
          ExitCodes.USAGE, "--tls-cert and --tls-key: expected both or none", null);
    }
    return ServerConfig.DEFAULTS
        .withHttp(address("--http", http))
        .withBinary(address("--binary", binary))
        .withSocket(StoreAccess.socket(command.storeFolder()))
        .withSearch(command.storeFolder())
        .withRestores(restores.in(command))
        .withTokens(tokens)
        .withTls(
            certificates == null || key == null
                ? null
                : new ServerConfig.TlsConfig(certificates, key))
        .withLogs(logs.config(command.terminal()))
        .withRetention(retention.duty(command))
        .withHosts(lowerCase(hosts))
        .withOrigins(lowerCase(origins));
  }

  private static Set<String> lowerCase(List<String> names) {
    return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
  }

  private void sayReady(ServiceRun run) {
    Terminal terminal = command.terminal();
    String place = command.address().shown();
    String url = run.url();
    if (output.json()) {
      new JsonLine()
          .text("event", "ready")
          .text("store", place)
          .text("http", url)
          .text("binary", ServiceRun.shown(run.server().binaryAddress()))
          .text("socket", StoreAccess.socket(command.storeFolder()).path().toString())
          .number("pid", ProcessHandle.current().pid())
          .print(terminal);
    } else {
      terminal.println(
          "ready: "
              + place
              + " on "
              + url
              + " and "
              + ServiceRun.shown(run.server().binaryAddress()));
    }
    terminal.flush();
    terminal.say("Control-C stops it.");
  }

  /// Reads `HOST:PORT`, `[V6]:PORT`, or a port alone, which means this machine only.
  static InetSocketAddress address(String option, String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "127.0.0.1" : text.substring(0, colon).replaceAll("^\\[|]$", "");
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (port >= 0 && port <= 0xffff && !host.isEmpty()) {
        return new InetSocketAddress(host, port);
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw new CommandException(
        ExitCodes.USAGE, option + ": expected HOST:PORT, found '" + text + "'", null);
  }
}
