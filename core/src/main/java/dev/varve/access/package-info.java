// SPDX-License-Identifier: Apache-2.0
/// The one way to a store in a folder, for every program of its user.
///
/// [StoreAccess] opens the folder. If a service has the store open, [StoreAccess] speaks to the
/// service over the socket in the folder; if another program has the store open, [StoreAccess]
/// waits for its turn ([OpeningTurn]). [StoreVisits] is for programs that need the store again and
/// again, but never for long.
@NullMarked
package dev.varve.access;

import org.jspecify.annotations.NullMarked;
