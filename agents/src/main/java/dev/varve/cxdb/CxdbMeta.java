// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import dev.varve.DeclaredType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// A record of `turns.meta`: the declarations of a turn's writer. The record has no checksum.
record CxdbMeta(
    long turn,
    DeclaredType type,
    int encoding,
    int compression,
    int uncompressedLength,
    int sizeBytes) {

  private static final int FIXED_BYTES = 28;

  /// The number of the turn of a record at `offset`, if there is room for a record.
  static Optional<Long> turn(SourceFile file, long offset) {
    return file.sizeBytes() - offset < FIXED_BYTES
        ? Optional.empty()
        : Optional.of(file.at(offset, 8).getLong(0));
  }

  /// The record at `offset`; empty if no record can be there.
  static Optional<CxdbMeta> read(SourceFile file, long offset) {
    long room = file.sizeBytes() - offset;
    if (room < FIXED_BYTES) {
      return Optional.empty();
    }
    ByteBuffer head = file.at(offset, 12);
    long turn = head.getLong(0);
    long length = Integer.toUnsignedLong(head.getInt(8));
    if (length > DeclaredType.ID_BYTES_MAX || FIXED_BYTES + length > room) {
      return Optional.empty();
    }
    int size = (int) length;
    ByteBuffer record = file.at(offset, FIXED_BYTES + size);
    try {
      String id = StandardCharsets.UTF_8.newDecoder().decode(record.slice(12, size)).toString();
      return Optional.of(
          new CxdbMeta(
              turn,
              new DeclaredType(id, record.getInt(12 + size)),
              record.getInt(16 + size),
              record.getInt(20 + size),
              record.getInt(24 + size),
              FIXED_BYTES + size));
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
