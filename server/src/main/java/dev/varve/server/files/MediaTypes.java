// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.files;

import java.util.Locale;
import java.util.Map;

/// The probable media type of a file, by the extension of its name.
final class MediaTypes {

  private static final String UNKNOWN = "application/octet-stream";
  private static final String TEXT = "text/plain; charset=utf-8";

  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("css", "text/css; charset=utf-8"),
          Map.entry("csv", "text/csv; charset=utf-8"),
          Map.entry("gif", "image/gif"),
          Map.entry("gz", "application/gzip"),
          Map.entry("htm", "text/html; charset=utf-8"),
          Map.entry("html", "text/html; charset=utf-8"),
          Map.entry("jpeg", "image/jpeg"),
          Map.entry("jpg", "image/jpeg"),
          Map.entry("js", "text/javascript; charset=utf-8"),
          Map.entry("json", "application/json"),
          Map.entry("md", "text/markdown; charset=utf-8"),
          Map.entry("mjs", "text/javascript; charset=utf-8"),
          Map.entry("pdf", "application/pdf"),
          Map.entry("png", "image/png"),
          Map.entry("svg", "image/svg+xml"),
          Map.entry("tar", "application/x-tar"),
          Map.entry("wasm", "application/wasm"),
          Map.entry("webp", "image/webp"),
          Map.entry("xml", "application/xml"),
          Map.entry("yaml", "application/yaml"),
          Map.entry("yml", "application/yaml"),
          Map.entry("zip", "application/zip"));

  /// Program sources and other texts.
  private static final java.util.Set<String> READABLE =
      java.util.Set.of(
          "bat",
          "c",
          "cc",
          "cfg",
          "clj",
          "conf",
          "cpp",
          "cs",
          "diff",
          "ex",
          "exs",
          "go",
          "gradle",
          "h",
          "hpp",
          "hs",
          "ini",
          "java",
          "jsx",
          "kt",
          "log",
          "lua",
          "patch",
          "php",
          "pl",
          "properties",
          "py",
          "r",
          "rb",
          "rs",
          "scala",
          "sh",
          "sql",
          "swift",
          "toml",
          "ts",
          "tsx",
          "txt",
          "zig");

  private MediaTypes() {}

  static String of(String fileName) {
    String end = fileName.substring(fileName.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return READABLE.contains(end) ? TEXT : TYPES.getOrDefault(end, UNKNOWN);
  }
}
