// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.ledger.Forecast;
import dev.varve.ledger.Menu;
import dev.varve.ledger.Points;
import dev.varve.ledger.SessionEntry;

/// Menus and points of a session, for programs.
final class MenuJson {

  private MenuJson() {}

  static void offer(JsonLine line, Menu.Offer offer) {
    Forecast forecast = offer.forecast();
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

  static void point(JsonLine line, Points.Point point) {
    SessionEntry entry = point.entry();
    line.text("entry", point.id())
        .text("snapshot", point.snapshot())
        .text("role", SessionAnswers.word(entry == null ? null : entry.kind()))
        .text("at", entry == null || entry.time().isEmpty() ? null : entry.time());
  }
}
