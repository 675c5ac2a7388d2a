// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.StoreException;
import dev.varve.local.LocalStore;
import dev.varve.server.Server;
import dev.varve.server.ServerConfig;
import dev.varve.server.types.BundleFiles;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve serve`
@Command(
    name = "serve",
    description = "Serves the store to other programs until it is told to stop.",
    footer = {
      "  varve serve                             HTTP on 127.0.0.1:9010, cxdb's protocol on :9009",
      "  varve serve --http 127.0.0.1:0          a port that the system chooses, and prints",
      "  curl -s http://127.0.0.1:9010/v1/contexts",
      "  varve serve --http 0.0.0.0:9010 --tls-cert c.pem --tls-key k.pem --token-file tokens"
    })
final class Serve implements Callable<Integer> {

  private static final String HOW_TO_BE_SAFE =
      "Give --tls-cert, --tls-key and --token-file ('varve token create'), or leave the address"
          + " out.";

  private final Varve varve;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      description = "Where HTTP is answered (default: 127.0.0.1:9010).")
  private @Nullable String http;

  @Option(
      names = "--binary",
      paramLabel = "HOST:PORT",
      description = "Where cxdb's binary protocol is answered (default: 127.0.0.1:9009).")
  private @Nullable String binary;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Lets in only clients that show a token of this file ('varve token').")
  private @Nullable Path tokens;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "Certificates, PEM: speaks TLS on both ports. Needs --tls-key.")
  private @Nullable Path certificates;

  @Option(names = "--tls-key", paramLabel = "FILE", description = "Their private key, PEM.")
  private @Nullable Path key;

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      description = "Notes who wrote what, one JSON object a line.")
  private @Nullable Path audit;

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

  @Mixin private final JsonOption output = new JsonOption();

  Serve(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() throws InterruptedException {
    ServerConfig config = config();
    LocalStore store = varve.open();
    Server server = start(store, config);
    CountDownLatch stopped = new CountDownLatch(1);
    Thread end = new Thread(() -> end(server, stopped), "varve-end");
    Runtime.getRuntime().addShutdownHook(end);
    sayReady(server);
    stopped.await();
    return ExitCodes.OK;
  }

  private ServerConfig config() {
    if ((certificates == null) != (key == null)) {
      throw new Refusal(ExitCodes.USAGE, "--tls-cert and --tls-key: expected both or none", null);
    }
    ServerConfig config = ServerConfig.DEFAULTS;
    if (http != null) {
      config = config.withHttp(address("--http", http));
    }
    if (binary != null) {
      config = config.withBinary(address("--binary", binary));
    }
    return config
        .withTokens(tokens)
        .withTls(certificates, key)
        .withAudit(audit)
        .withHosts(lowerCase(hosts))
        .withOrigins(lowerCase(origins));
  }

  private static Set<String> lowerCase(List<String> names) {
    return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
  }

  private Server start(LocalStore store, ServerConfig config) {
    try {
      String version = Version.text().substring("varve ".length());
      return Server.start(
          store, BundleFiles.of(varve.storeFolder()), config, version, varve.terminal().clock());
    } catch (StoreException.Busy e) {
      throw new Refusal(
          ExitCodes.UNAVAILABLE,
          String.valueOf(e.getMessage()),
          "--http and --binary choose other ports; port 0 lets the system choose.");
    } catch (StoreException.Invalid e) {
      String message = String.valueOf(e.getMessage());
      boolean unsafe = message.contains("needs TLS and tokens");
      throw new Refusal(ExitCodes.USAGE, message, unsafe ? HOW_TO_BE_SAFE : null);
    }
  }

  /// Runs when the process is told to stop. A shell's and an init system's way to say so is a
  /// signal, after which Java would report 143 however well it ended; halting says that all was put
  /// in order.
  private void end(Server server, CountDownLatch stopped) {
    try {
      varve.terminal().say("stopping: what was accepted is finished first");
      server.close();
      stopped.countDown();
      varve.terminal().flush();
    } catch (RuntimeException | Error e) {
      Runtime.getRuntime().halt(Ending.of(e, varve.terminal()));
    }
    Runtime.getRuntime().halt(ExitCodes.OK);
  }

  private void sayReady(Server server) {
    Terminal terminal = varve.terminal();
    String folder = varve.storeFolder().toAbsolutePath().toString();
    String url = (certificates == null ? "http://" : "https://") + shown(server.httpAddress());
    if (output.json()) {
      new JsonLine()
          .text("event", "ready")
          .text("store", folder)
          .text("http", url)
          .text("binary", shown(server.binaryAddress()))
          .number("pid", ProcessHandle.current().pid())
          .print(terminal);
    } else {
      terminal.println("ready: " + folder + " on " + url + " and " + shown(server.binaryAddress()));
    }
    terminal.flush();
    terminal.say("Control-C stops it.");
  }

  private static String shown(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
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
    throw new Refusal(ExitCodes.USAGE, option + ": expected HOST:PORT, found '" + text + "'", null);
  }
}
