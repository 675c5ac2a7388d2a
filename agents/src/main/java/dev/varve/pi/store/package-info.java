// SPDX-License-Identifier: Apache-2.0
/// Sessions of the Pi coding agent, into a store and out again.
///
/// A session file is lines of JSON, each an *entry* that names its parent. [PiImport] makes each
/// entry a turn whose payload is the line's exact bytes, each leaf of the entries' tree a context,
/// and writes a *manifest* that describes how the file is put together again from turns and from
/// the bytes that are no entries. [PiExport] gives the file back, byte for byte, and proves it with
/// the file's hash.
///
/// The formats: docs/format/pi-manifest.md. Everything read here may be damaged or hostile; nothing
/// is parsed deeper than needed and no line is trusted. Nothing in this room is shared between
/// threads.
@NullMarked
package dev.varve.pi.store;

import org.jspecify.annotations.NullMarked;
