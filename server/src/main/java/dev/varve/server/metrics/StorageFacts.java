// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.metrics;

import java.util.Map;

/// What is known of the disk that the store is on.
public interface StorageFacts {

  /// Of a store of which nothing is known.
  StorageFacts NONE =
      new StorageFacts() {
        @Override
        public Map<String, Long> fileBytes() {
          return Map.of();
        }

        @Override
        public long freeBytes() {
          return -1;
        }

        @Override
        public long totalBytes() {
          return -1;
        }
      };

  /// The size of each of the store's files, by its name.
  Map<String, Long> fileBytes();

  /// How much more fits on the disk; -1 where nobody knows.
  long freeBytes();

  /// How large the disk is; -1 where nobody knows.
  long totalBytes();
}
