// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpLimits;
import dev.varve.server.http.HttpRefusal;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.HttpService;
import dev.varve.server.http.JsonMembers;
import dev.varve.server.http.JsonTrees;
import dev.varve.server.http.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The routes that erase content for good: one that shows what would go, and one that does what was
/// shown.
record ErasureRoutes(HttpService service, HttpLimits limits) {

  private static final List<String> MEMBERS =
      List.of("contexts", "blobs", "secrets", "leave_held", "garbage", "plan_digest");

  List<Route> routes() {
    return List.of(
        Route.admin(
            "POST",
            "/v1/erasures/plan",
            Route.Doc.of(
                    "planErasure",
                    "Shows what an erasure would take and what stays. Changes nothing; reads the"
                        + " whole store.")
                .takes("Erasure")
                .gives("ErasurePlan"),
            this::plan),
        Route.admin(
            "POST",
            "/v1/erasures",
            Route.Doc.of(
                    "erase",
                    "Erases what a plan showed, for good. Refused if the plan_digest is no longer"
                        + " that of the plan.")
                .takes("AgreedErasure")
                .gives("ErasureReceipt"),
            this::erase));
  }

  private HttpAnswer plan(HttpRequest request) {
    ObjectNode body = JsonTrees.readObject(request.read(limits.sizes().jsonBytes()));
    return HttpAnswer.json(json(service.store().erasures().plan(choice(body), ReadProgress.NONE)));
  }

  private HttpAnswer erase(HttpRequest request) {
    ObjectNode body = JsonTrees.readObject(request.read(limits.sizes().jsonBytes()));
    BlobHash digest = BlobHash.parse(JsonMembers.text(body, "plan_digest"));
    EraseReceipt receipt =
        service.store().erasures().erase(choice(body), digest, ReadProgress.NONE);
    service.events().on(new ServerEvent.BlobsErased(receipt.run()));
    ObjectNode answer = JsonTrees.object();
    answer.put("store_id", receipt.storeId().toString()).put("run", receipt.run());
    answer.put("erased_at_unix_ms", receipt.erasedAt().toEpochMilli());
    answer.put("pack_bytes_before", receipt.packBytes().before());
    answer.put("pack_bytes_after", receipt.packBytes().after());
    answer.set("plan", json(receipt.plan()));
    return HttpAnswer.json(answer);
  }

  private static EraseRequest choice(ObjectNode body) {
    for (String name : body.propertyNames()) {
      if (!MEMBERS.contains(name)) { // a choice that is not understood may be one that leaves more
        throw HttpRefusal.invalid(name + ": expected one of " + String.join(", ", MEMBERS));
      }
    }
    return new EraseRequest(
        Set.copyOf(texts(body, "contexts", ContextId::parse)),
        Set.copyOf(texts(body, "blobs", BlobHash::parse)),
        texts(body, "secrets", Payload::utf8),
        JsonMembers.isTrue(body, "leave_held"),
        JsonMembers.isTrue(body, "garbage"));
  }

  private static <T> List<T> texts(ObjectNode body, String name, Function<String, T> parse) {
    JsonNode value = body.get(name);
    if (value == null) {
      return List.of();
    }
    List<T> found = new ArrayList<>();
    if (value instanceof ArrayNode array && array.valueStream().allMatch(JsonNode::isString)) {
      array.forEach(text -> found.add(parse.apply(text.stringValue())));
      return found.stream().distinct().collect(Collectors.toList());
    }
    throw name.equals("secrets") // which a refusal does not repeat
        ? HttpRefusal.invalid(name + ": expected an array of strings")
        : JsonMembers.mismatch(name, "an array of strings", value);
  }

  private static ObjectNode json(ErasePlan plan) {
    ObjectNode answer = JsonTrees.object();
    ErasePlan.Counts counts = plan.counts();
    answer.put("plan_digest", plan.digest().toString());
    answer.put("blobs", counts.blobs()).put("raw_bytes", counts.rawBytes());
    answer.put("pack_bytes", counts.packBytes()).put("staying", counts.staying());
    answer.put("turns", counts.turns());
    ArrayNode going = answer.putArray("going");
    for (ErasePlan.GoingBlob blob : plan.going()) {
      ObjectNode item = going.addObject().put("hash", blob.hash().toString());
      item.put("size_bytes", blob.sizeBytes()).put("cause", blob.cause().word());
    }
    ArrayNode stays = answer.putArray("stays");
    plan.staying()
        .forEach(
            blob ->
                stays
                    .addObject()
                    .put("hash", blob.hash().toString())
                    .put("because", blob.because()));
    ArrayNode turns = answer.putArray("turn_ids");
    plan.turns().forEach(turn -> turns.add(turn.toString()));
    return answer;
  }
}
