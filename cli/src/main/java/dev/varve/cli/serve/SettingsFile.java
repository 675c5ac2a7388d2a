// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A settings file: `name = value` lines in Java's format of properties, UTF-8, at most 64 KiB. A
/// name that stands in the file twice and a name that is no option are refused.
final class SettingsFile {

  static final SettingsFile NONE = new SettingsFile(null, new Properties());

  private static final int BYTES_MAX = 1 << 16;

  private final @Nullable Path file;
  private final Properties values;

  private SettingsFile(@Nullable Path file, Properties values) {
    this.file = file;
    this.values = values;
  }

  /// Reads a file.
  ///
  /// @throws CommandException if the file is not a file of settings
  /// @throws StoreException.Io if the file cannot be read
  static SettingsFile read(Path file) {
    Properties values = new UniqueProperties(file);
    try {
      if (!Files.isRegularFile(file)) {
        throw refusal(file, Files.exists(file) ? "expected a file" : "there is no such file");
      }
      byte[] bytes;
      try (var in = Files.newInputStream(file)) {
        bytes = in.readNBytes(BYTES_MAX + 1);
      }
      if (bytes.length > BYTES_MAX) {
        throw refusal(file, "expected at most " + BYTES_MAX + " bytes, found more");
      }
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      values.load(new StringReader(text));
    } catch (CharacterCodingException e) {
      throw refusal(file, "expected UTF-8, found other bytes");
    } catch (IllegalArgumentException e) {
      throw refusal(file, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
    return new SettingsFile(file, values);
  }

  Optional<String> value(String name) {
    return Optional.ofNullable(values.getProperty(name)).filter(value -> !value.isBlank());
  }

  /// The path of the file, for people; empty for none.
  String name() {
    return file == null ? "" : file.toString();
  }

  /// Where the value of an option stands, for messages.
  String place(String name) {
    return "'" + name + "' in " + file;
  }

  /// Refuses names that are not among the known ones.
  void refuseOthers(Set<String> known) {
    Set<String> unknown = new TreeSet<>(values.stringPropertyNames());
    unknown.removeAll(known);
    if (!unknown.isEmpty() && file != null) {
      throw refusal(
          file,
          "'"
              + unknown.iterator().next()
              + "' is no option of serve, known are "
              + String.join(", ", new TreeSet<>(known)));
    }
  }

  private static CommandException refusal(Path file, String reason) {
    return new CommandException(ExitCodes.USAGE, file + ": " + reason, null);
  }

  /// Properties of which each name may be given once.
  private static final class UniqueProperties extends Properties {

    private static final long serialVersionUID = 1;
    private final transient Path file;

    UniqueProperties(Path file) {
      this.file = file;
    }

    @Override
    public synchronized @Nullable Object put(Object name, Object value) {
      if (containsKey(name)) {
        throw refusal(file, "'" + name + "' is there twice");
      }
      return super.put(name, value);
    }
  }
}
