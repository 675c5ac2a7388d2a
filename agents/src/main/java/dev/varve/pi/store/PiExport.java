// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.pi.session.PlainFileName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Gives Pi's session files back, byte for byte.
public final class PiExport {

  private PiExport() {}

  /// Writes the session that `context` belongs to into the file `target`.
  ///
  /// Any context of the session will do: one of a leaf gives the newest version of the file, one
  /// that the newest version has no leaf for gives the last version that had. The bytes are written
  /// under another name beside `target`, forced, and compared with the hash of the file that was
  /// imported before they get its name. A file that is there already and has exactly these bytes is
  /// left as it is.
  ///
  /// @throws StoreException.NotFound if there is no such context
  /// @throws StoreException.Invalid if the context did not come from Pi
  /// @throws StoreException.Conflict if `target` exists and is another file
  /// @throws StoreException.Corrupt if the bytes are not those that were imported; nothing is left
  ///   behind
  public static void session(Store store, ContextId context, Path target) {
    PiAbout about = about(store, context);
    TurnId manifest =
        switch (about) {
          case PiAbout.Whole whole -> whole.manifest();
          case PiAbout.Branch branch ->
              branch.former() == null
                  ? whole(store, branch.manifestContext()).manifest()
                  : branch.former();
        };
    version(store, manifest, target);
  }

  /// Writes the version of a session whose manifest is the turn `manifest`, like [#session].
  public static void version(Store store, TurnId manifest, Path target) {
    ExportedFile.write(store, SessionManifest.get(store, manifest), target);
  }

  /// A name for the exported file that is one on any system: the imported file's own, or one made
  /// from the context's number where that leads out of a folder or means something to some system.
  public static String fileName(Store store, ContextId context) {
    String name = about(store, context).session().file();
    return PlainFileName.is(name) ? name : "pi-session-" + context + ".jsonl";
  }

  /// All versions of the session that `context` belongs to, newest first.
  public static List<PiAbout.Whole> versions(Store store, ContextId context) {
    List<PiAbout.Whole> versions = new ArrayList<>();
    PiAbout.Whole next =
        switch (about(store, context)) {
          case PiAbout.Whole whole -> whole;
          case PiAbout.Branch branch -> whole(store, branch.manifestContext());
        };
    versions.add(next);
    for (BlobHash previous = next.previous(); previous != null; previous = next.previous()) {
      if (!(PiAbout.read(store.get(previous)).orElse(null) instanceof PiAbout.Whole before)) {
        break;
      }
      versions.add(before);
      next = before;
    }
    return versions;
  }

  /// The about of `context`.
  ///
  /// @throws StoreException.Invalid if it did not come from Pi
  public static PiAbout about(Store store, ContextId context) {
    ContextHead head = store.head(context);
    if (head.about() != null) {
      var about = PiAbout.read(store.get(head.about()));
      if (about.isPresent()) {
        return about.get();
      }
    }
    throw new StoreException.Invalid("context " + context, "no Pi session was imported into it");
  }

  private static PiAbout.Whole whole(Store store, ContextId manifestContext) {
    if (about(store, manifestContext) instanceof PiAbout.Whole whole) {
      return whole;
    }
    throw new StoreException.Invalid("context " + manifestContext, "holds no manifest");
  }
}
