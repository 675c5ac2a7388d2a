// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.place;

import dev.varve.jp.files.FlockFile;
import dev.varve.jp.files.RealFiles;
import java.nio.file.Path;
import java.util.Optional;

/// JP's own lock on a conversation: while it is held, no `jp query` writes the conversation, and
/// while a query runs it cannot be had.
public final class ConversationLock implements AutoCloseable {

  private final Path file;
  private final FlockFile lock;
  private final boolean folderIsOurs;

  private ConversationLock(Path file, FlockFile lock, boolean folderIsOurs) {
    this.file = file;
    this.lock = lock;
    this.folderIsOurs = folderIsOurs;
  }

  /// Takes the lock; does not wait.
  ///
  /// @return empty if JP, or another process of this kind, has it
  public static Optional<ConversationLock> tryLock(Workspace workspace, ConversationId id) {
    Path folder = workspace.locks();
    boolean ours = RealFiles.makeFolder(folder);
    Path file = folder.resolve(id + ".lock");
    Optional<ConversationLock> lock =
        FlockFile.tryLock(file, FlockFile.Kind.EXCLUSIVE)
            .map(taken -> new ConversationLock(file, taken, ours));
    if (ours && lock.isEmpty()) {
      RealFiles.delete(folder);
    }
    return lock;
  }

  /// Frees the lock. A lock file that was made for it is removed while it is still held, so that
  /// nobody is left with a lock on a file without a name.
  @Override
  public void close() {
    try (lock) {
      if (lock.created()) {
        RealFiles.delete(file);
        if (folderIsOurs) {
          RealFiles.delete(file.getParent() == null ? file : file.getParent());
        }
      }
    }
  }
}
