// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import java.util.Optional;

/// The messages and their numbers. Up to 63, and 255, they are cxdb's; from 64 on they are Varve's
/// own.
public enum MessageType {
  HELLO(1, false),
  CTX_CREATE(2, true),
  CTX_FORK(3, true),
  GET_HEAD(4, false),
  APPEND_TURN(5, true),
  GET_LAST(6, false),
  GET_BEFORE(7, false),
  GET_RANGE_BY_DEPTH(8, false),
  GET_BLOB(9, false),
  ATTACH_FS(10, true),
  PUT_BLOB(11, true),
  OPEN(64, false),
  CONTEXT_CREATE(65, true),
  CONTEXT_DESCRIBE(66, true),
  CONTEXT_GET(67, false),
  CONTEXT_LIST(68, false),
  TURN_APPEND(69, true),
  TURN_GET(70, false),
  PAGE_LAST(71, false),
  PAGE_BEFORE(72, false),
  PAGE_RANGE(73, false),
  PATH(74, false),
  ANCESTOR(75, false),
  COMMON_ANCESTOR(76, false),
  CHILD_FIND(77, false),
  BLOBS_HAS(78, false),
  TURN_PATCH(79, true),
  TURN_TOMBSTONE(80, true),
  TURN_FS_ROOT(81, true),
  OVERLAYS(82, false),
  COUNTS(83, false),
  TURN_RESTORE(84, true),
  CONTEXT_RESTORE(85, true),
  BLOB_SIZE(86, false),
  BLOB_READ(87, false),
  BLOB_PART(88, true),
  BLOBS_PUT(89, true),
  CHUNK_LIST(90, false),
  BLOB_ASSEMBLE(91, true),
  CHECK_STEP(92, false),
  BACKUP_POINT(93, false),
  CONTEXT_MOVE(94, true),
  BLOB_LIST(95, false),
  TURN_LIST(96, false),
  HOLD_SET(97, true),
  HOLD_RELEASE(98, true),
  HOLD_LIST(99, false),
  ERASE_PLAN(100, false),
  ERASE(101, true),
  OVERLAY_LIST(102, false),
  LAST_ERASURE(103, false),
  CONTEXTS_BELOW(104, false),
  ERROR(255, false);

  private static final MessageType[] BY_NUMBER = new MessageType[256];

  static {
    for (MessageType type : values()) {
      BY_NUMBER[type.number] = type;
    }
  }

  private final int number;
  private final boolean writes;

  MessageType(int number, boolean writes) {
    this.number = number;
    this.writes = writes;
  }

  public int number() {
    return number;
  }

  /// Returns whether it changes the store.
  public boolean writes() {
    return writes;
  }

  /// The message with this number, if there is one.
  public static Optional<MessageType> find(int number) {
    return number >= 0 && number < BY_NUMBER.length
        ? Optional.ofNullable(BY_NUMBER[number])
        : Optional.empty();
  }
}
