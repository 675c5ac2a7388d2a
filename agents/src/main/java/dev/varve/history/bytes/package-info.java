// SPDX-License-Identifier: Apache-2.0
/// The bytes of histories in a store: transcripts line by line, so that forks share their lines.
@NullMarked
package dev.varve.history.bytes;

import org.jspecify.annotations.NullMarked;
