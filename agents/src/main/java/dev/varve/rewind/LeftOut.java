// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import java.util.Locale;

/// The reason why an existing file is not in a snapshot. The absence of the file then says nothing:
/// a restore never deletes or overwrites the file.
public enum LeftOut {
  LARGE("larger than the limit"),
  /// A repository inside, where such repositories are not captured: without git, and in older
  /// snapshots.
  REPOSITORY("a repository of its own"),
  /// A repository in which git fails.
  BROKEN("a repository that git cannot read"),
  /// A repository that git reads only with the consent of its owner (`safe.directory`).
  FOREIGN("a repository of another user"),
  LINKED("another worktree of this repository, with snapshots of its own"),
  DEEP("a repository in too many others"),
  MANY("one repository too many"),
  UNREADABLE("not readable"),
  CHANGING("being written to all the time"),
  NAME("a name that a repository keeps for itself"),
  SPECIAL("no file, folder or link"),
  OWN("the store itself");

  private final String words;

  LeftOut(String words) {
    this.words = words;
  }

  /// The reason for people.
  public String words() {
    return words;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
