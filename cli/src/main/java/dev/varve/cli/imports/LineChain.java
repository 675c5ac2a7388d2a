// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.imports;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.ContextTitle;
import dev.varve.DeclaredType;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.cli.session.PayloadArguments;
import dev.varve.hash.Blake3;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A path of turns for the lines of a file: turns that the store has are taken, and from the first
/// line that is new, turns are appended.
///
/// New turns go into the context that holds the last turn that was there already, if that turn is
/// the context's head and the context has the file's description: then the file has grown.
/// Otherwise they go into a context of their own, because another file may begin with the lines.
public final class LineChain {

  private final Store store;
  private final DeclaredType type;
  private final Payload about;
  private @Nullable ContextId context;
  private TurnId end = TurnId.NONE;
  private long shared;
  private long added;

  /// @param title of a context that has to be made
  public LineChain(Store store, DeclaredType type, String title) {
    this.store = store;
    this.type = type;
    this.about = new ContextTitle(title).about();
  }

  /// Goes on with a line.
  public void add(Payload line) {
    Optional<TurnId> known =
        added > 0 ? Optional.empty() : store.findChild(end, Blake3.hash(line.unsafeArray()));
    if (known.isPresent()) {
      Turn turn = store.turn(known.get(), View.HEADERS);
      context = turn.context();
      end = turn.id();
      shared++;
      return;
    }
    ContextId into = context;
    if (into == null || !hasGrown(store.head(into))) {
      into = store.createContext(end, store.put(about)).id();
      context = into;
    }
    NewTurn turn = NewTurn.of(line, type, PayloadArguments.guess(line)).withExpectedHead(end);
    end = store.append(into, turn).id();
    added++;
  }

  private boolean hasGrown(ContextHead known) {
    return known.head().equals(end) && Blake3.hash(about.unsafeArray()).equals(known.about());
  }

  /// The context with the last line; null while there is no line.
  public @Nullable ContextId context() {
    return context;
  }

  /// The turn of the last line.
  public TurnId end() {
    return end;
  }

  /// The number of lines whose turns were there already.
  public long shared() {
    return shared;
  }

  /// The number of turns that were appended.
  public long added() {
    return added;
  }
}
