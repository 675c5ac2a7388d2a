// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

import dev.varve.StoreException;
import java.util.regex.Pattern;

/// A refusal as a peer may see it: file names without the folders of this machine.
public final class PublicRefusal {

  /// From the slash of an absolute path to its last slash, up to the colon that ends a file name in
  /// messages.
  private static final Pattern FOLDERS =
      Pattern.compile("(?<![\\w.:/])(?:[A-Za-z]:)?[/\\\\][^:\\n]*[/\\\\]");

  private PublicRefusal() {}

  /// The same refusal without folders.
  public static StoreException of(StoreException refusal) {
    return switch (refusal) {
      case StoreException.Io e ->
          new StoreException.Io(withoutFolders(e.file()), withoutFolders(e.what()), e);
      case StoreException.Full e -> new StoreException.Full(withoutFolders(e.file()), e);
      case StoreException.Corrupt e ->
          new StoreException.Corrupt(withoutFolders(e.file()), e.offset(), e.expected(), e.found());
      case StoreException.Busy e ->
          new StoreException.Busy(withoutFolders(e.path()), withoutFolders(e.holder()));
      case StoreException.Closed e -> new StoreException.Closed(withoutFolders(e.what()));
      case StoreException.NoStore _, StoreException.FormatTooNew _, StoreException.FormatTooOld _ ->
          new StoreException.Io("store", "cannot be used", refusal);
      case StoreException.NotFound _,
          StoreException.Invalid _,
          StoreException.Conflict _,
          StoreException.Erased _,
          StoreException.TooLarge _ ->
          refusal;
    };
  }

  private static String withoutFolders(String text) {
    return FOLDERS.matcher(text).replaceAll("");
  }
}
