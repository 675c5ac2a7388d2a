// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.BlobHash;
import dev.varve.EraseReceipt;
import dev.varve.StoreException;
import dev.varve.files.WholeFile;
import dev.varve.json.JsonLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// Receipts of erasures: files of JSON in the folder `receipts` of a store's folder. They are no
/// part of the store and have no content, only names.
final class EraseReceipts {

  private static final String FOLDER = "receipts";
  private static final JsonFactory JSON = new JsonFactory();

  private EraseReceipts() {}

  /// Writes a receipt, which survives a power cut when this returns.
  static Path write(Path storeFolder, EraseReceipt receipt) throws IOException {
    Path folder = Files.createDirectories(storeFolder.resolve(FOLDER));
    Path file = folder.resolve("erasure-" + receipt.run() + ".json");
    StringBuilder text = new StringBuilder();
    new JsonLine()
        .text("store_id", receipt.storeId().toString())
        .number("run", receipt.run())
        .time("erased_at", receipt.erasedAt())
        .number("blobs", receipt.hashes().size())
        .number("pack_bytes_before", receipt.packBytes().before())
        .number("pack_bytes_after", receipt.packBytes().after())
        .ids("turns", receipt.plan().turns())
        .objects("hashes", receipt.hashes(), (each, hash) -> each.hash("hash", hash))
        .print(line -> text.append(line).append('\n'));
    WholeFile.at(file).replace(text.toString());
    return file;
  }

  /// The names of the blobs that a receipt is about.
  ///
  /// @throws StoreException.Invalid if the file is no receipt
  static Set<BlobHash> hashes(Path file) throws IOException {
    Set<BlobHash> hashes = new HashSet<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), Files.readAllBytes(file))) {
      while (json.nextToken() != null) {
        if (json.currentToken() == JsonToken.VALUE_STRING && "hash".equals(json.currentName())) {
          hashes.add(BlobHash.parse(json.getString()));
        }
      }
    } catch (JacksonException e) {
      throw new StoreException.Invalid(file.toString(), "expected a receipt of an erasure");
    }
    if (hashes.isEmpty()) {
      throw new StoreException.Invalid(
          file.toString(), "expected a receipt of an erasure, found no names of blobs");
    }
    return hashes;
  }
}
