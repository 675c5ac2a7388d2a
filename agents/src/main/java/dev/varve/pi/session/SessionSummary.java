// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The row of a session in a list of sessions, read from the beginning and the end of its file.
///
/// @param header null if the file does not begin with one: then Pi refuses it
/// @param name the last one given, as far as it was read; empty if none was met
/// @param firstPrompt the first words of its user; empty if they stand too far inside
/// @param lastActiveAt the time of the last entry that could be read, else when the file was
///   changed
/// @param entries how many; -1 where the file was not read as a whole
/// @param readBytes how much of the file was read
public record SessionSummary(
    Path file,
    SessionRecord.@Nullable Header header,
    String name,
    String firstPrompt,
    Instant lastActiveAt,
    long sizeBytes,
    long entries,
    long readBytes) {

  /// Name, else prompt: what a person knows it by.
  public String title() {
    return name.isEmpty() ? firstPrompt : name;
  }
}
