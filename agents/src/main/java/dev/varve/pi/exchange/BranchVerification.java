// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.pi.branch.Sidecar;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The result of reading every byte of some branches.
///
/// @param branches how many, parents included
/// @param blobs how many were read and have their hash
/// @param problems in sentences; what is wrong
/// @param missing parents that are not there: the branches are of use without them
public record BranchVerification(
    int branches, int blobs, long bytes, List<String> problems, List<BlobHash> missing) {

  private static final int PIECE_BYTES = 256 << 10;

  public BranchVerification {
    problems = List.copyOf(problems);
    missing = List.copyOf(missing);
  }

  public boolean sound() {
    return problems.isEmpty();
  }

  /// Verifies all of a bundle: every entry, and that its branches lead to what is in it.
  public static BranchVerification of(BundleFile bundle, TransferBudget budget) {
    Reading reading = new Reading(bundle, budget);
    Set<BlobHash> seen = new HashSet<>();
    for (BundleFile.Entry entry : bundle.entries()) {
      if (entry.hash().isEmpty()) {
        reading.problems.add(entry.name() + ": does not belong in a bundle");
      } else if (!seen.add(entry.hash().get())) {
        reading.problems.add(entry.name() + ": is there twice");
      } else {
        reading.blob(entry.hash().get());
      }
    }
    bundle.branches().forEach(reading::branch);
    for (BlobHash hash : seen) {
      if (!reading.reached.contains(hash)) {
        reading.problems.add("blob " + hash + ": no branch leads to it");
      }
    }
    return reading.result();
  }

  /// Verifies all of a folder of blobs: every file, and that its branches lead to what is in it. A
  /// session that no branch leads to is none the worse: its push broke off.
  ///
  /// @throws StoreException.NotFound if it is no folder of blobs
  /// @throws IOException if its files cannot be listed
  public static BranchVerification of(FolderBlobs folder, TransferBudget budget)
      throws IOException {
    Reading reading = new Reading(folder, budget);
    List<BlobHash> sidecars = new ArrayList<>();
    for (String name : folder.names()) {
      if (!name.matches("[0-9a-f]{64}")) {
        reading.problems.add(name + ": does not belong in a folder of blobs");
        continue;
      }
      BlobHash hash = BlobHash.parse(name);
      int before = reading.problems.size();
      reading.blob(hash);
      if (reading.problems.size() == before && reading.isSidecar(hash)) {
        sidecars.add(hash);
      }
    }
    sidecars.forEach(reading::branch);
    return reading.result();
  }

  /// Verifies a branch, its session, and its parents.
  public static BranchVerification of(BlobSource source, BlobHash branch, TransferBudget budget) {
    Reading reading = new Reading(source, budget);
    reading.branch(branch);
    return reading.result();
  }

  private static final class Reading {
    private final BlobSource source;
    private final TransferBudget budget;
    private final List<String> problems = new ArrayList<>();
    private final Set<BlobHash> missing = new LinkedHashSet<>();
    private final Set<BlobHash> reached = new HashSet<>();
    private final Set<BlobHash> read = new HashSet<>();
    private int branches;

    Reading(BlobSource source, TransferBudget budget) {
      this.source = source;
      this.budget = budget;
    }

    void branch(BlobHash tip) {
      @Nullable BlobHash next = tip;
      while (next != null && reached.add(next)) {
        budget.branch();
        Optional<Sidecar> sidecar = sidecar(next, tip);
        if (sidecar.isEmpty()) {
          return;
        }
        branches++;
        BlobHash src = sidecar.get().src();
        reached.add(src);
        if (!read.contains(src) && !blob(src)) {
          problems.add("branch " + next + ": its session " + src + " is not there");
        }
        next = sidecar.get().parent();
      }
    }

    boolean isSidecar(BlobHash hash) throws IOException {
      try (BlobSource.Rest open = source.open(hash, 0).orElseThrow()) {
        byte[] bytes = open.bytes().readNBytes(Sidecar.SIZE_BYTES_MAX + 1);
        Sidecar.read(Payload.wrap(bytes), "branch " + hash);
        return true;
      } catch (StoreException.Corrupt | StoreException.FormatTooNew e) {
        return false;
      }
    }

    private Optional<Sidecar> sidecar(BlobHash hash, BlobHash tip) {
      if (!read.contains(hash) && !blob(hash)) {
        if (hash.equals(tip)) {
          problems.add("branch " + hash + ": is not there");
        } else {
          missing.add(hash);
        }
        return Optional.empty();
      }
      try {
        Optional<BlobSource.Rest> rest = source.open(hash, 0);
        if (rest.isEmpty()) {
          return Optional.empty();
        }
        try (BlobSource.Rest open = rest.get()) {
          byte[] bytes = open.bytes().readNBytes(Sidecar.SIZE_BYTES_MAX + 1);
          return Optional.of(Sidecar.read(Payload.wrap(bytes), "branch " + hash));
        }
      } catch (IOException | StoreException.Corrupt | StoreException.FormatTooNew e) {
        problems.add(String.valueOf(e.getMessage()));
        return Optional.empty();
      }
    }

    /// True if the blob is there. A blob with other bytes than its hash requires is a problem.
    boolean blob(BlobHash hash) {
      try {
        Optional<BlobSource.Rest> rest = source.open(hash, 0);
        if (rest.isEmpty()) {
          return false;
        }
        read.add(hash);
        try (BlobSource.Rest open = rest.get()) {
          BlobHash found = hash(open.bytes());
          if (!found.equals(hash)) {
            problems.add("blob " + hash + ": has the hash " + found);
          }
        }
      } catch (IOException | StoreException.Corrupt e) {
        problems.add("blob " + hash + ": " + e.getMessage());
      }
      return true;
    }

    private BlobHash hash(InputStream in) throws IOException {
      Blake3 hasher = new Blake3();
      byte[] piece = new byte[PIECE_BYTES];
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        hasher.update(piece, 0, count);
        budget.spend(count, hasher.sizeBytes());
      }
      return hasher.digest();
    }

    BranchVerification result() {
      return new BranchVerification(
          branches, read.size(), budget.bytes(), problems, new ArrayList<>(missing));
    }
  }
}
