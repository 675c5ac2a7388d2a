// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.cli.terminal.PayloadPreview;
import dev.varve.cli.terminal.PrettyJson;

/// The type and the encoding of a payload, as they are written on a command line.
public final class PayloadArguments {

  private PayloadArguments() {}

  /// Reads `chat.Message@3`; without a version, version 1.
  public static DeclaredType parse(String text) {
    int at = text.lastIndexOf('@');
    if (text.isEmpty() || at == 0) {
      throw new StoreException.Invalid(
          "type", "expected NAME or NAME@VERSION, found '" + text + "'");
    }
    if (at < 0) {
      return new DeclaredType(text, 1);
    }
    return new DeclaredType(text.substring(0, at), version(text.substring(at + 1)));
  }

  private static int version(String digits) {
    try {
      return Integer.parseUnsignedInt(digits);
    } catch (NumberFormatException e) {
      throw new StoreException.Invalid(
          "type version", "expected a number below 2^32, found '" + digits + "'");
    }
  }

  /// Reads the name of an encoding, or its number.
  public static Encoding parseEncoding(String text) {
    for (int tag = 0; tag <= 255; tag++) {
      Encoding encoding = new Encoding(tag);
      if (encoding.toString().equals(text)) {
        return encoding;
      }
    }
    try {
      return new Encoding(Integer.parseUnsignedInt(text));
    } catch (NumberFormatException e) {
      throw new StoreException.Invalid(
          "encoding", "expected json, msgpack, raw, … or a number, found '" + text + "'");
    }
  }

  /// The encoding that the bytes suggest: JSON where they are one JSON object or array, else raw.
  public static Encoding guess(Payload payload) {
    return PayloadPreview.findText(payload).flatMap(PrettyJson::find).isPresent()
        ? Encoding.JSON
        : Encoding.RAW;
  }
}
