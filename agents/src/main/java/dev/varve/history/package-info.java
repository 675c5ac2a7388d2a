// SPDX-License-Identifier: Apache-2.0
/// The history of every agent: archived exactly, seen as turns, and put back.
///
/// *Bytes first.* The files of a [session][SessionFiles] are archived byte for byte, in their order
/// of time: each version of a session has a [manifest][HistoryManifest], and the manifest before is
/// kept. A transcript is kept line by line, each line without the members that a fork changes, so
/// that forks share their lines ([the room of bytes][dev.varve.history.bytes]); every other file is
/// kept as one blob.
///
/// *Views second.* A versioned [profile][HistoryProfile] says how the lines become turns
/// ([ViewDerivation]). The payload of a turn is the archived line, so a view costs little, and a
/// better profile makes a better view from the same bytes.
///
/// [HistoryImport] archives one session and derives its view. [PutBack] plans and writes the files
/// again. A new agent is one profile in a room of its own: docs/agents.md.
///
/// Everything read here may be damaged or hostile. Nothing in this room is shared between threads.
@NullMarked
package dev.varve.history;

import org.jspecify.annotations.NullMarked;
