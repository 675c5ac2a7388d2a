// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Tests against a service over a new store, one for each test.
abstract class ServiceFixture {

  @TempDir Path folder;
  Served served;

  @BeforeEach
  void serve() {
    served = new Served(folder.resolve("s"));
  }

  @AfterEach
  void stop() {
    served.close();
  }
}
