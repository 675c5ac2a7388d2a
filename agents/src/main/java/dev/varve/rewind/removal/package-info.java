// SPDX-License-Identifier: Apache-2.0
/// The search for snapshots in git that have some content, and their removal.
///
/// [RepositoryErasure] is the way in. It searches the snapshots of a repository object by object
/// ([SnapshotSearch]), takes those that are chosen out of the list of snapshots, and takes the
/// objects that only they had out of git's database ([SnapshotDatabase]). Nothing that the user's
/// own commits need is ever taken out ([UserCommits], [UnkeptObjects]).
@NullMarked
package dev.varve.rewind.removal;

import org.jspecify.annotations.NullMarked;
