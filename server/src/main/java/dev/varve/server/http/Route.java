// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.io.IOException;
import java.util.List;

/// One operation of the HTTP port: a method, a path, the required access and a handler.
///
/// @param path segments of text, of `{name}` for any one segment, and optionally `{name...}` at the
///   end for all remaining segments
/// @param doc the entry in the API document
public record Route(String method, String path, Access access, Doc doc, Handler handler) {

  /// The scope that a client needs.
  public enum Access {
    /// Anybody who reaches the port.
    OPEN,
    READ,
    WRITE,
    ADMIN,
    RESTORE
  }

  /// Answers one request.
  public interface Handler {
    HttpAnswer answer(HttpRequest request) throws IOException;
  }

  /// The entry of a route in the API document.
  ///
  /// @param id the operation's name, unique
  /// @param params the query's parameters
  /// @param body the media type of the request's body; empty if it has none
  /// @param takes the schema of the request's body, one of `schemas.json`; empty for none
  /// @param answer the media type of the answer
  /// @param gives the schema of the answer; empty for an answer that is not JSON
  /// @param refuses the schema of refusals beside the usual ones; empty for none
  /// @param answers the statuses of success, the usual one first
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Doc(
      String id,
      String summary,
      List<Param> params,
      String body,
      String takes,
      String answer,
      String gives,
      String refuses,
      int... answers) {

    public static Doc of(String id, String summary) {
      return new Doc(id, summary, List.of(), "", "", HttpAnswer.JSON, "", "", 200);
    }

    public Doc params(Param... more) {
      return new Doc(id, summary, List.of(more), body, takes, answer, gives, refuses, answers);
    }

    /// The same entry with a body of bytes.
    public Doc body(String type) {
      return new Doc(id, summary, params, type, takes, answer, gives, refuses, answers);
    }

    /// The same entry with a body of JSON.
    public Doc takes(String schema) {
      return new Doc(id, summary, params, HttpAnswer.JSON, schema, answer, gives, refuses, answers);
    }

    /// The same entry with an answer that is not JSON.
    public Doc answers(String type, int... statuses) {
      return new Doc(id, summary, params, body, takes, type, "", refuses, statuses);
    }

    public Doc gives(String schema, int... statuses) {
      int[] all = statuses.length == 0 ? answers : statuses;
      return new Doc(id, summary, params, body, takes, HttpAnswer.JSON, schema, refuses, all);
    }

    public Doc refuses(String schema) {
      return new Doc(id, summary, params, body, takes, answer, gives, schema, answers);
    }
  }

  /// A parameter of the query.
  ///
  /// @param type `string`, `integer` or `boolean`
  /// @param choices the accepted values; none for any
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Param(String name, String type, String meaning, String... choices) {}

  public static Route get(String path, Doc doc, Handler handler) {
    return new Route("GET", path, Access.READ, doc, handler);
  }

  public static Route write(String method, String path, Doc doc, Handler handler) {
    return new Route(method, path, Access.WRITE, doc, handler);
  }

  public static Route admin(String method, String path, Doc doc, Handler handler) {
    return new Route(method, path, Access.ADMIN, doc, handler);
  }

  public Route open() {
    return new Route(method, path, Access.OPEN, doc, handler);
  }
}
