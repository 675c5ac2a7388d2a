// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The blobs of a pack page by page, in the order in which they were stored.
public final class PackListing {

  private final BlobPack pack;
  private final PackSurvey records;

  public PackListing(BlobPack pack) {
    this.pack = pack;
    this.records = new PackSurvey(pack);
  }

  /// The next blobs, each where it is found now: a copy that was replaced is passed over.
  ///
  /// @param after the last blob of the page before, or null
  /// @throws StoreException.NotFound if `after` is not in the pack
  public List<BlobHash> page(@Nullable BlobHash after, int limit) {
    int ordinal = 0;
    if (after != null) {
      if (pack.find(after) < 0) {
        throw new StoreException.NotFound("blob", after.toString());
      }
      ordinal = records.requireOrdinal(after) + 1;
    }
    List<BlobHash> page = new ArrayList<>();
    int count = records.count();
    for (; ordinal < count && page.size() < limit; ordinal++) {
      PackSurvey.Entry entry = records.entry(ordinal);
      if (records.isLive(entry)) {
        page.add(entry.hash());
      }
    }
    return page;
  }
}
