// SPDX-License-Identifier: Apache-2.0
package dev.varve.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Payload;
import dev.varve.hash.Blake3;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.UUID;

/// The store that the examples of all pages are taken from: one context with one turn, which says
/// `hello`.
public final class Example {

  public static final UUID STORE_ID = UUID.fromString("6c2f0f9e-3a51-4c1d-9b7e-21d40c8a55f3");

  /// Its id in 64 bits.
  public static final long SHORT_ID =
      STORE_ID.getMostSignificantBits() ^ STORE_ID.getLeastSignificantBits();

  public static final Instant CREATED_AT = Instant.parse("2026-11-27T12:00:00Z");
  public static final long CREATED_MS = CREATED_AT.toEpochMilli();

  /// When the turn was appended.
  public static final long APPENDED_MS = CREATED_MS + 1500;

  public static final ContextId CONTEXT = new ContextId(1);
  public static final Payload HELLO = Payload.utf8("hello");
  public static final BlobHash HELLO_HASH = Blake3.hash("hello".getBytes(UTF_8));
  public static final DeclaredType NOTE = new DeclaredType("note", 1);

  /// Of the idempotency key `once`.
  public static final BlobHash KEY_HASH =
      Blake3.hash(
          ByteBuffer.allocate(12)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putLong(CONTEXT.value())
              .put("once".getBytes(UTF_8))
              .array());

  private Example() {}
}
