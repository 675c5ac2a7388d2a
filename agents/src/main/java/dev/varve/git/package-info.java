// SPDX-License-Identifier: Apache-2.0
/// Git, as a process of its own, and what it prints.
///
/// [Git] runs it without the caller's `GIT_*` variables, without prompts and hooks; everything that
/// names a file goes in and out as bytes that end in NUL ([RepoPath]), so that no name is a trap.
/// The other classes read one kind of output each. Nothing here knows of snapshots.
@NullMarked
package dev.varve.git;

import org.jspecify.annotations.NullMarked;
