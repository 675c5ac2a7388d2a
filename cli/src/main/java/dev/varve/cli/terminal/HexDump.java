// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import dev.varve.Payload;

/// The first bytes of a payload in hexadecimal and as ASCII, for payloads that are not text.
public final class HexDump {

  private static final int ROW = 16;
  private static final int SHOWN = 8 * ROW;

  private HexDump() {}

  public static void print(Payload bytes, Terminal terminal) {
    byte[] array = bytes.unsafeArray();
    int end = Math.min(array.length, SHOWN);
    for (int at = 0; at < end; at += ROW) {
      terminal.println(row(array, at, Math.min(end, at + ROW)));
    }
    if (end < array.length) {
      terminal.println("… " + HumanText.count(array.length - end, "more byte"));
    }
  }

  private static StyledLine row(byte[] bytes, int from, int to) {
    StyledLine line = new StyledLine().add(StyledLine.Style.FAINT, digits(from, 6)).add("  ");
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      line.add(digits(bytes[i] & 0xff, 2)).add(i % 8 == 7 ? "  " : " ");
      text.append(bytes[i] >= ' ' && bytes[i] < 0x7f ? (char) bytes[i] : '.');
    }
    return line.tab(8 + ROW * 3 + 2).add(text.toString());
  }

  private static String digits(int value, int count) {
    StringBuilder digits = new StringBuilder();
    for (int shift = 4 * (count - 1); shift >= 0; shift -= 4) {
      digits.append(Character.forDigit(value >> shift & 0xf, 16));
    }
    return digits.toString();
  }
}
