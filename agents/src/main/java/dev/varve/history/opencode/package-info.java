// SPDX-License-Identifier: Apache-2.0
/// The profile of opencode: sessions that are rows of a database.
@NullMarked
package dev.varve.history.opencode;

import org.jspecify.annotations.NullMarked;
