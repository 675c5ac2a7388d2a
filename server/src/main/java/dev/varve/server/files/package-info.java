// SPDX-License-Identifier: Apache-2.0
/// The file trees of turns, as the service answers about them: listings, files, whole trees, what
/// two turns differ in. Paths are followed by the room `tree`; nothing here is a path on this
/// machine.
@NullMarked
package dev.varve.server.files;

import org.jspecify.annotations.NullMarked;
