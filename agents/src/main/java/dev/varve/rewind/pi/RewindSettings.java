// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The settings under `rewind` in Pi's `settings.json`.
///
/// @param silent whether only trouble is shown
/// @param retention null if snapshots are kept for ever
/// @param fileBytesMax larger files are not captured; null for the default
/// @param trees whether snapshots are kept as file trees of the store, whether there is git or not
/// @param outside whether snapshots are to be kept outside of the repository
/// @param problems the settings that could not be understood, a sentence each. Such a setting
///   counts as absent; a retention with a problem drops nothing
public record RewindSettings(
    boolean silent,
    @Nullable Retention retention,
    @Nullable Long fileBytesMax,
    boolean trees,
    boolean outside,
    List<String> problems) {

  /// Nothing is set.
  public static final RewindSettings NONE =
      new RewindSettings(false, null, null, false, false, List.of());

  public RewindSettings {
    problems = List.copyOf(problems);
  }

  /// The rules for how long snapshots are kept.
  ///
  /// @param snapshotsMax the number of unprotected snapshots that are kept; null for any number
  /// @param daysMax the age of unprotected snapshots in days; null for any age
  /// @param pinLabelled whether those of labelled entries are kept whatever their age
  /// @param everySession whether the snapshots of all sessions of the repository may go, and not
  ///   only those of this session and the ones it was forked from
  /// @param startBudgetMillis how long a sweep at the start may take; null for as long as it takes
  public record Retention(
      @Nullable Long snapshotsMax,
      @Nullable Double daysMax,
      boolean pinLabelled,
      boolean everySession,
      @Nullable Long startBudgetMillis) {}

  /// These settings with those of `above` over them: the project's over the user's.
  RewindSettings under(RewindSettings above) {
    List<String> all = new ArrayList<>(problems);
    all.addAll(above.problems);
    return new RewindSettings(
        silent || above.silent,
        above.retention != null ? above.retention : retention,
        above.fileBytesMax != null ? above.fileBytesMax : fileBytesMax,
        trees || above.trees,
        outside || above.outside,
        all);
  }
}
