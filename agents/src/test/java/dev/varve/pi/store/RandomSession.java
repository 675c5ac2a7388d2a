// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// A session that grows at random, as Pi writes it, and what may happen to its file.
public final class RandomSession {

  private final SplittableRandom random;
  private final List<String> ids = new ArrayList<>();
  private final List<byte[]> lines = new ArrayList<>();
  private final Set<String> inner = new HashSet<>();

  public RandomSession(SplittableRandom random) {
    this.random = random;
    lines.add(SessionText.headed("session-" + random.nextInt()).bytes());
  }

  private RandomSession(RandomSession parent, int copied) {
    this(parent.random);
    lines.addAll(parent.lines.subList(1, copied + 1));
    ids.addAll(parent.ids.subList(0, copied));
    inner.addAll(parent.inner);
    inner.retainAll(parents());
  }

  private Set<String> parents() {
    Set<String> parents = new HashSet<>();
    for (byte[] line : lines) {
      String text = new String(line, StandardCharsets.UTF_8);
      int at = text.indexOf("\"parentId\":\"");
      if (at >= 0) {
        parents.add(text.substring(at + 12, text.indexOf('"', at + 12)));
      }
    }
    return parents;
  }

  /// Adds an entry below the last one, or sometimes below any, or a new root.
  public void grow() {
    String id = "%08x".formatted(random.nextInt());
    String parent = null;
    if (!ids.isEmpty() && random.nextInt(20) > 0) {
      parent = random.nextInt(5) > 0 ? ids.getLast() : ids.get(random.nextInt(ids.size()));
      inner.add(parent);
    }
    ids.add(id);
    lines.add(
        (SessionText.entry(id, parent, "text " + random.nextInt(3)) + "\n")
            .getBytes(StandardCharsets.UTF_8));
  }

  /// Another session that begins with the first entries of this one.
  RandomSession fork() {
    return new RandomSession(this, random.nextInt(ids.size() + 1));
  }

  /// The ids of the entries without children.
  Set<String> leaves() {
    Set<String> leaves = new HashSet<>(ids);
    leaves.removeAll(inner);
    return leaves;
  }

  List<String> ids() {
    return ids;
  }

  public byte[] bytes() {
    return join(lines);
  }

  /// The bytes after something went wrong.
  public byte[] damaged() {
    List<byte[]> damaged = new ArrayList<>(lines);
    for (int i = random.nextInt(1, 5); i > 0 && !damaged.isEmpty(); i--) {
      int at = random.nextInt(damaged.size());
      byte[] line = damaged.get(at);
      switch (random.nextInt(9)) {
        case 0 -> damaged.set(at, flip(line));
        case 1 -> damaged.remove(at);
        case 2 -> damaged.add(random.nextInt(damaged.size()), line);
        case 3 -> damaged.set(at, cut(line, random.nextInt(line.length + 1)));
        case 4 -> damaged.set(at, cut(line, Math.max(0, line.length - 1)));
        case 5 -> damaged.add(at, noise());
        case 6 -> damaged.set(at, join(List.of(cut(line, random.nextInt(line.length + 1)), line)));
        case 7 ->
            damaged.set(
                at,
                new String(line, StandardCharsets.ISO_8859_1)
                    .replace("\n", "\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
        default -> Collections.swap(damaged, at, random.nextInt(damaged.size()));
      }
    }
    return join(damaged);
  }

  private byte[] flip(byte[] line) {
    byte[] flipped = line.clone();
    if (flipped.length > 0) {
      flipped[random.nextInt(flipped.length)] = (byte) random.nextInt(256);
    }
    return flipped;
  }

  private byte[] noise() {
    byte[] noise = new byte[random.nextInt(2000)];
    random.nextBytes(noise);
    return noise;
  }

  private static byte[] cut(byte[] line, int size) {
    return Arrays.copyOf(line, size);
  }

  private static byte[] join(List<byte[]> parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    parts.forEach(out::writeBytes);
    return out.toByteArray();
  }
}
