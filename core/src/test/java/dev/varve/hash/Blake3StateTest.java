// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/// A saved state is small, is the same bytes for ever, and is trusted only whole
/// (docs/format/blake3-state.md).
class Blake3StateTest {

  private static final int[] LENGTHS = {0, 1, 63, 64, 65, 1024, 1025, 3000, 7 * 1024 + 64, 70_000};

  @Test
  void refusesEveryFlippedByte() {
    for (int length : LENGTHS) {
      byte[] state = stateOf(length);
      for (int at = 0; at < state.length; at++) {
        for (int mask : new int[] {0x01, 0x80, 0xFF}) {
          byte[] damaged = Oracle.flipped(state, at, mask);
          assertThatThrownBy(() -> Blake3.restoreState(damaged))
              .as("%d bytes hashed, byte %d of the state", length, at)
              .isInstanceOf(StoreException.Invalid.class);
        }
      }
    }
  }

  @Test
  void refusesEveryOtherLength() {
    byte[] state = stateOf(70_000);
    for (int size = 0; size < 2 * state.length; size++) {
      if (size != state.length) {
        byte[] cut = Arrays.copyOf(state, size);
        assertThatThrownBy(() -> Blake3.restoreState(cut))
            .as("%d of %d bytes", size, state.length)
            .isInstanceOf(StoreException.Invalid.class);
      }
    }
    assertThatThrownBy(() -> Blake3.restoreState(new byte[1 << 20]))
        .isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void refusesAStateThatContradictsItselfThoughItsChecksumHolds() {
    for (int length : LENGTHS) {
      byte[] state = stateOf(length);
      int[] counts = {
        StateCodec.DEPTH_AT,
        StateCodec.LENGTH_AT,
        StateCodec.LENGTH_AT + 7,
        StateCodec.CHUNKS_AT,
        StateCodec.CHUNKS_AT + 7,
        StateCodec.BLOCKS_AT,
        StateCodec.BUFFERED_AT
      };
      for (int at : counts) {
        for (int mask : new int[] {0x01, 0x40, 0x80}) {
          byte[] forged = resealed(Oracle.flipped(state, at, mask));
          assertThatThrownBy(() -> Blake3.restoreState(forged))
              .as("%d bytes hashed, byte %d of the state", length, at)
              .isInstanceOf(StoreException.Invalid.class);
        }
      }
    }
  }

  @Test
  void refusesAChainingValueBeforeTheFirstBlock() {
    byte[] forged = resealed(Oracle.flipped(stateOf(64), StateCodec.CV_AT + 5, 0x10));
    assertThatThrownBy(() -> Blake3.restoreState(forged))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessage(
            "blake3 state: expected the initial value before the first block, found another");
  }

  @Test
  void refusesALaterVersionAndNamesIt() {
    byte[] later = stateOf(70_000);
    later[StateCodec.VERSION_AT] = 2;
    assertThatThrownBy(() -> Blake3.restoreState(resealed(later)))
        .isInstanceOf(StoreException.FormatTooNew.class)
        .hasMessage("blake3 state: format version 2, this version reads up to 1");
    byte[] none = stateOf(70_000);
    none[StateCodec.VERSION_AT] = 0;
    assertThatThrownBy(() -> Blake3.restoreState(resealed(none)))
        .isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void refusesForeignBytes() {
    byte[] foreign = Oracle.flipped(stateOf(300), StateCodec.MAGIC_AT, 0x20);
    assertThatThrownBy(() -> Blake3.restoreState(resealed(foreign)))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("magic");
  }

  @Test
  void keepsEveryBitOfWhatItSaves() {
    for (int length : LENGTHS) {
      byte[] state = stateOf(length);
      assertThat(Blake3.restoreState(state).saveState()).as("%d bytes", length).isEqualTo(state);
    }
  }

  @Test
  void writesTheBytesOfVersionOneForEver() {
    assertThat(HexFormat.of().formatHex(stateOf(3)))
        .isEqualTo(
            "564233530100000003000000000000000000000000000000" // magic to chunks
                + "00000300" // blocks, buffered
                + "67e6096a85ae67bb72f36e3c3af54fa57f520e518c68059babd9831f19cde05b" // CV
                + "000102" // buffer
                + "dc85ab2c"); // CRC-32
    byte[] state = stateOf(2049);
    assertThat(HexFormat.of().formatHex(state, 0, 28))
        .isEqualTo("5642335301000100010800000000000002000000000000000000" + "0100");
  }

  @Test
  void staysSmallHoweverLongTheInput() {
    assertThat(stateOf(0)).hasSize(64);
    assertThat(stateOf(70_000).length).isLessThanOrEqualTo(64 + 64 + 2 * 32);
    assertThat(hypothetical(1L << 26).saveState()).hasSize(64 + 64 + 16 * 32);
    assertThat(hypothetical(1L << 60).saveState()).hasSize(64 + 64 + 50 * 32);
    assertThat(hypothetical(Long.MAX_VALUE - 1023).saveState().length)
        .isLessThanOrEqualTo(StateCodec.LARGEST);
  }

  @Test
  void goesOnFromTheEndOfAVeryLongInput() {
    Blake3 hasher = hypothetical(1L << 60);
    byte[] more = Oracle.mixed(5000);
    Blake3 resumed = Blake3.restoreState(hasher.saveState());
    assertThat(resumed.sizeBytes()).isEqualTo(1L << 60);
    assertThat(resumed.update(more).digest()).isEqualTo(hasher.update(more).digest());
    assertThat(resumed.sizeBytes()).isEqualTo((1L << 60) + 5000);
  }

  /// The hasher after `length` bytes, a multiple of 1024, with made-up CVs.
  private static Blake3 hypothetical(long length) {
    long chunks = length / WholeChunk.SIZE - 1;
    byte[] cvs = Oracle.mixed(Long.bitCount(chunks) * CompressionFunction.CV);
    OpenChunk open = new OpenChunk();
    open.restart(chunks);
    open.update(Oracle.mixed(WholeChunk.SIZE), 0, WholeChunk.SIZE);
    return new Blake3(new CvStack(cvs, chunks), open);
  }

  private static byte[] stateOf(int length) {
    return new Blake3().update(Oracle.counting(length)).saveState();
  }

  private static byte[] resealed(byte[] state) {
    int crcAt = state.length - StateCodec.CRC_SIZE;
    HexFormat hex = HexFormat.of();
    byte[] crc = hex.parseHex(crcOf(Arrays.copyOf(state, crcAt)));
    System.arraycopy(crc, 0, state, crcAt, crc.length);
    return state;
  }

  private static String crcOf(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return HexFormat.of()
        .formatHex(
            ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) crc.getValue())
                .array());
  }
}
