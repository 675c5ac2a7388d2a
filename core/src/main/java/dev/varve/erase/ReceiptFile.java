// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import dev.varve.BlobHash;
import dev.varve.EraseReceipt;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.LocalDisk;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.Collectors;

/// The receipt of an erasure in the store's folder: one object of JSON, which has names of blobs
/// and no content.
///
/// Page: `docs/format/erasure-receipt.md`.
public final class ReceiptFile {

  private static final String START = "erasure-";
  private static final String END = ".json";
  private static final int STEP_BYTES = 1 << 20;

  private ReceiptFile() {}

  /// The file with the receipt of a store's erasure.
  public static String name(int run) {
    return START + run + END;
  }

  /// Returns whether a file in a store's folder has the name of a receipt.
  public static boolean isName(String file) {
    return file.matches(START + "[1-9][0-9]{0,9}" + END);
  }

  /// Writes a receipt under a name and forces it.
  public static void write(Disk disk, String name, EraseReceipt receipt) {
    disk.delete(name);
    try (DiskFile file = disk.open(name)) {
      StringBuilder text = new StringBuilder(head(receipt));
      long end = 0;
      String separator = "";
      for (Iterator<BlobHash> hashes = receipt.hashes().iterator(); hashes.hasNext(); ) {
        text.append(separator).append("{\"hash\":\"").append(hashes.next()).append("\"}");
        separator = ",";
        if (text.length() >= STEP_BYTES) {
          end = write(file, end, text);
        }
      }
      write(file, end, text.append("]}\n"));
      file.force();
    }
  }

  /// Writes a receipt that is kept elsewhere into a folder, unless the folder has it.
  public static void writeInto(Path folder, EraseReceipt receipt) {
    Disk disk = LocalDisk.open(folder);
    String name = name(receipt.run());
    if (!disk.exists(name)) {
      String draft = name + ".new";
      write(disk, draft, receipt);
      disk.replace(draft, name);
    }
  }

  private static String head(EraseReceipt receipt) {
    return "{\"store_id\":\""
        + receipt.storeId()
        + "\",\"run\":"
        + receipt.run()
        + ",\"erased_at\":\""
        + receipt.erasedAt()
        + "\",\"blobs\":"
        + receipt.hashes().size()
        + ",\"pack_bytes_before\":"
        + receipt.packBytes().before()
        + ",\"pack_bytes_after\":"
        + receipt.packBytes().after()
        + ",\"turns\":["
        + receipt.plan().turns().stream()
            .map(turn -> "\"" + turn + "\"")
            .collect(Collectors.joining(","))
        + "],\"hashes\":[";
  }

  private static long write(DiskFile file, long offset, StringBuilder text) {
    byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
    file.write(offset, ByteBuffer.wrap(bytes));
    text.setLength(0);
    return offset + bytes.length;
  }
}
