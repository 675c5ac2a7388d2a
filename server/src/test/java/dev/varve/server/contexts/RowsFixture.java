// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.StorageFacts;
import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import dev.varve.server.value.IdFormat;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Tests with a service that keeps rows of contexts in a file, over a store with three contexts.
abstract class RowsFixture {

  static final RowsKeeper.Rhythm ALWAYS = new RowsKeeper.Rhythm(1, Duration.ZERO);

  @TempDir Path folder;
  final List<String> said = new ArrayList<>();
  private final Logger logger = Logger.getLogger("dev.varve.server.contexts");
  private final Handler hearing =
      new Handler() {
        @Override
        public void publish(LogRecord logged) {
          said.add(logged.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  LocalStore store;
  ContextIndex index;

  @BeforeEach
  void begin() {
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(hearing);
    store = LocalStore.open(folder.resolve("store"), StoreOptions.DEFAULTS);
    for (String word : List.of("apple", "pear", "plum")) {
      Turns.say(
          store, store.createContext().id(), "{'title':'%s','labels':['fruit']}".formatted(word));
    }
    startService();
    assertThat(titled("pear")).containsExactly(2L);
  }

  @AfterEach
  void end() {
    index.close();
    store.close();
    logger.removeHandler(hearing);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }

  Path file() {
    return folder.resolve("store").resolve(LocalStore.CONTEXT_ROWS);
  }

  Path root() {
    return folder.resolve("store").resolve("varve.store");
  }

  void startService() {
    index = ContextIndex.keeping(store, 100_000_000, new RowsKeeper.Place(file(), root()), ALWAYS);
    index.start();
    index.awaitRows(Duration.ofMinutes(1));
  }

  /// Ends the service and its store, and opens the store again.
  void endService() {
    index.close();
    store.close();
    store = LocalStore.open(folder.resolve("store"), StoreOptions.DEFAULTS);
  }

  /// The contexts whose rows came from the file.
  List<Long> taken() {
    List<Long> taken = new ArrayList<>();
    for (long id = 1; id <= store.counts().contexts(); id++) {
      if (rows().isFresh(id)) {
        taken.add(id);
      }
    }
    return taken;
  }

  ContextRows rows() {
    ContextRows rows = index.rows();
    assertThat(rows).isNotNull();
    return rows;
  }

  List<Long> titled(String title) {
    ContextViews views = new ContextViews(store, index, new LiveSessions(), InstantSource.system());
    ContextViews.ContextSearch search =
        new ContextViews.ContextSearch(
            "title = '" + title + "'", 20, null, Duration.ofMinutes(1), IdFormat.TEXT);
    String answer =
        switch (views.search(search)) {
          case ContextViews.SearchResult.Found(var text) -> text.text();
          case ContextViews.SearchResult.Refused(var text) -> throw new AssertionError(text.text());
        };
    return Stream.of(answer.split("\\{\"context_id\":\"", -1))
        .skip(1)
        .map(rest -> Long.parseLong(rest.substring(0, rest.indexOf('"'))))
        .toList();
  }

  void expectNone(String why) {
    startService();
    assertThat(taken()).as(why).isEmpty();
    assertThat(said).as(why).anyMatch(line -> line.contains("is made again: " + why));
    assertThat(file()).as(why).doesNotExist();
    assertThat(titled("pear")).as(why).containsExactly(2L);
  }

  // ---- what is taken

  /// An index of the store, of which something happens after each counting.
  ContextIndex keeping(Runnable afterCounts) {
    Object counting =
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Store.class, StorageFacts.class},
            (_, method, values) -> {
              Object result = method.invoke(store, values);
              if (method.getName().equals("counts")) {
                afterCounts.run();
              }
              return result;
            });
    return ContextIndex.keeping(
        (Store & StorageFacts) counting, 100_000_000, new RowsKeeper.Place(file(), root()), ALWAYS);
  }
}
