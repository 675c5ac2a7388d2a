// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.removal;

import java.io.OutputStream;
import java.util.Set;

/// A choice of snapshots: by their content, or by their names.
///
/// @param looks gives a new [Look] for each object
/// @param snapshots names of snapshots that are chosen whatever their content is
public record WantedContent(Looks looks, Set<String> snapshots) {

  public WantedContent {
    snapshots = Set.copyOf(snapshots);
  }

  /// Makes looks.
  @FunctionalInterface
  public interface Looks {

    /// @param isFile whether the object is the content of a file or link, and not a list of names
    ///   or what a snapshot says of itself
    Look begin(boolean isFile);
  }

  /// Takes the bytes of one object.
  public abstract static class Look extends OutputStream {

    /// Returns whether the bytes that were taken have the content. Called after the last byte.
    public abstract boolean isFound();

    @Override
    public final void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public abstract void write(byte[] bytes, int from, int length);
  }
}
