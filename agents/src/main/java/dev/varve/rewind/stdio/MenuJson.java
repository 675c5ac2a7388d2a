// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import dev.varve.json.JsonLine;
import dev.varve.rewind.pi.RestoreForecast;
import dev.varve.rewind.pi.RestoreMenu;
import dev.varve.rewind.pi.RestorePoints;
import dev.varve.rewind.pi.SessionEntry;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The options of a menu and the points of a session, for programs.
public final class MenuJson {

  private MenuJson() {}

  static void offer(JsonLine line, RestoreMenu.Offer offer) {
    RestoreForecast forecast = offer.forecast();
    line.text("id", offer.option().id())
        .text("label", offer.option().label())
        .text("preview", forecast == null ? null : forecast.preview())
        .text("confirm", forecast == null ? null : forecast.confirm());
    if (forecast == null) {
      line.text("counts", null);
    } else {
      line.object(
          "counts",
          counts ->
              counts
                  .number("create", forecast.create())
                  .number("change", forecast.change())
                  .number("permit", forecast.permit())
                  .number("delete", forecast.delete())
                  .number("edited", forecast.edited())
                  .number("kept", forecast.kept()));
    }
  }

  /// Adds the fields of a point.
  public static void point(JsonLine line, RestorePoints.Point point) {
    SessionEntry entry = point.entry();
    line.text("entry", point.id())
        .text("snapshot", point.snapshot())
        .text("role", role(entry))
        .text("at", entry == null || entry.time().isEmpty() ? null : entry.time());
  }

  /// The kind of an entry in one lower-case word; `unknown` if the entry is not known.
  private static String role(@Nullable SessionEntry entry) {
    return entry == null ? "unknown" : entry.kind().name().toLowerCase(Locale.ROOT);
  }
}
