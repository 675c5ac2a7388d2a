// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// The objects that an object names. Format: git's `gitformat-pack` and `git-mktag`.
public final class ObjectLinks {

  private ObjectLinks() {}

  /// A named object.
  ///
  /// @param type `blob`, `tree`, `commit` or `tag`
  /// @param name the name within a tree; empty elsewhere
  public record Link(String id, String type, String name) {}

  /// The links of an object: of a tree its entries without those of repositories inside, of a
  /// commit its tree and its parents, of a tag its target, of a blob nothing. Reading ends where an
  /// object is damaged.
  ///
  /// @param idBytes the length of an object's id
  public static List<Link> of(String type, byte[] content, int idBytes) {
    return switch (type) {
      case "tree" -> entries(content, idBytes);
      case "commit", "tag" -> headers(new String(content, ISO_8859_1));
      default -> List.of();
    };
  }

  private static List<Link> entries(byte[] tree, int idBytes) {
    List<Link> links = new ArrayList<>();
    for (int at = 0; at < tree.length; ) {
      int space = indexOf((byte) ' ', tree, at);
      int end = indexOf((byte) 0, tree, space);
      if (end + 1 + idBytes > tree.length) {
        break;
      }
      String mode = new String(tree, at, space - at, ISO_8859_1);
      String name = RepoPath.of(Arrays.copyOfRange(tree, space + 1, end)).toString();
      String id = HexFormat.of().formatHex(tree, end + 1, end + 1 + idBytes);
      if (!mode.equals("160000")) {
        links.add(new Link(id, mode.equals("40000") ? "tree" : "blob", name));
      }
      at = end + 1 + idBytes;
    }
    return links;
  }

  private static int indexOf(byte wanted, byte[] bytes, int from) {
    int at = from;
    while (at < bytes.length && bytes[at] != wanted) {
      at++;
    }
    return at;
  }

  private static List<Link> headers(String text) {
    List<Link> links = new ArrayList<>();
    String target = "";
    for (String line : text.lines().takeWhile(each -> !each.isEmpty()).toList()) {
      String[] words = line.split(" ", 2);
      switch (words[0]) {
        case "tree" -> links.add(new Link(words[1], "tree", ""));
        case "parent" -> links.add(new Link(words[1], "commit", ""));
        case "object" -> target = words[1];
        case "type" -> links.add(new Link(target, words[1], ""));
        default -> {}
      }
    }
    return links;
  }
}
