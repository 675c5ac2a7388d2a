// SPDX-License-Identifier: Apache-2.0
/// The profile of Claude Code: transcripts of records that form a tree.
@NullMarked
package dev.varve.history.claude;

import org.jspecify.annotations.NullMarked;
