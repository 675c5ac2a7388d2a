// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.StoreException;
import dev.varve.access.StoreAccess;
import org.jspecify.annotations.Nullable;

/// The advice that the command gives beside an error of the store. The library states facts; advice
/// belongs to the program.
public final class ErrorHints {

  private ErrorHints() {}

  /// A sentence of advice, or null where the message needs none.
  public static @Nullable String of(StoreException refusal) {
    return switch (refusal) {
      case StoreException.NotFound missing -> ofMissing(missing.kind());
      case StoreException.NoStore none when !none.vacant() ->
          "--store DIR or VARVE_STORE names another folder.";
      case StoreException.NoStore _ ->
          "'varve demo' shows a store; 'varve import' or 'varve new' makes a store.\n"
              + "--store DIR or VARVE_STORE names another folder.";
      case StoreException.Erased _ -> "'varve readmit' takes erased content back on purpose.";
      case StoreException.Conflict moved when moved.what().startsWith("head of context ") ->
          "Read the present state ('varve log'), then decide again.";
      case StoreException.Conflict used when used.what().startsWith("idempotency key") ->
          "Other content needs another key.";
      case StoreException.Conflict _ -> null;
      case StoreException.Corrupt index when index.file().endsWith("manifest.json") ->
          "'varve pi manifest --rebuild' makes the index again from the sessions.";
      case StoreException.Corrupt _ -> "'varve check' reports everything that is affected.";
      case StoreException.FormatTooNew _ ->
          "Use the version of Varve that wrote the store, or a later version.";
      case StoreException.FormatTooOld _ ->
          "Export the store with the version of Varve that wrote it.";
      case StoreException.Busy busy when busy.holder().startsWith(StoreAccess.SERVICE_HOLDER) ->
          "Only the holder of a store can do that: end the service first.";
      case StoreException.Busy _ -> "Wait until the process is done, or end the process.";
      case StoreException.Full _ ->
          "Nothing that was acknowledged is lost. Make room, then try again.";
      case StoreException.Invalid _ -> null;
      case StoreException.TooLarge large when large.what().contains("memory") ->
          ErrorExit.MORE_MEMORY;
      case StoreException.TooLarge _ -> null;
      case StoreException.Closed _ -> null;
      case StoreException.Io _ -> null;
    };
  }

  private static @Nullable String ofMissing(String kind) {
    return switch (kind) {
      case "context" -> "'varve contexts' lists the contexts of the store.";
      case "turn", "parent turn" -> "'varve log CONTEXT' lists the turns of a context.";
      case StoreException.NotFound.ERASED_BLOB ->
          "It was erased for good; no copy of it is in the store.";
      case "blob" -> "'varve show TURN' prints the hash of a turn's payload.";
      default -> null;
    };
  }
}
