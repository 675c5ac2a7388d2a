// SPDX-License-Identifier: Apache-2.0
/// The search for turns by their words, with an index of Lucene beside the store.
///
/// [StoreSearch] is the door. The index lies in the folder `search` of the store's folder and is
/// derived: it can be deleted at any time. A document is a distinct text ([TextKeys]); a place of a
/// text, one for each turn that holds the text, is a small document beside it, so that a fork or a
/// file that is read twenty times costs nothing again ([TurnIndexer]). Texts are not stored in the
/// index: what is shown is cut from the store's own payloads ([HitReader]), which also makes sure
/// that no deleted or replaced turn is shown.
///
/// [StoreFollower] brings the index up to the store's present state.
@NullMarked
package dev.varve.search;

import org.jspecify.annotations.NullMarked;
