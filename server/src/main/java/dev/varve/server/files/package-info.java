// SPDX-License-Identifier: Apache-2.0
/// The service's answers about the file trees of turns: listings, files, whole trees, and the
/// differences between two turns. The room `tree` follows paths; no path here belongs to the file
/// system of this machine, which only an implementation of [FileRestores] touches.
@NullMarked
package dev.varve.server.files;

import org.jspecify.annotations.NullMarked;
