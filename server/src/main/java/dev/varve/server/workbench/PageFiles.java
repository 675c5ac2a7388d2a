// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The files of the workbench by their paths below `/ui/`. A file is read once and then kept.
///
/// The page names its files below a folder whose name changes with the content of any of them. So a
/// browser may keep them for good, and asks for none of them when the page is opened again. Modules
/// name each other by relative paths, and stay in the folder.
public final class PageFiles {

  /// The Markdown parser, a browser module from a web jar.
  static final String MARKED = "/META-INF/resources/webjars/marked/15.0.12/lib/marked.esm.js";

  /// Only such paths name a file. They have no `..`, and no ending of a class file.
  private static final Pattern PATH =
      Pattern.compile("(?:[a-z0-9-]{1,40}/){0,3}[a-z0-9-]{1,40}\\.(js|css|html|svg)");

  private static final Map<String, String> MEDIA_TYPES =
      Map.of(
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "html", "text/html; charset=utf-8",
          "svg", "image/svg+xml");

  private static final Map<String, String> FROM_WEB_JARS = Map.of("lib/marked.js", MARKED);

  private static final String INDEX = "index.html";

  /// The folder of a version, of this one or of another that a page still shows.
  private static final Pattern FOLDER = Pattern.compile("v-[0-9a-f]{32}/");

  /// A file that the page names.
  private static final Pattern NAMED = Pattern.compile("(?<=\")ui/([^\"]+)(?=\")");

  private final Map<String, PageFile> known = new ConcurrentHashMap<>();
  private final String folder;

  public PageFiles() {
    PageFile index = plain(INDEX).orElseThrow();
    String html = new String(index.bytes(), UTF_8);
    String tags =
        NAMED
            .matcher(html)
            .results()
            .map(named -> plain(named.group(1)).orElseThrow().tag())
            .collect(Collectors.joining());
    this.folder = "v-" + digest(tags.getBytes(UTF_8)) + "/";
    byte[] page = NAMED.matcher(html).replaceAll("ui/" + folder + "$1").getBytes(UTF_8);
    known.put(INDEX, new PageFile(index.mediaType(), tag(page), page));
  }

  /// The file at a path, with or without the folder of a version; empty if there is none.
  public Optional<PageFile> find(String path) {
    var folder = FOLDER.matcher(path);
    return plain(folder.lookingAt() ? path.substring(folder.end()) : path);
  }

  /// Returns whether the file at a path never changes, because the path names this version.
  public boolean isLasting(String path) {
    return path.startsWith(folder);
  }

  private Optional<PageFile> plain(String path) {
    var matcher = PATH.matcher(path);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    PageFile file = known.get(path);
    if (file == null) {
      file = read(path, String.valueOf(MEDIA_TYPES.get(matcher.group(1))));
      if (file != null) {
        known.put(path, file);
      }
    }
    return Optional.ofNullable(file);
  }

  private static @Nullable PageFile read(String path, String mediaType) {
    String resource = FROM_WEB_JARS.getOrDefault(path, "page/" + path);
    try (InputStream in = PageFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        return null;
      }
      byte[] bytes = in.readAllBytes();
      return new PageFile(mediaType, tag(bytes), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String tag(byte[] bytes) {
    return '"' + digest(bytes) + '"';
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
