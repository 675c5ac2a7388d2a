// SPDX-License-Identifier: Apache-2.0
/// The profile of Qwen Code: transcripts of records that form a tree.
@NullMarked
package dev.varve.history.qwen;

import org.jspecify.annotations.NullMarked;
