// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import dev.varve.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The forms in which a secret may stand in content: as it is; as JSON writes it in a string, also
/// in a string of JSON within a string of JSON; and each of these as a piece of base64, wherever in
/// a line the secret stands.
///
/// Page: `docs/erase.md`.
public final class SecretForms {

  private static final int SLASH = 1;
  private static final int NOT_ASCII = 2;
  private static final int HTML = 4;
  private static final int UPPER = 8;
  private static final int VARIANTS = 16;

  private SecretForms() {}

  /// A search for all forms of some secrets.
  public static TextSearch search(List<Payload> secrets) {
    return new TextSearch(
        secrets.stream().flatMap(secret -> of(secret.unsafeArray()).stream()).toList());
  }

  /// All forms of a secret, each once.
  public static List<byte[]> of(byte[] secret) {
    List<byte[]> texts = new ArrayList<>();
    texts.add(secret);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(secret)).toString();
      Set<String> written = new LinkedHashSet<>();
      for (int variant = 0; variant < VARIANTS; variant++) {
        String once = escaped(text, variant);
        written.add(once);
        written.add(escaped(once, variant));
      }
      written.remove(text);
      written.forEach(form -> texts.add(form.getBytes(StandardCharsets.UTF_8)));
    } catch (CharacterCodingException e) {
      // no text, so it stands in no string
    }
    Set<ByteBuffer> forms = new LinkedHashSet<>();
    for (byte[] text : texts) {
      forms.add(ByteBuffer.wrap(text));
      for (int shift = 0; shift < 3; shift++) {
        forms.add(ByteBuffer.wrap(inBase64(text, shift, Base64.getEncoder())));
        forms.add(ByteBuffer.wrap(inBase64(text, shift, Base64.getUrlEncoder())));
      }
    }
    return forms.stream().map(ByteBuffer::array).toList();
  }

  /// The text between the quotes of a string of JSON. Writers differ in what they escape beyond
  /// what they must.
  private static String escaped(String text, int variant) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '/' -> out.append((variant & SLASH) != 0 ? "\\/" : "/");
        case '<', '>', '&' -> out.append((variant & HTML) != 0 ? unicode(c, variant) : "" + c);
        default ->
            out.append(
                c < ' ' || (c > '~' && (variant & NOT_ASCII) != 0) ? unicode(c, variant) : "" + c);
      }
    }
    return out.toString();
  }

  private static String unicode(char c, int variant) {
    String hex = String.format(Locale.ROOT, "%04x", (int) c);
    return "\\u" + ((variant & UPPER) != 0 ? hex.toUpperCase(Locale.ROOT) : hex);
  }

  /// The characters that the text alone decides, if `shift` bytes modulo 3 stand before it.
  private static byte[] inBase64(byte[] text, int shift, Base64.Encoder encoder) {
    byte[] shifted = new byte[shift + text.length];
    System.arraycopy(text, 0, shifted, shift, text.length);
    String all = encoder.withoutPadding().encodeToString(shifted);
    int first = (8 * shift + 5) / 6;
    int end = 8 * shifted.length / 6;
    return all.substring(first, end).getBytes(StandardCharsets.US_ASCII);
  }
}
