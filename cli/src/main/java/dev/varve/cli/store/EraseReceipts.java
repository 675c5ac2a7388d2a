// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.BlobHash;
import dev.varve.EraseReceipt;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.access.DatabaseStore;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.erase.ReceiptFile;
import dev.varve.json.JsonLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// The receipts of erasures that lie in a store's folder.
public final class EraseReceipts {

  private static final JsonFactory JSON = new JsonFactory();

  private EraseReceipts() {}

  /// The receipt of an erasure.
  ///
  /// @param freedBytes by how much `blobs.pack` became shorter
  /// @param git repositories with the names of the objects that were taken out of them
  record Receipt(
      Path file,
      long run,
      Instant erasedAt,
      Set<BlobHash> hashes,
      long freedBytes,
      Map<String, Set<String>> git) {}

  /// The receipt of a store's erasure, which may not exist.
  public static Path file(Path storeFolder, int run) {
    return storeFolder.resolve(ReceiptFile.name(run));
  }

  /// The file with a receipt. Writes the file unless a store in a folder did.
  public static Path written(Path storeFolder, EraseReceipt receipt) {
    ReceiptFile.writeInto(storeFolder, receipt);
    return file(storeFolder, receipt.run());
  }

  /// Brings the receipts that a store in a database keeps into the folder that this machine has of
  /// the store. A store in a folder has them there.
  public static void fetch(Store store, Path storeFolder) {
    if (store instanceof DatabaseStore database) {
      for (int run = 1; run <= database.lastErasure(); run++) {
        if (!Files.exists(file(storeFolder, run))) {
          database.receipt(run).ifPresent(receipt -> ReceiptFile.writeInto(storeFolder, receipt));
        }
      }
    }
  }

  /// Prints all receipts of a store, the first erasure first.
  public static void print(Path storeFolder, Terminal terminal, boolean json) throws IOException {
    for (Receipt receipt : all(storeFolder)) {
      if (json) {
        new JsonLine()
            .number("run", receipt.run())
            .time("erased_at", receipt.erasedAt())
            .number("blobs", receipt.hashes().size())
            .number("freed_bytes", receipt.freedBytes())
            .text("receipt", receipt.file().toString())
            .print(terminal);
      } else {
        terminal.println(
            receipt.erasedAt()
                + "  "
                + HumanText.count(receipt.hashes().size(), "blob")
                + ", "
                + HumanText.size(receipt.freedBytes()));
        terminal.println("  " + receipt.file());
      }
    }
  }

  private static List<Receipt> all(Path storeFolder) throws IOException {
    try (Stream<Path> files = Files.list(storeFolder)) {
      List<Path> receipts =
          files.filter(file -> ReceiptFile.isName(file.getFileName().toString())).toList();
      return receipts.stream()
          .map(EraseReceipts::read)
          .sorted(Comparator.comparingLong(Receipt::run))
          .toList();
    }
  }

  /// Reads a receipt.
  ///
  /// @throws StoreException.Invalid if the file is no receipt
  static Receipt read(Path file) {
    long run = 0;
    long freedBytes = 0;
    Instant erasedAt = Instant.EPOCH;
    Set<BlobHash> hashes = new HashSet<>();
    Map<String, Set<String>> git = new LinkedHashMap<>();
    String repository = "";
    boolean isGone = false;
    try (JsonParser json =
        JSON.createParser(ObjectReadContext.empty(), Files.newInputStream(file))) {
      while (json.nextToken() != null) {
        String name = json.currentName();
        if (name != null && json.currentToken() == JsonToken.VALUE_STRING) {
          switch (name) {
            case "hash" -> hashes.add(BlobHash.parse(json.getString()));
            case "erased_at" -> erasedAt = Instant.parse(json.getString());
            case "repository" -> repository = json.getString();
            case "object" -> {
              if (isGone) {
                git.computeIfAbsent(repository, _ -> new TreeSet<>()).add(json.getString());
              }
            }
            default -> {}
          }
        } else if (name != null && json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
          switch (name) {
            case "run" -> run = json.getLongValue();
            case "pack_bytes_before" -> freedBytes += json.getLongValue();
            case "pack_bytes_after" -> freedBytes -= json.getLongValue();
            default -> {}
          }
        } else if (name != null && json.currentToken() == JsonToken.START_ARRAY) {
          isGone = name.equals("objects");
        }
      }
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    } catch (JacksonException | DateTimeParseException e) {
      throw new StoreException.Invalid(file.toString(), "expected a receipt of an erasure");
    }
    if (run == 0) {
      throw new StoreException.Invalid(
          file.toString(), "expected a receipt of an erasure, found no number of one");
    }
    return new Receipt(file, run, erasedAt, Set.copyOf(hashes), freedBytes, git);
  }
}
