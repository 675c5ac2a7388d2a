// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import java.util.Arrays;

/// Numbers by number, in pages that are allocated on the first write. 0 stands for none. For one
/// thread at a time.
final class IntColumn {

  private static final int PAGE_BITS = 12;
  private static final int PAGE = 1 << PAGE_BITS;

  private int[][] pages = {};
  private int pageCount;

  int get(int at) {
    int page = at >>> PAGE_BITS;
    return page >= pages.length || pages[page] == null ? 0 : pages[page][at & (PAGE - 1)];
  }

  void set(int at, int value) {
    int page = at >>> PAGE_BITS;
    if (page >= pages.length) {
      pages = Arrays.copyOf(pages, Math.max(page + 1, pages.length * 2));
    }
    if (pages[page] == null) {
      pages[page] = new int[PAGE];
      pageCount++;
    }
    pages[page][at & (PAGE - 1)] = value;
  }

  /// The memory of the column.
  long weightBytes() {
    return (long) pageCount * PAGE * Integer.BYTES + (long) pages.length * Long.BYTES;
  }
}
