// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.disk.SimulatedDisk;
import dev.varve.local.LocalStore;
import dev.varve.local.StoreGeometry;
import dev.varve.sim.ForwardingStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests over HTTP are answered, or their connections ended, whatever fails within the service;
/// its health says so.
final class FailingServiceTest {

  private static final int FILE_BYTES = 64 << 20;

  @TempDir Path folder;

  private LocalStore local() {
    return LocalStore.open(folder.resolve("s"), StoreOptions.DEFAULTS);
  }

  /// A store whose contexts and contents cannot be read because of an Error of the JVM.
  private static final class BrokenStore extends ForwardingStore {

    BrokenStore(BulkStore store) {
      super(store);
    }

    @Override
    public ContextHead head(ContextId context) {
      throw new UnsatisfiedLinkError("/tmp/libzstd.so: cannot be mapped");
    }

    @Override
    public InputStream read(BlobHash hash, long offset, long length) {
      return new InputStream() {
        @Override
        public int read() {
          throw new InternalError("a fault occurred in mapped memory");
        }
      };
    }
  }

  @Test
  void anErrorOfTheJvmIsAnswered() {
    try (Served served = new Served(folder, new BrokenStore(local()))) {
      Served.Reply reply = served.get("/v1/contexts/1");

      assertThat(reply.status()).isEqualTo(500);
      assertThat(reply.text()).contains("UnsatisfiedLinkError").doesNotContain("/tmp");
      assertThat(served.get("/healthz").status()).isEqualTo(200);
    }
  }

  @Test
  void anErrorOfTheJvmWithinABodyEndsTheConnection() {
    try (Served served = new Served(folder, new BrokenStore(local()))) {
      BlobHash blob = served.store.put(Payload.utf8("a"));

      assertThatThrownBy(() -> served.get("/v1/blobs/" + blob))
          .hasCauseInstanceOf(IOException.class);
      assertThat(served.get("/healthz").status()).isEqualTo(200);
    }
  }

  @Test
  void theHealthSaysThatWritesAreRefused() {
    SimulatedDisk disk = new SimulatedDisk(1, FILE_BYTES);
    LocalStore store =
        LocalStore.open(
            disk, StoreOptions.DEFAULTS, InstantSource.system(), StoreGeometry.DEFAULTS);
    try (Served served = new Served(folder, store)) {
      assertThat(served.get("/health").json().path("status").asString("")).isEqualTo("ok");
      assertThat(served.get("/metrics").text()).contains("varve_writes_refused 0.0");

      disk.failAfterWrites(0, SimulatedDisk.Fault.FULL);
      assertThat(served.post("/v1/contexts", "{}").status()).isEqualTo(507);

      Served.Reply health = served.get("/health");
      assertThat(health.status()).isEqualTo(503);
      assertThat(health.json().path("status").asString("")).isEqualTo("writes_refused");
      assertThat(health.json().path("reason").asString("")).isEqualTo("the disk is full");
      assertThat(served.get("/metrics").text()).contains("varve_writes_refused 1.0");
      assertThat(served.get("/healthz").status()).isEqualTo(200);
      assertThat(served.get("/v1/contexts").status()).isEqualTo(200);
      disk.repair();
    }
  }
}
