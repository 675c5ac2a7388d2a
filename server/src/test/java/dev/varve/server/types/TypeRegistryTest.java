// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.hash.Blake3;
import dev.varve.local.LocalStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TypeRegistryTest {

  private static final String OLD =
      Bundles.small("b#1", "x.T", 1, "{'1':{'name':'a','type':'string'}}");
  private static final String NEW =
      Bundles.small("b#1", "x.T", 2, "{'1':{'name':'a','type':'string'}}");
  private static final String WRONG =
      Bundles.small("b#1", "x.T", 1, "{'1':{'name':'a','type':'u64'}}");

  @TempDir Path folder;

  private LocalStore open() {
    return LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM));
  }

  @Test
  void anEmptyStoreHasAnEmptyRegistryAndStaysEmpty() {
    try (LocalStore store = open()) {
      TypeRegistry registry = TypeRegistry.open(store);

      assertThat(registry.catalogue().lastBundleId()).isNull();
      assertThat(registry.bytes("b")).isEmpty();
      assertThat(store.counts().turns()).isZero();
      assertThat(store.counts().contexts()).isZero();
    }
  }

  @Test
  void bundlesAreThereByteForByteAfterReopening() {
    Payload bytes = Bundles.payload("  " + OLD + "\n");
    try (LocalStore store = open()) {
      TypeRegistry registry = TypeRegistry.open(store);
      assertThat(registry.put(bytes).outcome()).isEqualTo(TypeRegistry.Outcome.STORED);
      assertThat(registry.put(Bundles.payload(NEW)).outcome())
          .isEqualTo(TypeRegistry.Outcome.STORED);
      registry.put(Bundles.payload(Bundles.CHAT));
    }
    try (LocalStore store = open()) {
      TypeRegistry registry = TypeRegistry.open(store);

      assertThat(registry.problems()).isEmpty();
      assertThat(registry.bytes("b#1")).contains(Bundles.payload(NEW));
      assertThat(registry.catalogue().bundle("b#1"))
          .contains(Blake3.hash(Bundles.payload(NEW).bytes()));
      assertThat(registry.catalogue().version("x.T", 1))
          .as("what a replaced bundle said still holds")
          .isPresent();
      assertThat(registry.catalogue().lastBundleId()).isEqualTo("chat-v1");
      assertThat(store.check().problems()).isEmpty();
    }
  }

  @Test
  void theSameBytesAgainChangeNothing() {
    try (LocalStore store = open()) {
      TypeRegistry registry = TypeRegistry.open(store);
      registry.put(Bundles.payload(OLD));
      long turns = store.counts().turns();

      assertThat(registry.put(Bundles.payload(OLD)).outcome())
          .isEqualTo(TypeRegistry.Outcome.UNCHANGED);
      assertThat(store.counts().turns()).isEqualTo(turns);
    }
  }

  @Test
  void aRefusedBundleDoesNotStandInTheWayOfLaterOnes() {
    try (LocalStore store = open()) {
      TypeRegistry registry = TypeRegistry.open(store);
      registry.put(Bundles.payload(OLD));
      assertThatThrownBy(() -> registry.put(Bundles.payload(WRONG)))
          .isInstanceOf(StoreException.Conflict.class);
      assertThatThrownBy(() -> registry.put(Payload.utf8("{")))
          .isInstanceOf(StoreException.Invalid.class);
      registry.put(Bundles.payload(NEW));

      assertThat(TypeRegistry.open(store).catalogue().latest("x.T").orElseThrow().getKey())
          .isEqualTo(2);
    }
  }

  @Test
  void whatSomebodyElseAppendedThereIsLeftOutAndToldOf() {
    try (LocalStore store = open()) {
      TypeRegistry registry = TypeRegistry.open(store);
      registry.put(Bundles.payload(OLD));
      ContextId home = registry.context().orElseThrow();
      DeclaredType bundle = new DeclaredType("varve.registry.bundle", 1);
      store.append(home, NewTurn.of(Payload.utf8("garbage"), bundle, Encoding.JSON));
      store.append(home, NewTurn.of(Bundles.payload(WRONG), bundle, Encoding.JSON));
      registry.put(Bundles.payload(NEW));

      TypeRegistry again = TypeRegistry.open(store);
      assertThat(again.problems()).hasSize(2).allMatch(problem -> problem.contains("left out"));
      assertThat(again.catalogue().latest("x.T").orElseThrow().getKey()).isEqualTo(2);
    }
  }

  @Test
  void howOftenBundlesAreStoredIsBounded() {
    try (LocalStore store = open()) {
      TypeRegistry registry =
          TypeRegistry.open(store, new RegistryLimits(1 << 20, 10, 2, 10, 10, 100));
      registry.put(Bundles.payload(OLD));
      registry.put(Bundles.payload(NEW));

      assertThatThrownBy(() -> registry.put(Bundles.payload(OLD)))
          .isInstanceOf(StoreException.TooLarge.class);
    }
  }
}
