// SPDX-License-Identifier: Apache-2.0
/// The service: one store, opened once, answered for over a binary port and an HTTP port.
///
/// This room starts and stops both ports and says who may do what; the ports are rooms of their
/// own. A port sees a `Store`, never files.
@NullMarked
package dev.varve.server;

import org.jspecify.annotations.NullMarked;
