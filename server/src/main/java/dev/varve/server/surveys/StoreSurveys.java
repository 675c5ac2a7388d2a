// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.surveys;

import dev.varve.CheckReport;
import dev.varve.ErasePlan;
import dev.varve.EraseRequest;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.server.contexts.ContextIndex;
import dev.varve.server.value.JsonOutput;
import java.time.Instant;
import java.time.InstantSource;
import tools.jackson.core.JsonGenerator;

/// The surveys of a store. None begins by itself, because each reads the whole store.
///
/// @param space the space by agent, project and kind
/// @param garbage the forecast of a garbage collection
/// @param check the check of all that is stored
public record StoreSurveys(
    StoreSurvey<SpaceShares> space,
    StoreSurvey<ErasePlan.Counts> garbage,
    StoreSurvey<CheckReport> check)
    implements AutoCloseable {

  /// The most problems of a check that an answer lists.
  private static final int PROBLEMS_MAX = 100;

  public static StoreSurveys of(Store store, ContextIndex index, InstantSource clock) {
    return new StoreSurveys(
        new StoreSurvey<>(
            "space",
            progress -> new SpaceSurvey(store, index, progress).run(),
            () -> store.counts().turns(),
            clock),
        new StoreSurvey<>(
            "garbage",
            progress -> store.erasures().plan(EraseRequest.GARBAGE, progress).counts(),
            () -> store.counts().turns(),
            clock),
        new StoreSurvey<>("check", store::check, () -> store.counts().turns(), clock));
  }

  /// Notes the report of a check that a client of the binary port asked for.
  public void checked(CheckReport report, Instant at) {
    check.found(new StoreSurvey.Outcome<>(report, report.turns(), at));
  }

  /// Begins a survey; does nothing if that survey goes on.
  ///
  /// @throws StoreException.NotFound if no survey has this name
  public void start(String name) {
    switch (name) {
      case "space" -> space.start();
      case "garbage" -> garbage.start();
      case "check" -> check.start();
      default -> throw new StoreException.NotFound("survey", name);
    }
  }

  /// The state and the last result of each survey.
  public JsonOutput json() {
    return json -> {
      json.writeStartObject();
      write("space", space.state(), SpaceShares::write, json);
      write("garbage", garbage.state(), StoreSurveys::write, json);
      write("check", check.state(), StoreSurveys::write, json);
      json.writeEndObject();
    };
  }

  /// Writes the members of a result.
  private interface Members<T> {
    void write(T found, JsonGenerator json);
  }

  private static <T> void write(
      String name, StoreSurvey.State<T> state, Members<T> members, JsonGenerator json) {
    json.writeObjectPropertyStart(name);
    json.writeBooleanProperty("running", state.isRunning());
    json.writeNumberProperty("done", state.progress().done());
    json.writeNumberProperty("total", state.progress().total());
    if (state.failure() != null) {
      json.writeStringProperty("failure", state.failure());
    }
    StoreSurvey.Outcome<T> last = state.last();
    if (last != null) {
      json.writeObjectPropertyStart("last");
      json.writeNumberProperty("ended_at_unix_ms", last.ended().toEpochMilli());
      json.writeNumberProperty("store_turns", last.turns());
      members.write(last.found(), json);
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static void write(ErasePlan.Counts counts, JsonGenerator json) {
    json.writeNumberProperty("blobs", counts.blobs());
    json.writeNumberProperty("raw_bytes", counts.rawBytes());
    json.writeNumberProperty("pack_bytes", counts.packBytes());
    json.writeNumberProperty("turns", counts.turns());
  }

  private static void write(CheckReport report, JsonGenerator json) {
    json.writeBooleanProperty("sound", report.sound());
    json.writeNumberProperty("blobs", report.blobs());
    json.writeNumberProperty("turns", report.turns());
    json.writeNumberProperty("contexts", report.contexts());
    json.writeNumberProperty("problem_count", report.problems().size());
    json.writeArrayPropertyStart("problems");
    for (CheckReport.Problem problem : report.problems().stream().limit(PROBLEMS_MAX).toList()) {
      json.writeStartObject();
      json.writeStringProperty("file", problem.file());
      json.writeNumberProperty("offset", problem.offset());
      json.writeStringProperty("what", problem.what());
      json.writeBooleanProperty("derived", problem.derived());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  @Override
  public void close() {
    space.close();
    garbage.close();
    check.close();
  }
}
