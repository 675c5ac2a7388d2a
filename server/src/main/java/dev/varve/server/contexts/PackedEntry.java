// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.Encoding;
import dev.varve.Payload;
import dev.varve.server.value.MsgpackWriter;
import dev.varve.server.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A [ContextEntry] that takes little memory: what was said in a first turn is kept as bytes, in
/// the form in which turns say it, and read again when it is wanted. Some 300 bytes in place of a
/// thousand.
///
/// @param said null if nothing was said, or if it is kept in `rest`
/// @param rest all else
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
    // Text that is no UTF-8 does not come back as it was; such an entry stays whole.
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

  /// Roughly what it takes in memory.
  int weightBytes() {
    return BYTES_BESIDE + (said == null ? rest.weightBytes() : said.length + rest.textBytes());
  }

  private static Value written(ContextMetadata metadata) {
    List<Value.Entry> entries = new ArrayList<>();
    add(entries, MetadataReader.CLIENT_TAG, metadata.clientTag());
    add(entries, MetadataReader.TITLE, metadata.title());
    if (!metadata.labels().isEmpty()) {
      List<Value> labels = new ArrayList<>();
      metadata.labels().forEach(label -> labels.add(new Value.Text(label)));
      entries.add(entry(MetadataReader.LABELS, new Value.Items(labels)));
    }
    if (metadata.provenance() != null) {
      List<Value.Entry> said = new ArrayList<>();
      for (Map.Entry<Provenance.Key, Value> value : metadata.provenance().values().entrySet()) {
        said.add(entry(value.getKey().tag, value.getValue()));
      }
      entries.add(entry(MetadataReader.PROVENANCE, new Value.Entries(said)));
    }
    return new Value.Entries(List.of(entry(MetadataReader.METADATA, new Value.Entries(entries))));
  }

  private static void add(List<Value.Entry> entries, long tag, @Nullable String text) {
    if (text != null) {
      entries.add(entry(tag, new Value.Text(text)));
    }
  }

  private static Value.Entry entry(long tag, Value value) {
    return new Value.Entry(Value.Int.of(tag), value);
  }
}
