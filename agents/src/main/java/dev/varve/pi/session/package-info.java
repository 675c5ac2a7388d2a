// SPDX-License-Identifier: Apache-2.0
/// The content of a session file of Pi, read in place: its tree, and the list of a folder's
/// sessions.
///
/// [EntryTable] is one reading of a file in some sixty bytes an entry; [SessionTree] puts the
/// entries into the tree that Pi shows; [SessionList] reads beginnings and ends only. Files are
/// never changed, and nothing in them is trusted: ids may be missing, double, or go in circles.
/// Nothing in this room is shared between threads.
@NullMarked
package dev.varve.pi.session;

import org.jspecify.annotations.NullMarked;
