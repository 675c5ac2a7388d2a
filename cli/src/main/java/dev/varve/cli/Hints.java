// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.StoreException;
import org.jspecify.annotations.Nullable;

/// What a person might do about a refusal. The library states facts; advice belongs to the program.
final class Hints {

  private Hints() {}

  /// One sentence, or null where the message says it all.
  static @Nullable String of(StoreException refusal) {
    return switch (refusal) {
      case StoreException.NotFound missing -> ofMissing(missing.kind());
      case StoreException.NoStore none when !none.vacant() ->
          "--store DIR or VARVE_STORE names another folder.";
      case StoreException.NoStore _ ->
          "'varve demo' shows one; 'varve import' or 'varve new' makes one; --store DIR or"
              + " VARVE_STORE names another folder.";
      case StoreException.Conflict _ -> "Read what is there now ('varve log'), then decide again.";
      case StoreException.Corrupt index when index.file().endsWith("manifest.json") ->
          "'varve pi manifest --rebuild' makes it again from the sessions.";
      case StoreException.Corrupt _ -> "'varve check' tells how much is affected.";
      case StoreException.FormatTooNew _ ->
          "Use the version of Varve that wrote it, or a later one.";
      case StoreException.FormatTooOld _ -> "Use the version of Varve that wrote it to export it.";
      case StoreException.Busy _ -> "Wait until that process is done, or end it.";
      case StoreException.Full _ ->
          "Nothing that was acknowledged is lost. Make room, then try again.";
      case StoreException.Invalid _ -> null;
      case StoreException.TooLarge large when large.what().contains("memory") -> Ending.MORE_MEMORY;
      case StoreException.TooLarge _ -> null;
      case StoreException.Closed _ -> null;
      case StoreException.Io _ -> null;
    };
  }

  private static @Nullable String ofMissing(String kind) {
    return switch (kind) {
      case "context" -> "'varve contexts' lists those there are.";
      case "turn", "parent turn" -> "'varve log CONTEXT' lists the turns of a context.";
      case "blob" -> "'varve show TURN' prints the hash of a turn's payload.";
      default -> null;
    };
  }
}
