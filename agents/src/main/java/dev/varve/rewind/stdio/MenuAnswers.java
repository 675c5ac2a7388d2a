// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import dev.varve.StoreException;
import dev.varve.json.JsonLine;
import dev.varve.rewind.RestoreOutcome;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.pi.RestoreMenu;
import dev.varve.rewind.pi.RestoreMenu.Option;
import dev.varve.rewind.pi.RestoreMenu.Place;
import dev.varve.rewind.pi.RestorePoints;
import dev.varve.rewind.pi.SessionNavigation;
import dev.varve.rewind.pi.SessionReply;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Answers about the menus and the points of a session. Each method writes the fields of its answer
/// and returns what the session is to be given.
final class MenuAnswers {

  private MenuAnswers() {}

  /// The menu at a fork or at a step in the tree.
  ///
  /// @param open null if there is no session: then the menu has one option, which changes no file
  static void menu(JsonLine answer, @Nullable OpenSession open, RewindRequest request) {
    boolean fork = request.act().equals("fork_choices");
    RestoreMenu menu;
    String title = "Restore Options";
    if (open == null) {
      Option nothing = fork ? Option.CONVERSATION_ONLY : Option.KEEP;
      menu = new RestoreMenu(false, List.of(new RestoreMenu.Offer(nothing, null)));
    } else {
      SessionNavigation moves = open.follow(request).moves();
      String leaf = request.leaf();
      String entry = request.demandText("entry");
      boolean clone = request.text("position", "").equals("at");
      menu = fork ? moves.fork(entry, clone, leaf) : moves.tree(entry, leaf);
      title +=
          open.live()
              .elsewhereAt(entry)
              .map(worktree -> "\nThe files of this point are in the worktree '" + worktree + "'.")
              .orElse("");
    }
    answer
        .bool("ask", menu.ask())
        .text("title", title)
        .text("default", menu.options().getFirst().option().id())
        .objects("options", menu.options(), MenuJson::offer);
  }

  /// Does what the user chose.
  static SessionReply choose(JsonLine answer, @Nullable OpenSession open, RewindRequest request) {
    if (open == null) {
      answer.bool("cancel", !request.texts().containsKey("option")).text("outcome", null);
      return SessionReply.NOTHING;
    }
    Place place = place(request.demandText("menu"));
    SessionNavigation.Chosen chosen =
        open.follow(request)
            .moves()
            .choose(place, request.text("entry", ""), option(request), request.leaf());
    answer.bool("cancel", chosen.cancel());
    RestoreOutcome outcome = chosen.outcome();
    if (outcome == null) {
      answer.text("outcome", null);
    } else {
      answer.object("outcome", line -> RestoreJson.outcome(line, outcome));
    }
    return chosen.reply();
  }

  private static @Nullable Option option(RewindRequest request) {
    String wanted = request.texts().get("option");
    Option option = wanted == null ? null : Option.of(wanted);
    if (wanted != null && option == null) {
      throw new StoreException.Invalid("choose", "there is no option '" + wanted + "'");
    }
    return option;
  }

  private static Place place(String menu) {
    try {
      return Place.valueOf(menu.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new StoreException.Invalid("choose", "there is no menu '" + menu + "'");
    }
  }

  /// Finishes a restore that broke off, or rolls it back. What was finished in a session can be
  /// undone there.
  static SessionReply settle(JsonLine answer, OpenSession open, RewindRequest request) {
    boolean forward = request.act().equals("finish");
    SessionNavigation.Chosen settled = open.follow(request).moves().settle(forward, request.leaf());
    RestoreOutcome outcome = settled.outcome();
    if (outcome == null) {
      throw new AssertionError("no restore was settled");
    }
    RestoreJson.outcome(answer, outcome);
    return settled.reply();
  }

  /// The plan of an undo or redo that is chosen from a menu.
  static JsonLine plan(JsonLine answer, OpenSession open, RewindRequest request) {
    Option option = request.act().equals("plan_undo") ? Option.UNDO : Option.REDO;
    RestorePlan plan = open.follow(request).moves().plan(option, request.leaf());
    return RestoreJson.plan(answer, open.rewind(), plan, request);
  }

  /// The points of the current branch.
  ///
  /// @param open null if there is no session: then there are no points
  static void points(JsonLine answer, @Nullable OpenSession open, RewindRequest request) {
    String leaf = request.leaf();
    List<RestorePoints.Point> list =
        open == null ? List.of() : open.follow(request).live().points().on(leaf);
    answer
        .bool("undo", open != null && open.moves().canGoBack(Option.UNDO, leaf))
        .bool("redo", open != null && open.moves().canGoBack(Option.REDO, leaf))
        .number("count", list.size())
        .objects("list", list.stream().limit(request.limit()).toList(), MenuJson::point)
        .objects(
            "elsewhere",
            (open == null ? Map.<String, Integer>of() : open.live().elsewhere(leaf)).entrySet(),
            (line, each) -> line.text("worktree", each.getKey()).number("points", each.getValue()));
  }
}
