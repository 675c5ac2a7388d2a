// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/// Surveys of a service that a test waits for.
final class Surveys {

  private static final long WAIT_NANOS = Duration.ofSeconds(60).toNanos();

  private Surveys() {}

  /// The survey once it does not run any more.
  static JsonNode await(Served served, String name) {
    long begin = System.nanoTime();
    JsonNode survey = served.get("/v1/surveys").json().get(name);
    while (survey.get("running").booleanValue()) {
      assertThat(System.nanoTime() - begin).as(name).isLessThan(WAIT_NANOS);
      LockSupport.parkNanos(1_000_000);
      survey = served.get("/v1/surveys").json().get(name);
    }
    return survey;
  }
}
