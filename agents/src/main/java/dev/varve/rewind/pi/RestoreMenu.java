// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A question to the user about the files.
///
/// @param ask false if the user is not to be asked, and the first option is to be taken
/// @param options the options; the first changes no file
public record RestoreMenu(boolean ask, List<Offer> options) {

  public RestoreMenu {
    options = List.copyOf(options);
  }

  /// The place where the question is asked.
  public enum Place {
    FORK,
    TREE,
    COMMAND
  }

  /// An option that the user can choose.
  public enum Option {
    CONVERSATION_ONLY("conversation-only", "Conversation only (keep current files)"),
    RESTORE_ALL("restore-all", "Restore all (files + conversation)"),
    CODE_ONLY("code-only", "Code only (restore files, keep conversation)"),
    KEEP("keep", "Keep current files"),
    RESTORE("restore", "Restore files to that point"),
    UNDO("undo", "Undo last file rewind"),
    REDO("redo", "Redo last file rewind");

    private final String id;
    private final String label;

    Option(String id, String label) {
      this.id = id;
      this.label = label;
    }

    public String id() {
      return id;
    }

    /// The option for people.
    public String label() {
      return label;
    }

    /// @return null if there is no such option
    public static @Nullable Option of(String id) {
      for (Option option : values()) {
        if (option.id.equals(id)) {
          return option;
        }
      }
      return null;
    }
  }

  /// An option with a forecast of its restore.
  ///
  /// @param forecast null if it changes no file
  public record Offer(Option option, @Nullable RestoreForecast forecast) {}
}
