// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.disk.DiskFile;
import dev.varve.disk.PowerCut;
import dev.varve.disk.SimulatedDisk;
import dev.varve.hash.Blake3;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TypeRegistryTest {

  private static final String OLD =
      Bundles.small("b#1", "x.T", 1, "{'1':{'name':'a','type':'string'}}");
  private static final String NEW =
      Bundles.small("b#1", "x.T", 2, "{'1':{'name':'a','type':'string'}}");
  private static final String WRONG =
      Bundles.small("b#1", "x.T", 1, "{'1':{'name':'a','type':'u64'}}");

  private static final long SEED = 20261128;

  private final SimulatedDisk disk = new SimulatedDisk(SEED);

  private TypeRegistry open() {
    return TypeRegistry.open(TypeBundleFiles.on(disk));
  }

  @Test
  void aFolderWithoutBundlesIsAnEmptyRegistry() {
    TypeRegistry registry = open();

    assertThat(registry.catalogue().lastBundleId()).isNull();
    assertThat(registry.bytes("b")).isEmpty();
    assertThat(disk.names()).isEmpty();
  }

  @Test
  void bundlesAreThereByteForByteAfterReopening() {
    TypeRegistry first = open();
    assertThat(first.put(Bundles.payload("  " + OLD + "\n")).outcome())
        .isEqualTo(TypeRegistry.PutChange.STORED);
    assertThat(first.put(Bundles.payload(NEW)).outcome()).isEqualTo(TypeRegistry.PutChange.STORED);
    first.put(Bundles.payload(Bundles.CHAT));

    TypeRegistry registry = open();
    assertThat(registry.problems()).isEmpty();
    assertThat(registry.bytes("b#1")).contains(Bundles.payload(NEW));
    assertThat(registry.catalogue().bundle("b#1"))
        .contains(Blake3.hash(Bundles.payload(NEW).bytes()));
    assertThat(registry.catalogue().version("x.T", 1))
        .as("what a replaced bundle said still holds")
        .isPresent();
    assertThat(registry.catalogue().lastBundleId()).isEqualTo("chat-v1");
  }

  @Test
  void theSameBytesAgainChangeNothing() {
    TypeRegistry registry = open();
    registry.put(Bundles.payload(OLD));

    assertThat(registry.put(Bundles.payload(OLD)).outcome())
        .isEqualTo(TypeRegistry.PutChange.UNCHANGED);
    assertThat(disk.names()).hasSize(1);
  }

  @Test
  void aRefusedBundleDoesNotStandInTheWayOfLaterOnes() {
    TypeRegistry registry = open();
    registry.put(Bundles.payload(OLD));
    assertThatThrownBy(() -> registry.put(Bundles.payload(WRONG)))
        .isInstanceOf(StoreException.Conflict.class);
    assertThatThrownBy(() -> registry.put(Payload.utf8("{")))
        .isInstanceOf(StoreException.Invalid.class);
    registry.put(Bundles.payload(NEW));

    assertThat(open().catalogue().latest("x.T").orElseThrow().getKey()).isEqualTo(2);
  }

  @Test
  void whatSomebodyElsePutThereIsLeftOutAndToldOf() {
    TypeRegistry registry = open();
    registry.put(Bundles.payload(OLD));
    TypeBundleFiles files = TypeBundleFiles.on(disk);
    files.add(2, Payload.utf8("garbage"));
    files.add(3, Bundles.payload(WRONG));
    spoil(files.add(4, Bundles.payload(Bundles.CHAT)));

    TypeRegistry again = open();
    assertThat(again.problems()).hasSize(3).allMatch(problem -> problem.contains("left out"));
    again.put(Bundles.payload(NEW));
    assertThat(open().catalogue().latest("x.T").orElseThrow().getKey()).isEqualTo(2);
    assertThat(open().bytes("b#1")).contains(Bundles.payload(NEW));
  }

  private void spoil(TypeBundleFiles.StoredBundle bundle) {
    try (DiskFile file = disk.open(bundle.name())) {
      file.write(7, ByteBuffer.wrap(new byte[] {0}));
    }
  }

  @Test
  void aBundleThatWasDamagedWhileTheServiceRunsIsNotHandedOut() {
    TypeRegistry registry = open();
    registry.put(Bundles.payload(OLD));
    TypeBundleFiles.on(disk).all().forEach(this::spoil);

    assertThatThrownBy(() -> registry.bytes("b#1")).isInstanceOf(StoreException.Corrupt.class);
    assertThat(registry.catalogue().latest("x.T")).as("its meaning is known").isPresent();
  }

  @Test
  void aFullDiskRefusesABundleAndKeepsTheOthers() {
    TypeRegistry registry = open();
    registry.put(Bundles.payload(OLD));
    disk.failAfterWrites(0, SimulatedDisk.Fault.FULL);
    assertThatThrownBy(() -> registry.put(Bundles.payload(NEW)))
        .isInstanceOf(StoreException.Full.class);
    assertThat(registry.catalogue().latest("x.T").orElseThrow().getKey()).isEqualTo(1);

    disk.repair();
    registry.put(Bundles.payload(NEW));
    assertThat(open().problems()).isEmpty();
    assertThat(open().bytes("b#1")).contains(Bundles.payload(NEW));
  }

  @Test
  void afterAPowerCutEveryAcknowledgedBundleIsThereAndEachIsWhole() {
    List<String> sent = List.of(OLD, Bundles.CHAT, NEW);
    boolean wasCut = true;
    for (int operation = 1; wasCut; operation++) {
      SimulatedDisk failing = new SimulatedDisk(SEED + operation);
      failing.cutPowerAfter(operation);
      List<String> acknowledged = new ArrayList<>();
      wasCut = false;
      try {
        TypeRegistry registry = TypeRegistry.open(TypeBundleFiles.on(failing));
        for (String bundle : sent) {
          registry.put(Bundles.payload(bundle));
          acknowledged.add(bundle);
        }
      } catch (PowerCut e) {
        wasCut = true;
      }

      TypeRegistry after = TypeRegistry.open(TypeBundleFiles.on(failing.cutPower()));
      String where = "cut at operation " + operation + ", seed " + (SEED + operation);
      assertThat(after.problems()).as(where).isEmpty();
      after.put(Bundles.payload(Bundles.small("after", "y.T", 1, "{}")));
      TypeBundleFiles files = TypeBundleFiles.on(failing.cutPower());
      assertThat(files.all().stream().map(TypeBundleFiles.StoredBundle::hash))
          .as(where)
          .containsAll(
              acknowledged.stream()
                  .map(bundle -> Blake3.hash(Bundles.payload(bundle).bytes()))
                  .toList());
    }
  }

  @Test
  void aCheckNamesWhatIsDamaged(@TempDir Path folder) throws Exception {
    assertThat(TypeBundleFiles.check(folder).problems()).as("no types, no folder").isEmpty();
    assertThat(folder).isEmptyDirectory();
    TypeRegistry registry = TypeRegistry.open(TypeBundleFiles.of(folder));
    registry.put(Bundles.payload(OLD));
    registry.put(Bundles.payload(NEW));
    assertThat(TypeBundleFiles.check(folder))
        .isEqualTo(new TypeBundleFiles.CheckResult(2, Map.of()));

    Path file = folder.resolve("registry/" + TypeBundleFiles.of(folder).all().getLast().name());
    Files.writeString(file, "short");

    assertThat(TypeBundleFiles.check(folder).problems())
        .containsOnlyKeys("registry/" + file.getFileName());
  }

  @Test
  void howOftenBundlesAreStoredIsBounded() {
    TypeRegistry registry =
        TypeRegistry.open(
            TypeBundleFiles.on(disk), new RegistryLimits(1 << 20, 10, 2, 10, 10, 100));
    registry.put(Bundles.payload(OLD));
    registry.put(Bundles.payload(NEW));

    assertThatThrownBy(() -> registry.put(Bundles.payload(OLD)))
        .isInstanceOf(StoreException.TooLarge.class);
  }
}
