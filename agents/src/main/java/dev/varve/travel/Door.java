// SPDX-License-Identifier: Apache-2.0
package dev.varve.travel;

import dev.varve.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/// Lets somebody into a store for a moment. A store in a folder is one process's at a time: who
/// waits for a network waits outside, so that others have it meanwhile.
@FunctionalInterface
public interface Door {

  /// Does `work`, which must not wait for anything but the disk, with the store. What it wrote is
  /// as durable when this returns as the store makes it.
  void with(Consumer<Store> work);

  /// Asks the store something.
  default <T> T ask(Function<Store, T> question) {
    List<T> answer = new ArrayList<>(1);
    with(store -> answer.add(question.apply(store)));
    return answer.getFirst();
  }
}
