// SPDX-License-Identifier: Apache-2.0
/// All that a store asks of a file system: read, write, force, truncate, replace, lock, map.
///
/// [Disk] is the seam under the store: [LocalDisk] is a folder, and the tests put a disk there
/// whose power they can cut. This is the last room that knows `IOException`; above it there is only
/// `StoreException`.
@NullMarked
package dev.varve.disk;

import org.jspecify.annotations.NullMarked;
