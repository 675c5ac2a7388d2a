// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A native library of Linux (ELF, 64 bits) without the table of its inner symbols, which only
/// debuggers read: of the JVM's library a sixth. What `strip --strip-unneeded` leaves out, but on
/// every machine the same.
final class StrippedLibrary {

  private static final int MAGIC = 0x464c457f; // 7f 'E' 'L' 'F'
  private static final int CLASS_64 = 2;
  private static final int LITTLE_ENDIAN = 1;

  private static final int TYPE_SYMBOLS = 2;
  private static final int TYPE_STRINGS = 3;

  // Places in the header of the file, and in the header of a section.
  private static final int SECTIONS_OFFSET = 0x28;
  private static final int SECTION_BYTES = 0x3a;
  private static final int SECTION_COUNT = 0x3c;
  private static final int NAMES_SECTION = 0x3e;
  private static final int TYPE = 4;
  private static final int FLAGS = 8;
  private static final int OFFSET = 24;
  private static final int SIZE = 32;

  private StrippedLibrary() {}

  /// Leaves the symbols out of a file if the file is a library that ends with them.
  static void strip(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.length < 64
        || from.getInt(0) != MAGIC
        || bytes[4] != CLASS_64
        || bytes[5] != LITTLE_ENDIAN) {
      return;
    }
    int count = from.getShort(SECTION_COUNT);
    List<ByteBuffer> sections = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = Math.toIntExact(from.getLong(SECTIONS_OFFSET)) + i * from.getShort(SECTION_BYTES);
      sections.add(from.slice(at, from.getShort(SECTION_BYTES)).order(ByteOrder.LITTLE_ENDIAN));
    }
    int symbols = count - 3;
    if (symbols < 0
        || from.getShort(NAMES_SECTION) != count - 1
        || sections.get(symbols).getInt(TYPE) != TYPE_SYMBOLS
        || sections.get(symbols + 1).getInt(TYPE) != TYPE_STRINGS) {
      return;
    }
    write(file, from, sections);
  }

  /// Writes the file up to its symbols, then the names of its sections, then their headers.
  private static void write(Path file, ByteBuffer from, List<ByteBuffer> sections)
      throws IOException {
    ByteBuffer names = sections.removeLast();
    sections.removeLast();
    int end = Math.toIntExact(sections.removeLast().getLong(OFFSET));
    sections.add(names);
    for (ByteBuffer section : sections) {
      boolean isLoaded = (section.getLong(FLAGS) & 2) != 0;
      if (isLoaded && section.getInt(TYPE) != 8 && section.getLong(OFFSET) > end) {
        throw new IOException(file + ": a loaded section stands behind the symbols");
      }
    }
    int nameBytes = Math.toIntExact(names.getLong(SIZE));
    int headersAt = (end + nameBytes + 7) / 8 * 8;
    ByteBuffer to =
        ByteBuffer.allocate(headersAt + sections.size() * names.capacity())
            .order(ByteOrder.LITTLE_ENDIAN);
    to.put(from.slice(0, end));
    to.put(from.slice(Math.toIntExact(names.getLong(OFFSET)), nameBytes));
    names.putLong(OFFSET, end);
    to.position(headersAt);
    sections.forEach(section -> to.put(section.duplicate()));
    to.putLong(SECTIONS_OFFSET, headersAt);
    to.putShort(SECTION_COUNT, (short) sections.size());
    to.putShort(NAMES_SECTION, (short) (sections.size() - 1));
    Files.write(file, to.array());
  }
}
