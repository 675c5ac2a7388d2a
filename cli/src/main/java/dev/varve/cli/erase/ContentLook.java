// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.BlobHash;
import dev.varve.EraseRequest;
import dev.varve.erase.SecretForms;
import dev.varve.erase.TextSearch;
import dev.varve.hash.Blake3;
import dev.varve.rewind.removal.WantedContent;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A look for the secrets and the blobs of an erasure in the bytes of one object, a piece at a
/// time.
final class ContentLook extends WantedContent.Look {

  private static final int STEP_BYTES = 1 << 16;

  private final TextSearch search;
  private final Set<BlobHash> blobs;
  private final @Nullable Blake3 hash;
  private byte[] held = new byte[0];
  private boolean found;

  private ContentLook(TextSearch search, Set<BlobHash> blobs, boolean isFile) {
    this.search = search;
    this.blobs = blobs;
    this.hash = isFile && !blobs.isEmpty() ? new Blake3() : null;
  }

  /// The looks of an erasure.
  static WantedContent.Looks of(EraseRequest request) {
    TextSearch search = SecretForms.search(request.secrets());
    return isFile -> new ContentLook(search, request.blobs(), isFile);
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    if (hash != null) {
      hash.update(bytes, from, length);
    }
    if (found || search.bytesMax() == 0) {
      return;
    }
    for (int at = from; at < from + length && !found; at += STEP_BYTES) {
      int step = Math.min(STEP_BYTES, from + length - at);
      byte[] both = Arrays.copyOf(held, held.length + step);
      System.arraycopy(bytes, at, both, held.length, step);
      found = search.isIn(both);
      held = Arrays.copyOfRange(both, Math.max(0, both.length - search.bytesMax()), both.length);
    }
  }

  @Override
  public boolean isFound() {
    return found || hash != null && blobs.contains(hash.digest());
  }
}
