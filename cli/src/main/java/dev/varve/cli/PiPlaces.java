// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.branch.BranchIndex;
import dev.varve.local.LocalStore;
import dev.varve.travel.BlobSource;
import dev.varve.travel.BlobTarget;
import dev.varve.travel.BundleFile;
import dev.varve.travel.FolderBlobs;
import dev.varve.travel.HttpBlobs;
import dev.varve.travel.StoreBlobs;
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

  private String token(Terminal terminal) {
    if (tokenFile == null) {
      return terminal.variable("VARVE_TOKEN").strip();
    }
    byte[] bytes = Input.read(tokenFile.toString(), terminal).bytes();
    if (bytes.length > TOKEN_BYTES_MAX) {
      throw new Refusal(ExitCodes.USAGE, tokenFile + ": too large to be a token", null);
    }
    return new String(bytes, StandardCharsets.UTF_8).strip();
  }

  private HttpBlobs http(String address, Terminal terminal) {
    String token = token(terminal);
    if (token.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
      throw new Refusal(ExitCodes.USAGE, "the token: expected visible ASCII characters", null);
    }
    HttpBlobs blobs = new HttpBlobs(address, token);
    if (!token.isEmpty() && blobs.isOpenToListeners()) {
      throw new Refusal(
          ExitCodes.USAGE,
          address + ": a token would travel in the clear",
          "Use https, or a tunnel to a port of this computer.");
    }
    return blobs;
  }

  /// An address, a bundle, a store's folder, or a folder of blobs.
  BlobSource source(String place, Terminal terminal) {
    if (HttpBlobs.isAddress(place)) {
      return http(place, terminal);
    }
    Path path = path(place);
    if (Files.isDirectory(path)) {
      Optional<StoreBlobs> store = store(path);
      return store.isPresent() ? store.get() : new FolderBlobs(path);
    }
    if (!Files.exists(path)) {
      throw new Refusal(
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
      throw new Refusal(
          ExitCodes.DAMAGED,
          String.valueOf(e.getMessage()),
          "It is no bundle, or not all of one: it has to be brought here again.");
    }
  }

  /// An address, a store's folder, or a folder of blobs, which is made.
  BlobTarget target(String place, Terminal terminal) {
    if (HttpBlobs.isAddress(place)) {
      return http(place, terminal);
    }
    Path path = path(place);
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new Refusal(
          ExitCodes.USAGE, place + ": is a file", "'varve pi bundle' makes a file of a branch.");
    }
    Optional<StoreBlobs> store = store(path);
    return store.isPresent() ? store.get() : new FolderBlobs(path);
  }

  private static Path path(String place) {
    try {
      return Path.of(place);
    } catch (InvalidPathException e) {
      throw new Refusal(ExitCodes.USAGE, "not a path: " + place, null);
    }
  }

  private static Optional<StoreBlobs> store(Path folder) {
    try {
      LocalStore store = LocalStore.openExisting(folder, StoreOptions.DEFAULTS);
      return Optional.of(new StoreBlobs(store, folder.toString()));
    } catch (StoreException.NoStore e) {
      return Optional.empty();
    }
  }

  /// The branch that `text` means: a whole hash, or how that of one of this computer begins.
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
      throw new Refusal(
          ExitCodes.USAGE, text + ": " + found.size() + " branches begin so", "Write more of it.");
    }
    return found.stream().findFirst();
  }

  /// What went wrong with a file or a server that the user named, which is not the store's trouble.
  static Refusal refusal(StoreException.Io e) {
    return new Refusal(ExitCodes.INPUT_OUTPUT, Ending.sentence(e), null);
  }
}
