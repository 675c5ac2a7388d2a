// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import dev.varve.json.JsonLine;
import dev.varve.rewind.pi.RestorePoints;
import dev.varve.rewind.pi.SessionReply;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The fields that every answer about a session has.
final class ReplyJson {

  private static final String SHOWN = "◆ ";

  private ReplyJson() {}

  /// @param notices the sentences for people
  /// @param points null if there is no session
  /// @param silent whether the status and notices of level `info` are left away
  static JsonLine write(
      JsonLine answer,
      List<SessionReply.Appended> append,
      List<SessionReply.Notice> notices,
      @Nullable RestorePoints points,
      boolean silent) {
    long count = points == null ? 0 : points.count();
    long snapshots = points == null ? 0 : points.snapshots();
    boolean shown = points != null && !silent;
    return answer
        .objects(
            "append",
            append,
            (line, mark) -> line.text("customType", mark.customType()).json("data", mark.data()))
        .text("status", shown ? SHOWN + count + " points / " + snapshots + " snapshots" : null)
        .number("points", count)
        .number("snapshots", snapshots)
        .objects(
            "notices",
            notices.stream()
                .filter(notice -> !silent || notice.level() != SessionReply.Level.INFO)
                .toList(),
            (line, notice) ->
                line.text("level", notice.level().name().toLowerCase(Locale.ROOT))
                    .text("text", notice.text()));
  }
}
