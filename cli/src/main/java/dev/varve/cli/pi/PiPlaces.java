// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandInput;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ErrorExit;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.StoreAddress;
import dev.varve.cli.terminal.Terminal;
import dev.varve.pi.branch.BranchIndex;
import dev.varve.pi.exchange.BlobSource;
import dev.varve.pi.exchange.BlobTarget;
import dev.varve.pi.exchange.BundleFile;
import dev.varve.pi.exchange.FolderBlobs;
import dev.varve.pi.exchange.HttpBlobs;
import dev.varve.pi.exchange.StoreBlobs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where branches come from and go to.
final class PiPlaces {

  private static final int TOKEN_BYTES_MAX = 4096;
  private static final int PREFIX_MIN = 6;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Holds the server's token. Else $$VARVE_TOKEN, else none is sent.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "Certificates (PEM) of the authority that the server's certificate comes from, if not"
              + " of one that this computer trusts. Else $$VARVE_CA names the file.")
  private @Nullable Path authorities;

  private @Nullable Path authorities(Terminal terminal) {
    String variable = terminal.variable("VARVE_CA");
    return authorities != null || variable.isEmpty() ? authorities : path(variable);
  }

  private String token(Terminal terminal) {
    if (tokenFile == null) {
      return terminal.variable("VARVE_TOKEN").strip();
    }
    byte[] bytes = CommandInput.read(tokenFile.toString(), terminal).bytes();
    if (bytes.length > TOKEN_BYTES_MAX) {
      throw new CommandException(ExitCodes.USAGE, tokenFile + ": too large to be a token", null);
    }
    return new String(bytes, StandardCharsets.UTF_8).strip();
  }

  private HttpBlobs http(String address, Terminal terminal) {
    String token = token(terminal);
    if (token.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
      throw new CommandException(
          ExitCodes.USAGE, "the token: expected visible ASCII characters", null);
    }
    HttpBlobs blobs = new HttpBlobs(address, token, authorities(terminal));
    if (!token.isEmpty() && blobs.isOpenToListeners()) {
      throw new CommandException(
          ExitCodes.USAGE,
          address + ": a token would travel in the clear",
          "Use https, or a tunnel to a port of this computer.");
    }
    return blobs;
  }

  /// An address, a bundle, a store's folder, or a folder of blobs.
  BlobSource source(String place, CommandSession command) {
    if (HttpBlobs.isAddress(place)) {
      return http(place, command.terminal());
    }
    Path path = path(place);
    if (Files.isDirectory(path)) {
      Optional<StoreBlobs> store = store(path, command);
      return store.isPresent() ? store.get() : new FolderBlobs(path);
    }
    if (!Files.exists(path)) {
      throw new CommandException(
          ExitCodes.NOT_FOUND,
          place + ": no such file or folder",
          "A server is named by its address: http://HOST:9010");
    }
    return bundle(path);
  }

  static BundleFile bundle(Path file) {
    try {
      return BundleFile.open(file);
    } catch (StoreException.Corrupt e) {
      throw new CommandException(
          ExitCodes.DAMAGED,
          String.valueOf(e.getMessage()),
          "The file is not a bundle, or not a whole one: bring it here again.");
    }
  }

  /// An address, a store's folder, or a folder of blobs, which is made.
  BlobTarget target(String place, CommandSession command) {
    if (HttpBlobs.isAddress(place)) {
      return http(place, command.terminal());
    }
    Path path = path(place);
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new CommandException(
          ExitCodes.USAGE, place + ": is a file", "'varve pi bundle' makes a file of a branch.");
    }
    Optional<StoreBlobs> store = store(path, command);
    return store.isPresent() ? store.get() : new FolderBlobs(path);
  }

  private static Path path(String place) {
    try {
      return Path.of(place);
    } catch (InvalidPathException e) {
      throw new CommandException(ExitCodes.USAGE, "not a path: " + place, null);
    }
  }

  private static Optional<StoreBlobs> store(Path folder, CommandSession command) {
    return command
        .accessTo(new StoreAddress.InFolder(folder))
        .openIfThere()
        .map(store -> new StoreBlobs(store, folder.toString()));
  }

  /// Finds a branch by its whole hash, or by the first digits of the hash of a branch in this
  /// computer's index.
  static Optional<BlobHash> branch(String text, BranchIndex index) {
    if (text.matches("[0-9a-f]{64}")) {
      return Optional.of(BlobHash.parse(text));
    }
    if (!text.matches("[0-9a-f]{" + PREFIX_MIN + ",63}")) {
      return Optional.empty();
    }
    List<BlobHash> found =
        index.read().keySet().stream().filter(h -> h.toString().startsWith(text)).toList();
    if (found.size() > 1) {
      throw new CommandException(
          ExitCodes.USAGE, text + ": " + found.size() + " branches begin so", "Write more of it.");
    }
    return found.stream().findFirst();
  }

  /// The refusal for a file or a server that the user named: no trouble of the store.
  static CommandException refusal(StoreException.Io e) {
    return new CommandException(ExitCodes.INPUT_OUTPUT, ErrorExit.sentence(e), null);
  }
}
