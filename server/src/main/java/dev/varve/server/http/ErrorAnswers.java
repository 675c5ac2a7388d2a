// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.StoreException;
import dev.varve.server.access.PublicRefusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import tools.jackson.databind.node.ObjectNode;

/// Refusals as answers. A body has cxdb's form, `{"error":{"code":404,"message":…}}`, and beside it
/// the members of RFC 9457 (problem details), so that clients of either kind can read the body.
public final class ErrorAnswers {

  public static final String PROBLEM = "application/problem+json";

  private static final System.Logger LOG = System.getLogger(ErrorAnswers.class.getName());

  private ErrorAnswers() {}

  /// The HTTP status for a refusal of the store.
  public static int status(StoreException refusal) {
    return switch (refusal) {
      case StoreException.NotFound _, StoreException.NoStore _ -> 404;
      case StoreException.Conflict _ -> 409;
      case StoreException.Erased _ -> 410;
      case StoreException.TooLarge _ -> 413;
      case StoreException.Invalid _ -> 422;
      case StoreException.Corrupt _,
          StoreException.FormatTooNew _,
          StoreException.FormatTooOld _,
          StoreException.Io _ ->
          500;
      case StoreException.Busy _, StoreException.Closed _ -> 503;
      case StoreException.Full _ -> 507;
    };
  }

  /// The answer to a request that failed.
  ///
  /// @param problem whether the client asked for problem details by their media type
  public static HttpAnswer of(Throwable wrong, boolean problem) {
    return switch (wrong) {
      case HttpRefusal refusal -> {
        HttpAnswer answer = of(refusal.status(), message(refusal), problem);
        for (var header : refusal.headers().entrySet()) {
          answer = answer.with(header.getKey(), header.getValue());
        }
        yield answer;
      }
      case StoreException refusal -> of(status(refusal), message(refusal), problem);
      case UncheckedIOException _, IOException _ ->
          of(400, "the body broke off: " + message(wrong), problem);
      default -> {
        LOG.log(System.Logger.Level.ERROR, "a mistake in Varve", wrong);
        yield of(500, "a mistake in Varve: " + wrong.getClass().getSimpleName(), problem);
      }
    };
  }

  public static HttpAnswer of(int status, String message, boolean problem) {
    ObjectNode body = JsonTrees.object();
    body.putObject("error").put("code", status).put("message", message);
    body.put("type", "about:blank").put("title", title(status));
    body.put("status", status).put("detail", message);
    return HttpAnswer.bytes(status, problem ? PROBLEM : HttpAnswer.JSON, JsonTrees.bytes(body));
  }

  /// The message that a client is given.
  public static String shown(Throwable wrong) {
    return wrong instanceof HttpRefusal || wrong instanceof StoreException
        ? message(wrong)
        : wrong.getClass().getSimpleName();
  }

  private static String message(Throwable wrong) {
    Throwable shown = wrong instanceof StoreException refusal ? PublicRefusal.of(refusal) : wrong;
    String message = shown.getMessage();
    return message == null ? "no more is known" : message;
  }

  static String title(int status) {
    return switch (status) {
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 406 -> "Not Acceptable";
      case 409 -> "Conflict";
      case 410 -> "Gone";
      case 413 -> "Content Too Large";
      case 414 -> "URI Too Long";
      case 415 -> "Unsupported Media Type";
      case 416 -> "Range Not Satisfiable";
      case 421 -> "Misdirected Request";
      case 422 -> "Unprocessable Content";
      case 429 -> "Too Many Requests";
      case 500 -> "Internal Server Error";
      case 501 -> "Not Implemented";
      case 503 -> "Service Unavailable";
      case 505 -> "HTTP Version Not Supported";
      case 507 -> "Insufficient Storage";
      default -> "HTTP " + status;
    };
  }
}
