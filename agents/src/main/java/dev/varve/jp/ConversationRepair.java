// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.files.FileReplacement;
import dev.varve.jp.files.FileState;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.json.JsonError;
import dev.varve.jp.place.ConversationCopy;
import dev.varve.jp.place.ConversationLock;
import dev.varve.jp.place.Workspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Repairs the JSON files of a conversation, and keeps the former content of each in a file beside
/// it.
public final class ConversationRepair {

  /// @param removed the removed parts; empty if the file needed no repair
  /// @param kept the file with the former content; null if nothing was changed
  /// @param left the reason why the file is still not JSON; null if it is JSON
  public record Report(
      Path file, List<String> removed, @Nullable Path kept, @Nullable String left) {
    public Report {
      removed = List.copyOf(removed);
    }
  }

  private ConversationRepair() {}

  /// @throws StoreException.Busy if JP has the conversation open
  public static List<Report> copy(Workspace workspace, ConversationCopy copy, boolean dry) {
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

  private static List<Path> files(ConversationCopy copy) {
    return List.of(copy.events(), copy.metadata(), copy.baseConfig()).stream()
        .filter(RealFiles::isFile)
        .toList();
  }

  private static Report file(Path file, boolean dry) {
    FileState state =
        FileState.of(file).orElseThrow(() -> new StoreException.NotFound("file", file.toString()));
    byte[] before = RealFiles.read(file, EventsFile.SIZE_BYTES_MAX);
    JsonRepair.Result repair = JsonRepair.of(before);
    JsonError left = repair.left();
    if (left != null || repair.removed().isEmpty() || dry) {
      return new Report(file, repair.removed(), null, left == null ? null : left.toString());
    }
    Path kept = freeName(file);
    RealFiles.writeNew(kept, before);
    FileReplacement.put(file, before, state, repair.bytes());
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
