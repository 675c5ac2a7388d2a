// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.imports.ImportReport;
import dev.varve.sim.ForwardingStore;
import dev.varve.sim.StoreModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptedImportTest {

  @TempDir Path folder;

  /// A store whose power fails before its nth write.
  private static final class Failing extends ForwardingStore {
    private int writesLeft;

    private Failing(BulkStore store, int writes) {
      super(store);
      this.writesLeft = writes;
    }

    private void write() {
      if (writesLeft-- == 0) {
        throw new StoreException.Closed("store");
      }
    }

    @Override
    public ContextHead createContext(TurnId base, @Nullable BlobHash about) {
      write();
      return super.createContext(base, about);
    }

    @Override
    public ContextHead describe(ContextId context, BlobHash about) {
      write();
      return super.describe(context, about);
    }

    @Override
    public Turn append(ContextId context, NewTurn turn) {
      write();
      return super.append(context, turn);
    }

    @Override
    public BlobHash put(Payload bytes) {
      write();
      return super.put(bytes);
    }
  }

  @Test
  void anImportThatEndsAnywhereIsCompletedByTheNextAndWritesNoTurnTwice() throws IOException {
    for (int seed = 0; seed < 10; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RandomSession session = new RandomSession(random);
      for (int i = 0; i < 8; i++) {
        session.grow();
      }
      Path file = Files.write(folder.resolve("s.jsonl"), session.bytes());
      StoreModel before = new StoreModel();
      new PiImport(before).session(file);
      for (int i = 0; i < 5; i++) {
        session.grow();
      }
      Files.write(file, session.bytes());

      boolean ended = false;
      for (int writes = 0; !ended; writes++) {
        StoreModel store = before.copy();
        ended = importsAll(new Failing(store, writes), file);
        isCompleted(seed, writes, store, file, session);
      }
    }
  }

  private static boolean importsAll(Failing store, Path file) {
    try {
      new PiImport(store).session(file);
      return true;
    } catch (StoreException.Closed e) {
      return false;
    }
  }

  private static void isCompleted(
      int seed, int writes, StoreModel store, Path file, RandomSession session) throws IOException {
    ImportReport report = new PiImport(store).session(file);
    PiRoundTrip.comesBack(store, report);
    PiAbout.Whole whole = (PiAbout.Whole) PiExport.about(store, report.manifest().context());
    Stream<String> leaves =
        whole.contexts().stream()
            .map(context -> (PiAbout.Branch) PiExport.about(store, context))
            .filter(branch -> branch.former() == null)
            .map(PiAbout.Branch::leaf);
    assertThat(leaves)
        .as("seed %d, %d writes", seed, writes)
        .containsExactlyInAnyOrderElementsOf(session.leaves());
    for (ContextId context : whole.contexts()) {
      PiAbout.Branch branch = (PiAbout.Branch) PiExport.about(store, context);
      String last = store.last(context, 1, View.LATEST).turns().getFirst().payload().text();
      assertThat(last)
          .as("seed %d, %d writes", seed, writes)
          .contains("\"id\":\"" + branch.leaf() + "\"");
    }
    long turns = store.turns().stream().filter(turn -> turn.type().id().startsWith("pi.")).count();
    assertThat(turns).as("seed %d, %d writes", seed, writes).isEqualTo(session.ids().size());
  }
}
