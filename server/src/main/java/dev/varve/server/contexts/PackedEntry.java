// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.Encoding;
import dev.varve.Payload;
import dev.varve.server.value.MsgpackWriter;
import dev.varve.server.value.PayloadValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A [ContextEntry] in little memory: the metadata is kept as bytes, in the form in which turns
/// hold it, and read again when it is needed. About 300 bytes in place of a thousand.
///
/// @param said the metadata as bytes; null if there is none, or if it is kept in `rest`
/// @param rest everything else
@SuppressWarnings("ArrayRecordComponent") // never compared
record PackedEntry(byte @Nullable [] said, ContextEntry rest) {

  /// An entry, its numbers, and its place in a map.
  private static final int BYTES_BESIDE = 240;

  static PackedEntry of(ContextEntry entry) {
    ContextMetadata metadata = entry.metadata();
    if (metadata.isEmpty()) {
      return new PackedEntry(null, entry);
    }
    byte[] bytes = MsgpackWriter.write(written(metadata)).bytes();
    // Text that is not UTF-8 does not survive the round trip; such an entry is kept unpacked.
    return read(bytes).equals(metadata)
        ? new PackedEntry(bytes, entry.saying(ContextMetadata.NONE))
        : new PackedEntry(null, entry);
  }

  private static ContextMetadata read(byte[] bytes) {
    return MetadataReader.read(Payload.wrap(bytes), Encoding.MSGPACK);
  }

  ContextEntry entry() {
    return said == null ? rest : rest.saying(read(said));
  }

  /// The approximate memory of the entry.
  int weightBytes() {
    return BYTES_BESIDE + (said == null ? rest.weightBytes() : said.length + rest.textBytes());
  }

  private static PayloadValue written(ContextMetadata metadata) {
    List<PayloadValue.Entry> entries = new ArrayList<>();
    add(entries, MetadataReader.CLIENT_TAG, metadata.clientTag());
    add(entries, MetadataReader.TITLE, metadata.title());
    if (!metadata.labels().isEmpty()) {
      List<PayloadValue> labels = new ArrayList<>();
      metadata.labels().forEach(label -> labels.add(new PayloadValue.Text(label)));
      entries.add(entry(MetadataReader.LABELS, new PayloadValue.Items(labels)));
    }
    if (metadata.provenance() != null) {
      List<PayloadValue.Entry> said = new ArrayList<>();
      for (Map.Entry<Provenance.Key, PayloadValue> value :
          metadata.provenance().values().entrySet()) {
        said.add(entry(value.getKey().tag, value.getValue()));
      }
      entries.add(entry(MetadataReader.PROVENANCE, new PayloadValue.Entries(said)));
    }
    return new PayloadValue.Entries(
        List.of(entry(MetadataReader.METADATA, new PayloadValue.Entries(entries))));
  }

  private static void add(List<PayloadValue.Entry> entries, long tag, @Nullable String text) {
    if (text != null) {
      entries.add(entry(tag, new PayloadValue.Text(text)));
    }
  }

  private static PayloadValue.Entry entry(long tag, PayloadValue value) {
    return new PayloadValue.Entry(PayloadValue.Int.of(tag), value);
  }
}
