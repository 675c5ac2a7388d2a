// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.files.FileDraft;
import dev.varve.files.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Branches in one file, a zip archive (docs/format/pi-bundle.md): unpacked it is a [FolderBlobs].
/// The same branches give the same bytes.
public final class BranchBundle {

  /// The entry that names the branches; the first one.
  static final String INDEX = "varve-bundle.json";

  static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private BranchBundle() {}

  /// Writes `chains` into a file that must not exist yet.
  ///
  /// @return how many blobs it has
  /// @throws StoreException.Conflict if there is something of that name
  /// @throws StoreException.Io if it cannot be written
  public static int write(List<BranchChain> chains, Path target) {
    Set<BlobHash> written = new HashSet<>();
    try (FileDraft file = WholeFile.at(target).newDraft()) {
      ZipOutputStream zip = new ZipOutputStream(file.out());
      entry(INDEX, zip);
      zip.write(index(chains).getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
      for (BranchChain chain : chains) {
        for (OutgoingBlob parcel : chain.parcels()) {
          if (written.add(parcel.hash())) {
            entry(FolderBlobs.PATH + parcel.hash(), zip);
            copy(parcel, zip);
            zip.closeEntry();
          }
        }
      }
      zip.finish();
      file.claim();
      return written.size();
    } catch (IOException e) {
      throw new StoreException.Io(target.toString(), "cannot be written", e);
    }
  }

  private static String index(List<BranchChain> chains) {
    return chains.stream()
        .map(chain -> "\"" + chain.branch() + "\"")
        .distinct()
        .collect(
            Collectors.joining(
                ",", "{\"type\":\"varve.pi.bundle\",\"version\":1,\"branches\":[", "]}\n"));
  }

  private static void entry(String name, ZipOutputStream zip) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(TIME);
    zip.putNextEntry(entry);
  }

  private static void copy(OutgoingBlob parcel, OutputStream out) throws IOException {
    try (InputStream in = parcel.contents().open()) {
      in.transferTo(out);
    }
  }
}
