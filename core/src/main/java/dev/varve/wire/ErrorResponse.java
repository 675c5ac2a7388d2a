// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// An ERROR: a code and a sentence for everybody, then what the refusal is made of, for clients
/// that want it back as it was.
///
/// @param code like HTTP's: 401 no good token, 403 not allowed, 404 not there, 409 right for
///   another state, 410 erased and not taken back, 413 too large, 422 wrong in itself, 429 too many
///   requests, 500 damage or a refusing disk, 503 busy or closing, 507 the disk is full
/// @param refusal which [StoreException] it is, 0 if none
/// @param parts what that is made of
public record ErrorResponse(int code, String detail, int refusal, List<String> parts)
    implements Response {

  public static final int UNAUTHENTICATED = 401;
  public static final int FORBIDDEN = 403;
  public static final int TOO_MANY = 429;
  public static final int UNAVAILABLE = 503;

  private static final int PARTS_MAX = 8;

  public ErrorResponse {
    parts = List.copyOf(parts);
  }

  /// An error that is no refusal of the store.
  public static ErrorResponse of(int code, String detail) {
    return new ErrorResponse(code, detail, 0, List.of());
  }

  public static ErrorResponse of(StoreException refusal) {
    return switch (refusal) {
      case StoreException.NotFound e -> of(404, e, 1, e.kind(), e.id());
      case StoreException.Invalid e -> of(422, e, 2, e.what(), e.why());
      case StoreException.Conflict e -> of(409, e, 3, e.what(), e.expected(), e.found());
      case StoreException.TooLarge e -> of(413, e, 4, e.what(), "" + e.found(), "" + e.limit());
      case StoreException.Corrupt e ->
          of(500, e, 5, e.file(), "" + e.offset(), e.expected(), e.found());
      case StoreException.Full e -> of(507, e, 6, e.file());
      case StoreException.Io e -> of(500, e, 7, e.file(), e.what());
      case StoreException.Busy e -> of(UNAVAILABLE, e, 8, e.path(), e.holder());
      case StoreException.Closed e -> of(UNAVAILABLE, e, 8, e.what(), "its own end");
      case StoreException.Erased e -> of(410, e, 9, e.hash(), e.why(), e.erasedAt());
      case StoreException.NoStore e -> of(500, e, 0);
      case StoreException.FormatTooNew e -> of(500, e, 0);
      case StoreException.FormatTooOld e -> of(500, e, 0);
    };
  }

  private static ErrorResponse of(int code, StoreException e, int refusal, String... parts) {
    String message = e.getMessage();
    return new ErrorResponse(code, message == null ? "" : message, refusal, List.of(parts));
  }

  /// The refusal that this response reports. A refusal that this version does not know, or that is
  /// none of the store's refusals, becomes the refusal of its code.
  public StoreException toException() {
    try {
      return switch (refusal) {
        case 1 -> new StoreException.NotFound(parts.get(0), parts.get(1));
        case 2 -> new StoreException.Invalid(parts.get(0), parts.get(1));
        case 3 -> new StoreException.Conflict(parts.get(0), parts.get(1), parts.get(2));
        case 4 ->
            new StoreException.TooLarge(
                parts.get(0), Long.parseLong(parts.get(1)), Long.parseLong(parts.get(2)));
        case 5 ->
            new StoreException.Corrupt(
                parts.get(0), Long.parseLong(parts.get(1)), parts.get(2), parts.get(3));
        case 6 -> new StoreException.Full(parts.get(0), new IOException(detail));
        case 7 -> new StoreException.Io(parts.get(0), parts.get(1), new IOException(detail));
        case 8 -> new StoreException.Busy(parts.get(0), parts.get(1));
        case 9 -> new StoreException.Erased(parts.get(0), parts.get(1), parts.get(2));
        default -> byCode();
      };
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      return byCode();
    }
  }

  private StoreException byCode() {
    return switch (code) {
      case 404 -> new StoreException.NotFound("what was asked for", detail);
      case 429, UNAVAILABLE -> new StoreException.Busy("server", detail);
      case 500 -> new StoreException.Io("server", detail, new IOException("error " + code));
      case 507 -> new StoreException.Full("server", new IOException(detail));
      default -> new StoreException.Invalid("refused with " + code, detail);
    };
  }

  @Override
  public void write(FieldWriter out) {
    out.u32("code", code);
    out.text("detail", detail);
    out.u32("refusal", refusal);
    out.u32("part_count", parts.size());
    parts.forEach(part -> out.text("part", part));
  }

  /// Reads also what cxdb's server sends, which ends behind `detail`.
  static ErrorResponse read(FieldReader in) {
    int code = in.u32("code");
    String detail = in.text("detail");
    if (in.remaining() == 0) {
      return of(code, detail);
    }
    int refusal = in.u32("refusal");
    int count = in.count("part_count", 4);
    if (count > PARTS_MAX) {
      throw in.invalid("part_count: expected at most " + PARTS_MAX + ", found " + count);
    }
    List<String> parts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      parts.add(in.text("part"));
    }
    return new ErrorResponse(code, detail, refusal, parts);
  }
}
