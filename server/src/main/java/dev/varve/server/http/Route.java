// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.io.IOException;
import java.util.List;

/// One thing that can be asked: a method, a path, who may ask, who answers.
///
/// @param path segments of text, of `{name}` for any one segment, and at the end perhaps of
///   `{name...}` for all that follow
/// @param doc what the API document says of it
record Route(String method, String path, Access access, Doc doc, Handler handler) {

  /// Who may ask.
  enum Access {
    /// Anybody who reaches the port.
    OPEN,
    READ,
    WRITE,
    ADMIN
  }

  /// Answers one request.
  interface Handler {
    Answer answer(Request request) throws IOException;
  }

  /// What the API document says of a route.
  ///
  /// @param id the operation's name, unique
  /// @param params the query's parameters
  /// @param body the media type of the request's body; empty if it has none
  /// @param takes the schema of the request's body, one of `schemas.json`; empty for none
  /// @param answer the media type of the answer
  /// @param gives the schema of the answer; empty where it is no JSON
  /// @param refuses the schema of refusals beside the usual ones; empty for none
  /// @param answers the statuses that stand for success, the usual one first
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Doc(
      String id,
      String summary,
      List<Param> params,
      String body,
      String takes,
      String answer,
      String gives,
      String refuses,
      int... answers) {

    static Doc of(String id, String summary) {
      return new Doc(id, summary, List.of(), "", "", Answer.JSON, "", "", 200);
    }

    Doc params(Param... more) {
      return new Doc(id, summary, List.of(more), body, takes, answer, gives, refuses, answers);
    }

    /// A body of bytes.
    Doc body(String type) {
      return new Doc(id, summary, params, type, takes, answer, gives, refuses, answers);
    }

    /// A body of JSON.
    Doc takes(String schema) {
      return new Doc(id, summary, params, Answer.JSON, schema, answer, gives, refuses, answers);
    }

    /// Another answer than JSON.
    Doc answers(String type, int... statuses) {
      return new Doc(id, summary, params, body, takes, type, "", refuses, statuses);
    }

    Doc gives(String schema, int... statuses) {
      int[] all = statuses.length == 0 ? answers : statuses;
      return new Doc(id, summary, params, body, takes, Answer.JSON, schema, refuses, all);
    }

    Doc refuses(String schema) {
      return new Doc(id, summary, params, body, takes, answer, gives, schema, answers);
    }
  }

  /// A parameter of the query.
  ///
  /// @param type `string`, `integer` or `boolean`
  /// @param choices the values it may have; none for any
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Param(String name, String type, String meaning, String... choices) {}

  static Route get(String path, Doc doc, Handler handler) {
    return new Route("GET", path, Access.READ, doc, handler);
  }

  static Route write(String method, String path, Doc doc, Handler handler) {
    return new Route(method, path, Access.WRITE, doc, handler);
  }

  Route open() {
    return new Route(method, path, Access.OPEN, doc, handler);
  }
}
