// SPDX-License-Identifier: Apache-2.0
/// The service: one store, opened once and served over a binary port and an HTTP port.
///
/// This room starts and stops both ports and decides about access; the ports have rooms of their
/// own. A port uses a `Store` and never files.
@NullMarked
package dev.varve.server;

import org.jspecify.annotations.NullMarked;
