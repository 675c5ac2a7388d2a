// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.blobs.Drafts;
import dev.varve.jp.files.FileState;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.files.Replacement;
import dev.varve.jp.json.Malformed;
import dev.varve.jp.place.ConversationLock;
import dev.varve.jp.place.Copy;
import dev.varve.jp.place.Workspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Repairs the JSON files of a conversation, keeping what was there in a file beside.
public final class Fix {

  /// @param removed what was taken out; empty if nothing was wrong
  /// @param kept where the file is as it was; null if nothing was changed
  /// @param left why it is still no JSON; null if it is
  public record Report(
      Path file, List<String> removed, @Nullable Path kept, @Nullable String left) {
    public Report {
      removed = List.copyOf(removed);
    }
  }

  private Fix() {}

  /// @throws StoreException.Busy if JP has the conversation open
  public static List<Report> copy(Workspace workspace, Copy copy, boolean dry) {
    List<Report> reports = new ArrayList<>();
    if (dry) {
      files(copy).forEach(file -> reports.add(file(file, true)));
      return reports;
    }
    Optional<ConversationLock> lock = ConversationLock.tryLock(workspace, copy.id());
    if (lock.isEmpty()) {
      throw new StoreException.Busy(copy.folder().toString(), "JP");
    }
    try (ConversationLock _ = lock.get()) {
      files(copy).forEach(file -> reports.add(file(file, false)));
    }
    return reports;
  }

  private static List<Path> files(Copy copy) {
    return List.of(copy.events(), copy.metadata(), copy.baseConfig()).stream()
        .filter(RealFiles::isFile)
        .toList();
  }

  private static Report file(Path file, boolean dry) {
    FileState state =
        FileState.of(file).orElseThrow(() -> new StoreException.NotFound("file", file.toString()));
    byte[] before = RealFiles.read(file, EventsFile.SIZE_BYTES_MAX);
    Repair.Result repair = Repair.of(before);
    Malformed left = repair.left();
    if (left != null || repair.removed().isEmpty() || dry) {
      return new Report(file, repair.removed(), null, left == null ? null : left.toString());
    }
    Path kept = freeName(file);
    RealFiles.writeNew(kept, before);
    String draft = "." + file.getFileName() + "." + Drafts.name(new SplittableRandom().nextLong());
    Replacement.put(file, before, state, repair.bytes(), file.resolveSibling(draft));
    return new Report(file, repair.removed(), kept, null);
  }

  private static Path freeName(Path file) {
    Path name = file.resolveSibling(file.getFileName() + ".before-fix");
    for (int i = 2; RealFiles.look(name).isPresent(); i++) {
      name = file.resolveSibling(file.getFileName() + ".before-fix-" + i);
    }
    return name;
  }
}
