// SPDX-License-Identifier: Apache-2.0
/// The folder `blobs/` of RFD 066: contents in gzip, each in a file named by its SHA-256.
///
/// [BlobFolder] writes a content once, forces it before anybody may refer to it, and verifies it
/// whenever it is read: its hash, its size, the end of its file. What is read was written by
/// others, so a file's word about its own size is never believed, and no name is used that is not
/// 64 hexadecimal digits. The bytes: docs/format/jp-blobs.md.
@NullMarked
package dev.varve.jp.blobs;

import org.jspecify.annotations.NullMarked;
