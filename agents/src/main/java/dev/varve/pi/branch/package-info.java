// SPDX-License-Identifier: Apache-2.0
/// Session files named by what they hold (spec 000): a session's hash, and the *branch* that says
/// which session it is and from which branch it was forked.
///
/// [BranchBuilder] is the face: from a session's path to its [Branch] and those of its parents.
/// Below it [SessionHasher] hashes what was appended since last time ([HashState];
/// docs/format/hash-state.md), [Sidecar] is the branch's bytes (docs/format/branch.md),
/// [BranchIndex] is `manifest.json`, and [AgentFolder] knows where Pi keeps which session.
/// [BranchPublication] puts branches into a store.
///
/// Pi's files are only read. What a header says is never believed to be a path or a name.
@NullMarked
package dev.varve.pi.branch;

import org.jspecify.annotations.NullMarked;
