// SPDX-License-Identifier: Apache-2.0

/// The protocol of `varve rewind serve`: requests about a worktree and a session of Pi, one JSON
/// object a line, and their answers. The page is docs/stdio.md.
///
/// [RequestLoop] reads requests and writes answers. [WorktreeAnswers] answers for a worktree,
/// [SessionAnswers] for a session; a [RewindHost] supplies what a command line or a test chooses.
@NullMarked
package dev.varve.rewind.stdio;

import org.jspecify.annotations.NullMarked;
