// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Little-endian numbers in an array, at any alignment.
final class WireNumbers {

  private static final VarHandle U16 =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle U32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle U64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private WireNumbers() {}

  static int u16(byte[] bytes, int at) {
    return Short.toUnsignedInt((short) U16.get(bytes, at));
  }

  static int u32(byte[] bytes, int at) {
    return (int) U32.get(bytes, at);
  }

  static long u64(byte[] bytes, int at) {
    return (long) U64.get(bytes, at);
  }

  static void u16(byte[] bytes, int at, int value) {
    U16.set(bytes, at, (short) value);
  }

  static void u32(byte[] bytes, int at, int value) {
    U32.set(bytes, at, value);
  }

  static void u64(byte[] bytes, int at, long value) {
    U64.set(bytes, at, value);
  }
}
