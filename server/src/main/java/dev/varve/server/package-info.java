// SPDX-License-Identifier: Apache-2.0
/// The service: one store, opened once and served over a binary port, an HTTP port, and a socket in
/// the store's folder.
///
/// This room starts and stops all three, which have rooms of their own; `server.access` decides who
/// may ask. A port uses a `Store` and never files.
@NullMarked
package dev.varve.server;

import org.jspecify.annotations.NullMarked;
