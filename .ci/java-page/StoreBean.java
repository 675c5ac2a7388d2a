// SPDX-License-Identifier: Apache-2.0

import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/// Starts Spring with the configuration of docs/java.md and stops it again. The store is free then.
///
/// The argument is the folder of the store.
final class StoreBean {

  private StoreBean() {}

  public static void main(String[] args) {
    try (var spring = new AnnotationConfigApplicationContext()) {
      Map<String, Object> settings = Map.of("varve.store", args[0]);
      spring
          .getEnvironment()
          .getPropertySources()
          .addFirst(new MapPropertySource("here", settings));
      spring.register(VarveConfiguration.class);
      spring.refresh();
      spring.getBean(Store.class).createContext("made by a bean");
    }
    try (Store store = LocalStore.open(Path.of(args[0]), StoreOptions.DEFAULTS)) {
      IO.println("contexts: " + store.contexts(null, 10).size());
    }
  }
}
