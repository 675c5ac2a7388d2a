// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.TurnId;
import dev.varve.server.value.PayloadValue;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PackedEntryTest {

  private static final AboutReader DESCRIBED =
      new AboutReader("tag", "title", "agent", "/work-of/project", false);
  private static final long SEED = 20261128;
  private final SplittableRandom random = new SplittableRandom(SEED);

  private static ContextEntry entry(ContextMetadata metadata) {
    return new ContextEntry(metadata, true, new TurnId(7), null, DESCRIBED, 3L);
  }

  private String text() {
    int length = random.nextInt(8) == 0 ? 3_000 : random.nextInt(1, 30);
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      int c = random.nextInt(4) == 0 ? random.nextInt(0x10000) : random.nextInt(' ', 0x7f);
      text.append((char) c); // half pairs too
    }
    return text.toString();
  }

  private @Nullable String textOrNull() {
    return random.nextBoolean() ? text() : null;
  }

  private PayloadValue value(Provenance.Key.Kind kind) {
    return switch (kind) {
      case TEXT -> new PayloadValue.Text(text());
      case NUMBER -> PayloadValue.Int.unsigned(random.nextLong());
      case MAP -> {
        List<PayloadValue.Entry> entries = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          entries.add(
              new PayloadValue.Entry(
                  new PayloadValue.Text("name" + i),
                  new PayloadValue.Text(random.nextBoolean() ? "" : text())));
        }
        yield new PayloadValue.Entries(List.copyOf(entries));
      }
    };
  }

  private ContextMetadata metadata() {
    List<String> labels = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      labels.add(text());
    }
    Map<Provenance.Key, PayloadValue> values = new EnumMap<>(Provenance.Key.class);
    for (Provenance.Key key : Provenance.Key.values()) {
      if (random.nextInt(3) == 0) {
        values.put(key, value(key.kind));
      }
    }
    return new ContextMetadata(
        textOrNull(), textOrNull(), labels, random.nextBoolean() ? new Provenance(values) : null);
  }

  @Test
  void whatWasPackedComesBackAsItWas() {
    for (int i = 0; i < 5_000; i++) {
      ContextEntry entry = entry(metadata());

      assertThat(PackedEntry.of(entry).entry()).as("seed %d, %d", SEED, i).isEqualTo(entry);
    }
  }

  @Test
  void aUsualEntryTakesLessThanHalfOfWhatItTookWhole() {
    Map<Provenance.Key, PayloadValue> values = new EnumMap<>(Provenance.Key.class);
    values.put(Provenance.Key.PARENT_CONTEXT_ID, PayloadValue.Int.of(123_456));
    values.put(Provenance.Key.SERVICE_NAME, new PayloadValue.Text("service"));
    values.put(Provenance.Key.ON_BEHALF_OF, new PayloadValue.Text("somebody"));
    ContextEntry entry =
        entry(
            new ContextMetadata(
                "a-tag", "What was talked about", List.of("a", "b"), new Provenance(values)));

    assertThat(PackedEntry.of(entry).weightBytes()).isLessThan(entry.weightBytes() / 2);
  }
}
