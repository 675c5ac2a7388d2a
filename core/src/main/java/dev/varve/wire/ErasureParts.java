// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.ErasePlan;
import dev.varve.ErasePlan.GoingBlob;
import dev.varve.ErasePlan.StayingBlob;
import dev.varve.EraseRequest;
import dev.varve.ErasedBlob.Cause;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.TurnId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The parts of messages about erasures.
final class ErasureParts {

  private static final int GOING_BYTES = BlobHash.SIZE_BYTES + 8 + 4;
  private static final int STAYING_BYTES_MIN = BlobHash.SIZE_BYTES + 4;
  private static final int LEAVES_HELD = 1;
  private static final int HIDDEN = 2;

  private ErasureParts() {}

  static void writeChoice(FieldWriter out, EraseRequest choice) {
    out.u32("flags", (choice.leavesHeld() ? LEAVES_HELD : 0) | (choice.hidden() ? HIDDEN : 0));
    out.u32("context_count", choice.contexts().size());
    choice.contexts().stream().sorted().forEach(id -> out.u64("context_id", id.value()));
    out.u32("blob_count", choice.blobs().size());
    choice.blobs().forEach(hash -> out.hash("hash", hash));
    out.u32("secret_count", choice.secrets().size());
    choice.secrets().forEach(secret -> out.bytes("secret", secret));
  }

  static EraseRequest readChoice(FieldReader in) {
    int flags = in.u32("flags");
    Set<ContextId> contexts = new HashSet<>();
    for (int left = in.count("context_count", Long.BYTES); left > 0; left--) {
      contexts.add(new ContextId(in.number("context_id")));
    }
    Set<BlobHash> blobs = new HashSet<>();
    for (int left = in.count("blob_count", BlobHash.SIZE_BYTES); left > 0; left--) {
      blobs.add(in.hash("hash"));
    }
    List<Payload> secrets = new ArrayList<>();
    for (int left = in.count("secret_count", 4); left > 0; left--) {
      secrets.add(in.payload("secret"));
    }
    return new EraseRequest(
        contexts, blobs, secrets, (flags & LEAVES_HELD) != 0, (flags & HIDDEN) != 0);
  }

  static void writePlan(FieldWriter out, ErasePlan plan) {
    ErasePlan.Counts counts = plan.counts();
    out.hash("digest", plan.digest());
    out.u64("blobs", counts.blobs());
    out.u64("raw_bytes", counts.rawBytes());
    out.u64("pack_bytes", counts.packBytes());
    out.u64("staying", counts.staying());
    out.u64("turns", counts.turns());
    out.u32("going_count", plan.going().size());
    for (GoingBlob blob : plan.going()) {
      out.hash("hash", blob.hash());
      out.u64("size_bytes", blob.sizeBytes());
      out.u32("cause", blob.cause().number());
    }
    out.u32("staying_count", plan.staying().size());
    for (StayingBlob blob : plan.staying()) {
      out.hash("hash", blob.hash());
      out.text("because", blob.because());
    }
    out.u32("turn_count", plan.turns().size());
    plan.turns().forEach(turn -> out.u64("turn_id", turn.value()));
  }

  /// At most how many bytes a plan takes in a message.
  static int sizeBytes(ErasePlan plan) {
    return 96
        + plan.going().size() * GOING_BYTES
        + plan.staying().stream()
            .mapToInt(blob -> STAYING_BYTES_MIN + 3 * blob.because().length())
            .sum()
        + plan.turns().size() * Long.BYTES;
  }

  static ErasePlan readPlan(FieldReader in) {
    BlobHash digest = in.hash("digest");
    ErasePlan.Counts counts =
        new ErasePlan.Counts(
            in.number("blobs"),
            in.number("raw_bytes"),
            in.number("pack_bytes"),
            in.number("staying"),
            in.number("turns"));
    List<GoingBlob> going = new ArrayList<>();
    for (int left = in.count("going_count", GOING_BYTES); left > 0; left--) {
      going.add(new GoingBlob(in.hash("hash"), in.number("size_bytes"), cause(in)));
    }
    List<StayingBlob> staying = new ArrayList<>();
    for (int left = in.count("staying_count", STAYING_BYTES_MIN); left > 0; left--) {
      staying.add(new StayingBlob(in.hash("hash"), in.text("because")));
    }
    List<TurnId> turns = new ArrayList<>();
    for (int left = in.count("turn_count", Long.BYTES); left > 0; left--) {
      turns.add(new TurnId(in.number("turn_id")));
    }
    return new ErasePlan(counts, going, staying, turns, digest);
  }

  private static Cause cause(FieldReader in) {
    int number = in.u32("cause");
    return Cause.of(number)
        .orElseThrow(() -> new StoreException.Invalid("cause", "expected 1 to 4, found " + number));
  }
}
