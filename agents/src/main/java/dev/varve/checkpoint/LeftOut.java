// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import java.util.Locale;

/// Why a file that is there is not in a snapshot. Its absence then says nothing: a restore never
/// deletes or overwrites it.
public enum LeftOut {
  LARGE("larger than the limit"),
  /// Where nothing in repositories inside is captured: without git, and in older snapshots.
  REPOSITORY("a repository of its own"),
  /// Where git finds none, or fails.
  BROKEN("a repository that git cannot read"),
  /// Git asks its owner's consent (`safe.directory`).
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

  /// For people.
  public String words() {
    return words;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
