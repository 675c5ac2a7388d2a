// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.files.RegularFile;
import dev.varve.hash.Blake3;
import dev.varve.imports.StrictJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// The original of a repaired copy, made again from the copy and its journal.
public final class OriginalFile {

  private static final int BUFFER_SIZE = 256 << 10;

  private final FileChannel copy;
  private final Consumer<ByteBuffer> sink;
  private final Blake3 hasher = new Blake3();
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_SIZE);

  private OriginalFile(FileChannel copy, Consumer<ByteBuffer> sink) {
    this.copy = copy;
    this.sink = sink;
  }

  /// Hands the original's bytes to `sink`, in order.
  ///
  /// @return their hash, which the journal's first line names
  /// @throws StoreException.Corrupt if they are not what the journal promises; some were handed out
  ///   by then
  public static BlobHash write(Path copy, Path journal, Consumer<ByteBuffer> sink) {
    try (FileChannel channel = RegularFile.open(copy, StandardOpenOption.READ);
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(RegularFile.read(journal), StandardCharsets.UTF_8))) {
      OriginalFile original = new OriginalFile(channel, sink);
      String promised = "";
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Map<String, String> fields = fields(line);
        promised = fields.getOrDefault("original_hash", promised);
        original.step(fields);
      }
      BlobHash found = original.hasher.digest();
      if (!found.toString().equals(promised)) {
        throw new StoreException.Corrupt(
            copy.toString(), 0, "with its journal, hash " + promised, "hash " + found);
      }
      return found;
    } catch (IOException e) {
      throw new StoreException.Io(copy.toString(), "cannot be read with its journal", e);
    }
  }

  private void step(Map<String, String> fields) throws IOException {
    switch (fields.getOrDefault("op", "")) {
      case "same" -> same(number(fields, "at"), number(fields, "size_bytes"));
      case "left_out" ->
          take(ByteBuffer.wrap(Base64.getDecoder().decode(fields.getOrDefault("base64", ""))));
      default -> {} // the first line and the last
    }
  }

  private static long number(Map<String, String> fields, String name) {
    return Long.parseLong(fields.getOrDefault(name, "0"));
  }

  private void same(long at, long sizeBytes) throws IOException {
    for (long done = 0; done < sizeBytes; ) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), sizeBytes - done));
      int read = copy.read(buffer, at + done);
      if (read < 0) {
        throw new IOException("the copy ends before byte " + (at + done));
      }
      done += read;
      take(buffer.flip());
    }
  }

  private void take(ByteBuffer bytes) {
    hasher.update(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    sink.accept(bytes);
  }

  private static Map<String, String> fields(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    Map<String, String> fields = new HashMap<>();
    try (JsonParser json = StrictJson.parser(bytes, 0, bytes.length)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        json.nextToken();
        fields.put(name, json.getString());
      }
    }
    return fields;
  }
}
