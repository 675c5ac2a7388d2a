// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The choice of a route for a method and a path. Text is preferred to `{name}`, and `{name}` to
/// `{name...}`; `HEAD` is answered wherever `GET` is.
public final class Router {

  /// A route that fits a request.
  ///
  /// @param params the values of the route's `{name}` segments
  record Match(Route route, Map<String, String> params) {}

  private final List<Route> routes;

  public Router(List<Route> routes) {
    this.routes = List.copyOf(routes);
  }

  /// The route for a request.
  ///
  /// @param segments of the path, decoded
  Match find(String method, List<String> segments) {
    String wanted = method.equals("HEAD") ? "GET" : method;
    Match best = null;
    Set<String> others = new TreeSet<>();
    for (Route route : routes) {
      Map<String, String> params = new HashMap<>();
      if (!matches(route, segments, params)) {
        continue;
      }
      if (!route.method().equals(wanted)) {
        others.add(route.method());
      } else if (best == null || isCloser(route, best.route())) {
        best = new Match(route, params);
      }
    }
    if (best != null) {
      return best;
    }
    if (others.isEmpty()) {
      throw new HttpRefusal(404, "route"); // cxdb's word
    }
    if (others.contains("GET")) {
      others.add("HEAD");
    }
    String allowed = String.join(", ", others);
    throw new HttpRefusal(405, method + ": this path allows " + allowed, Map.of("Allow", allowed));
  }

  private static boolean matches(Route route, List<String> segments, Map<String, String> params) {
    List<String> pattern = split(route.path());
    for (int i = 0; i < pattern.size(); i++) {
      String part = pattern.get(i);
      if (part.endsWith("...}")) {
        params.put(
            part.substring(1, part.length() - 4),
            String.join("/", segments.subList(Math.min(i, segments.size()), segments.size())));
        return segments.size() > i;
      }
      if (i >= segments.size()) {
        return false;
      }
      if (part.startsWith("{")) {
        params.put(part.substring(1, part.length() - 1), segments.get(i));
      } else if (!part.equals(segments.get(i))) {
        return false;
      }
    }
    return segments.size() == pattern.size();
  }

  /// Returns whether `a` describes the path more closely than `b`: it has text at the first segment
  /// where the two differ.
  private static boolean isCloser(Route a, Route b) {
    List<String> left = split(a.path());
    List<String> right = split(b.path());
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      int difference = rank(left.get(i)) - rank(right.get(i));
      if (difference != 0) {
        return difference < 0;
      }
    }
    return left.size() > right.size();
  }

  private static int rank(String part) {
    return part.endsWith("...}") ? 2 : part.startsWith("{") ? 1 : 0;
  }

  /// The segments of a path without empty ones at its ends.
  public static List<String> split(String path) {
    List<String> segments = new ArrayList<>(List.of(path.split("/", -1)));
    if (!segments.isEmpty() && segments.getFirst().isEmpty()) {
      segments.removeFirst();
    }
    if (segments.size() == 1 && segments.getFirst().isEmpty()) {
      segments.removeFirst();
    }
    return segments;
  }
}
