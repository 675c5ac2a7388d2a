// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.varve.StoreException;
import java.util.ArrayList;
import java.util.List;

/// One difference between two trees, as `git diff-tree --raw -z` prints it. Renames are not looked
/// for: they would hide a name.
///
/// @param oldMode 0 if the file is not in the old tree
/// @param newMode 0 if the file is not in the new tree
public record TreeChange(RepoPath path, int oldMode, int newMode, String oldId, String newId) {

  /// A mode by which git names the kind of a thing in a tree, in octal.
  public static final int LINK = 0120000;

  public static final int FILE = 0100644;
  public static final int PROGRAM = 0100755;
  public static final int REPOSITORY = 0160000;

  /// With permissions in the lowest bits. Git does not report folders.
  public static final int FOLDER = 0040000;

  private static final int KIND = 0170000;

  public boolean oldIsFolder() {
    return (oldMode & KIND) == FOLDER;
  }

  public boolean newIsFolder() {
    return (newMode & KIND) == FOLDER;
  }

  /// Lists the differences between two commits or trees, in the order of the names' bytes.
  public static List<TreeChange> between(Git git, String from, String to) {
    byte[] output =
        git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", from, to);
    List<RepoPath> pieces = RepoPath.list(output);
    List<TreeChange> changes = new ArrayList<>();
    for (int i = 0; i + 1 < pieces.size(); i += 2) {
      String[] facts = new String(pieces.get(i).bytes(), US_ASCII).split(" ");
      if (facts.length != 5 || !facts[0].startsWith(":")) {
        throw new StoreException.Invalid("what git diff-tree printed", String.join(" ", facts));
      }
      changes.add(
          new TreeChange(
              pieces.get(i + 1),
              Integer.parseInt(facts[0].substring(1), 8),
              Integer.parseInt(facts[1], 8),
              facts[2],
              facts[3]));
    }
    return changes;
  }
}
