// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.ChangeDelta;
import com.github.difflib.patch.Chunk;
import com.github.difflib.patch.Patch;
import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.git.TreeChange;
import dev.varve.rewind.LineCounts;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/// Differences for people, in the form of `git diff`, which git and `patch` apply. Bytes stay
/// unchanged.
final class TextDiff {

  private static final int TEXT_BYTES_MAX = 16 << 20;
  private static final int CONTEXT_LINES = 3;
  private static final int NUL_LOOKED_FOR = 8_000;
  private static final String MISSING_END = "\\ No newline at end of file\n";

  /// The number of pairs of lines up to which two texts are compared. A larger change is shown as a
  /// whole, because a comparison takes time by this number.
  private static final long PAIRS_MAX = 200_000_000L;

  private final Store store;
  private final List<TreeChange> changes;

  TextDiff(Store store, List<TreeChange> changes) {
    this.store = store;
    this.changes = changes;
  }

  /// One side of a change.
  ///
  /// @param lines the lines with their ends; empty for a file that is no text
  private record Side(boolean text, long sizeBytes, List<String> lines) {}

  byte[] text(boolean stat) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    DiffSummary summary = new DiffSummary();
    for (TreeChange change : changes) {
      if (change.oldIsFolder() || change.newIsFolder()) {
        summary.folder(change);
        if (!stat) {
          out.writeBytes(folder(change).getBytes(ISO_8859_1));
        }
      } else {
        out.writeBytes(file(change, stat, summary).getBytes(ISO_8859_1));
      }
    }
    return stat ? summary.text().getBytes(ISO_8859_1) : out.toByteArray();
  }

  /// Counts the lines that are added and removed in files that are text.
  LineCounts lines() {
    LineCounts lines = LineCounts.NONE;
    for (TreeChange change : changes) {
      if (!change.oldIsFolder() && !change.newIsFolder()) {
        Side before = side(change.oldMode(), change.oldId());
        Side after = side(change.newMode(), change.newId());
        if (before.text && after.text) {
          lines = lines.plus(lines(patch(before.lines, after.lines)));
        }
      }
    }
    return lines;
  }

  private static LineCounts lines(Patch<String> patch) {
    LineCounts lines = LineCounts.NONE;
    for (AbstractDelta<String> delta : patch.getDeltas()) {
      lines = lines.plus(new LineCounts(delta.getTarget().size(), delta.getSource().size()));
    }
    return lines;
  }

  private static String folder(TreeChange change) {
    String name = QuotedPath.text("", change.path());
    return change.newMode() == 0
        ? "Folder deleted: " + name + "\n"
        : change.oldMode() == 0 ? "Folder made: " + name + "\n" : "Folder changed: " + name + "\n";
  }

  private String file(TreeChange change, boolean stat, DiffSummary summary) {
    Side before = side(change.oldMode(), change.oldId());
    Side after = side(change.newMode(), change.newId());
    if (!before.text || !after.text) {
      summary.binary(change.path(), before.sizeBytes, after.sizeBytes);
      return stat ? "" : head(change) + binary(change);
    }
    Patch<String> patch = patch(before.lines, after.lines);
    LineCounts counts = lines(patch);
    summary.text(change.path(), (int) counts.added(), (int) counts.removed());
    if (stat) {
      return "";
    }
    StringBuilder text = new StringBuilder(head(change));
    List<String> lines =
        UnifiedDiffUtils.generateUnifiedDiff(
            change.oldMode() == 0 ? "/dev/null" : QuotedPath.text("a/", change.path()),
            change.newMode() == 0 ? "/dev/null" : QuotedPath.text("b/", change.path()),
            before.lines,
            patch,
            CONTEXT_LINES);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      boolean own = i < 2 || line.startsWith("@@");
      text.append(line);
      if (!line.endsWith("\n")) {
        text.append('\n').append(own ? "" : MISSING_END);
      }
    }
    return text.toString();
  }

  private Side side(int mode, String id) {
    if (mode == 0) {
      return new Side(true, 0, List.of());
    }
    BlobHash hash = BlobHash.parse(id);
    long sizeBytes = store.sizeBytes(hash);
    if (sizeBytes > TEXT_BYTES_MAX) {
      return new Side(false, sizeBytes, List.of());
    }
    String text = new String(store.get(hash).unsafeArray(), ISO_8859_1);
    int nul = text.indexOf('\0');
    if (nul >= 0 && nul < NUL_LOOKED_FOR) {
      return new Side(false, sizeBytes, List.of());
    }
    List<String> lines = new ArrayList<>();
    for (int start = 0; start < text.length(); ) {
      int end = text.indexOf('\n', start);
      int next = end < 0 ? text.length() : end + 1;
      lines.add(text.substring(start, next));
      start = next;
    }
    return new Side(true, sizeBytes, lines);
  }

  private static Patch<String> patch(List<String> before, List<String> after) {
    int head = 0;
    int shorter = Math.min(before.size(), after.size());
    while (head < shorter && before.get(head).equals(after.get(head))) {
      head++;
    }
    int tail = 0;
    while (tail < shorter - head
        && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
      tail++;
    }
    long pairs = (long) (before.size() - head - tail) * (after.size() - head - tail);
    if (pairs <= PAIRS_MAX) {
      return DiffUtils.diff(before, after);
    }
    Patch<String> whole = new Patch<>();
    whole.addDelta(
        new ChangeDelta<>(
            new Chunk<>(head, before.subList(head, before.size() - tail)),
            new Chunk<>(head, after.subList(head, after.size() - tail))));
    return whole;
  }

  private static String head(TreeChange change) {
    StringBuilder head = new StringBuilder("diff --git ");
    head.append(QuotedPath.text("a/", change.path()))
        .append(' ')
        .append(QuotedPath.text("b/", change.path()));
    head.append('\n');
    if (change.oldMode() == 0) {
      head.append("new file mode ").append(octal(change.newMode())).append('\n');
    } else if (change.newMode() == 0) {
      head.append("deleted file mode ").append(octal(change.oldMode())).append('\n');
    } else if (change.oldMode() != change.newMode()) {
      head.append("old mode ").append(octal(change.oldMode())).append('\n');
      head.append("new mode ").append(octal(change.newMode())).append('\n');
    }
    return head.toString();
  }

  private static String binary(TreeChange change) {
    return "Binary files "
        + (change.oldMode() == 0 ? "/dev/null" : QuotedPath.text("a/", change.path()))
        + " and "
        + (change.newMode() == 0 ? "/dev/null" : QuotedPath.text("b/", change.path()))
        + " differ\n";
  }

  private static String octal(int mode) {
    return Integer.toOctalString(mode);
  }
}
