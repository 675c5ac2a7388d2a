// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.BlobHash;
import dev.varve.CheckReport;
import dev.varve.ContextHold;
import dev.varve.ContextId;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.TurnId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Answers to requests about a whole store.
public sealed interface MaintenanceResponse extends Response {

  /// Answers CHECK_STEP: how far the check has come, and what was found since the last answer.
  ///
  /// @param doneBytes how much has been read, of `totalBytes`
  /// @param finished whether `found` has its final numbers and no more problems follow
  /// @param found numbers of what was read, 0 before the end; only the problems that no earlier
  ///   answer had
  record CheckState(long doneBytes, long totalBytes, boolean finished, CheckReport found)
      implements MaintenanceResponse {

    private static final int PROBLEM_BYTES_MIN = 4 + 8 + 4 + 1;

    /// At most how many bytes a problem takes in a message.
    public static int sizeBytes(CheckReport.Problem problem) {
      return PROBLEM_BYTES_MIN + 3 * (problem.file().length() + problem.what().length());
    }

    @Override
    public void write(FieldWriter out) {
      CheckReport.NewestTurn newest = found.newest();
      out.u64("done_bytes", doneBytes);
      out.u64("total_bytes", totalBytes);
      out.u8("finished", finished ? 1 : 0);
      out.u64("blobs", found.blobs());
      out.u64("turns", found.turns());
      out.u64("contexts", found.contexts());
      out.u64("overlays", found.overlays());
      out.u64("newest_turn_id", newest == null ? 0 : newest.id().value());
      out.u64("newest_created_at_unix_ms", newest == null ? 0 : newest.createdAt().toEpochMilli());
      out.u32("problem_count", found.problems().size());
      for (CheckReport.Problem problem : found.problems()) {
        out.text("file", problem.file());
        out.u64("offset", problem.offset());
        out.text("what", problem.what());
        out.u8("derived", problem.derived() ? 1 : 0);
      }
    }

    @Override
    public int sizeBytes() {
      return 96 + found.problems().stream().mapToInt(CheckState::sizeBytes).sum();
    }

    static CheckState read(FieldReader in) {
      long done = in.number("done_bytes");
      long total = in.number("total_bytes");
      boolean finished = in.u8("finished") != 0;
      long blobs = in.number("blobs");
      long turns = in.number("turns");
      long contexts = in.number("contexts");
      long overlays = in.number("overlays");
      TurnId newest = new TurnId(in.number("newest_turn_id"));
      Instant createdAt = MessageParts.instant(in, "newest_created_at_unix_ms");
      int count = in.count("problem_count", PROBLEM_BYTES_MIN);
      List<CheckReport.Problem> problems = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        problems.add(
            new CheckReport.Problem(
                in.text("file"), in.u64("offset"), in.text("what"), in.u8("derived") != 0));
      }
      return new CheckState(
          done,
          total,
          finished,
          new CheckReport(
              blobs,
              turns,
              contexts,
              overlays,
              newest.isNone() ? null : new CheckReport.NewestTurn(newest, createdAt),
              problems));
    }
  }

  /// Answers BACKUP_POINT.
  ///
  /// @param checkpoint the content of a `checkpoint.tbl`
  record Point(Payload checkpoint) implements MaintenanceResponse {
    @Override
    public void write(FieldWriter out) {
      out.bytes("checkpoint", checkpoint);
    }

    @Override
    public int sizeBytes() {
      return 4 + checkpoint.sizeBytes();
    }
  }

  /// Answers BLOB_LIST.
  ///
  /// @param blobs none at the end of the list
  record Blobs(List<BlobHash> blobs) implements MaintenanceResponse {
    public Blobs {
      blobs = List.copyOf(blobs);
    }

    @Override
    public void write(FieldWriter out) {
      out.u32("count", blobs.size());
      blobs.forEach(blob -> out.hash("hash", blob));
    }

    @Override
    public int sizeBytes() {
      return 4 + blobs.size() * BlobHash.SIZE_BYTES;
    }

    static Blobs read(FieldReader in) {
      int count = in.count("count", BlobHash.SIZE_BYTES);
      List<BlobHash> blobs = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        blobs.add(in.hash("hash"));
      }
      return new Blobs(blobs);
    }
  }

  /// Answers TURN_LIST.
  ///
  /// @param turns none at the end of the list
  record TurnNumbers(List<TurnId> turns) implements MaintenanceResponse {
    public TurnNumbers {
      turns = List.copyOf(turns);
    }

    @Override
    public void write(FieldWriter out) {
      out.u32("count", turns.size());
      turns.forEach(turn -> out.u64("turn_id", turn.value()));
    }

    @Override
    public int sizeBytes() {
      return 4 + turns.size() * Long.BYTES;
    }

    static TurnNumbers read(FieldReader in) {
      int count = in.count("count", Long.BYTES);
      List<TurnId> turns = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        turns.add(new TurnId(in.number("turn_id")));
      }
      return new TurnNumbers(turns);
    }
  }

  /// Answers OVERLAY_LIST.
  ///
  /// @param overlays none at the end of the list
  record OverlayPage(List<Overlay> overlays) implements MaintenanceResponse {
    public OverlayPage {
      overlays = List.copyOf(overlays);
    }

    @Override
    public void write(FieldWriter out) {
      new StoreResponse.Overlays(overlays).write(out);
    }

    @Override
    public int sizeBytes() {
      return new StoreResponse.Overlays(overlays).sizeBytes();
    }
  }

  /// Answers LAST_ERASURE.
  ///
  /// @param run 0 if nothing was ever erased
  record ErasureNumber(int run) implements MaintenanceResponse {
    @Override
    public void write(FieldWriter out) {
      out.u32("run", run);
    }
  }

  /// Answers HOLD_SET with the hold, HOLD_RELEASE with the hold that ended, if there was one, and
  /// HOLD_LIST with all.
  record Holds(List<ContextHold> holds) implements MaintenanceResponse {

    private static final int HOLD_BYTES_MIN = 8 + 8 + 8 + 4;

    public Holds {
      holds = List.copyOf(holds);
    }

    @Override
    public void write(FieldWriter out) {
      out.u32("hold_count", holds.size());
      for (ContextHold hold : holds) {
        Instant until = hold.until();
        out.u64("context_id", hold.context().value());
        out.u64("since_unix_ms", hold.since().toEpochMilli());
        out.u64("until_unix_ms", until == null ? 0 : until.toEpochMilli());
        out.text("reason", hold.reason());
      }
    }

    @Override
    public int sizeBytes() {
      return 4 + holds.size() * (HOLD_BYTES_MIN + ContextHold.REASON_BYTES_MAX);
    }

    static Holds read(FieldReader in) {
      int count = in.count("hold_count", HOLD_BYTES_MIN);
      List<ContextHold> holds = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        ContextId context = new ContextId(in.number("context_id"));
        Instant since = MessageParts.instant(in, "since_unix_ms");
        Instant until = MessageParts.instant(in, "until_unix_ms");
        holds.add(
            new ContextHold(
                context, since, until.equals(Instant.EPOCH) ? null : until, in.text("reason")));
      }
      return new Holds(holds);
    }
  }

  /// Answers ERASE_PLAN.
  record Forecast(ErasePlan plan) implements MaintenanceResponse {
    @Override
    public void write(FieldWriter out) {
      ErasureParts.writePlan(out, plan);
    }

    @Override
    public int sizeBytes() {
      return ErasureParts.sizeBytes(plan);
    }
  }

  /// Answers ERASE. Of more than [#HASHES_MAX] names of erased blobs the first are given; the file
  /// of the receipt has all.
  record Erased(EraseReceipt receipt) implements MaintenanceResponse {

    public static final int HASHES_MAX = 10_000;

    @Override
    public void write(FieldWriter out) {
      List<BlobHash> hashes = receipt.hashes().stream().limit(HASHES_MAX).toList();
      out.u64("store_id_high", receipt.storeId().getMostSignificantBits());
      out.u64("store_id_low", receipt.storeId().getLeastSignificantBits());
      out.u32("run", receipt.run());
      out.u64("erased_at_unix_ms", receipt.erasedAt().toEpochMilli());
      out.u64("pack_bytes_before", receipt.packBytes().before());
      out.u64("pack_bytes_after", receipt.packBytes().after());
      ErasureParts.writePlan(out, receipt.plan());
      out.u32("hash_count", hashes.size());
      hashes.forEach(hash -> out.hash("hash", hash));
    }

    @Override
    public int sizeBytes() {
      return 64
          + ErasureParts.sizeBytes(receipt.plan())
          + Math.min(HASHES_MAX, receipt.hashes().size()) * BlobHash.SIZE_BYTES;
    }

    static Erased read(FieldReader in) {
      UUID storeId = new UUID(in.u64("store_id_high"), in.u64("store_id_low"));
      int run = in.u32("run");
      Instant erasedAt = MessageParts.instant(in, "erased_at_unix_ms");
      long before = in.number("pack_bytes_before");
      long after = in.number("pack_bytes_after");
      ErasePlan plan = ErasureParts.readPlan(in);
      int count = in.count("hash_count", BlobHash.SIZE_BYTES);
      List<BlobHash> hashes = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        hashes.add(in.hash("hash"));
      }
      return new Erased(
          new EraseReceipt(
              storeId, run, erasedAt, plan, hashes, new EraseReceipt.PackBytes(before, after)));
    }
  }

  /// The answer to a request of `type`.
  static MaintenanceResponse read(MessageType type, FieldReader in) {
    return switch (type) {
      case CHECK_STEP -> CheckState.read(in);
      case BLOB_LIST -> Blobs.read(in);
      case TURN_LIST -> TurnNumbers.read(in);
      case OVERLAY_LIST -> new OverlayPage(StoreResponse.Overlays.read(in).overlays());
      case LAST_ERASURE -> new ErasureNumber(in.u32("run"));
      case BACKUP_POINT -> new Point(in.payload("checkpoint"));
      case HOLD_SET, HOLD_RELEASE, HOLD_LIST -> Holds.read(in);
      case ERASE_PLAN -> new Forecast(ErasureParts.readPlan(in));
      case ERASE -> Erased.read(in);
      default -> throw new AssertionError("not about the whole store: " + type);
    };
  }
}
