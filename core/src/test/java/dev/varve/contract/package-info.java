// SPDX-License-Identifier: Apache-2.0
/// What every [dev.varve.Store] must do, as tests: each sentence of its Javadoc and of the records
/// around it.
///
/// A store's own test extends [StoreContract], or [DurableStoreContract] if it can be opened again,
/// and says how one is opened; a [dev.varve.BulkStore] also implements [BulkContract]. Each
/// interface here is one chapter.
@NullMarked
package dev.varve.contract;

import org.jspecify.annotations.NullMarked;
