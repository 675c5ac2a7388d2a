// SPDX-License-Identifier: Apache-2.0
/// The one way to a store in a folder, for every program of its user.
///
/// [StoreAccess] opens the folder, or, where a service has it open, speaks to the service over the
/// socket in the folder; where another program has it open, it waits for its turn ([OpeningTurn]).
/// [StoreVisits] is for who needs the store again and again, but never for long.
@NullMarked
package dev.varve.access;

import org.jspecify.annotations.NullMarked;
