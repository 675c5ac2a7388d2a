// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.Copy;
import dev.varve.jp.place.Root;
import dev.varve.jp.place.Workspace;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a root takes, what its conversations share, and what that saves. Opens no blob: sizes of
/// contents are what references say.
///
/// @param eventsBytes of all `events.json`
/// @param inline payloads that are still in them
/// @param references how many payloads are beside them, `referencedBytes` their size, each time
///   counted
/// @param contents how many different ones, `contentBytes` their size, once counted
/// @param blobs how many files there are, `blobBytes` their size, `diskBytes` what they take in
///   blocks of 4 KiB with the folders around them
/// @param unreferenced blobs that no conversation refers to
/// @param unread conversations that could not be read, each with the reason; they count for nothing
///   here
public record Usage(
    Root root,
    int conversations,
    long eventsBytes,
    long inline,
    long inlineBytes,
    long references,
    long referencedBytes,
    long contents,
    long contentBytes,
    long blobs,
    long blobBytes,
    long diskBytes,
    long unreferenced,
    long unreferencedBytes,
    List<Share> shares,
    List<String> unread) {

  private static final long BLOCK_BYTES = 4096;

  /// @param aloneBytes of the payloads' bytes, those that no other conversation of the root refers
  ///   to
  public record Share(Overview overview, long aloneBytes) {}

  public Usage {
    shares = List.copyOf(shares);
    unread = List.copyOf(unread);
  }

  public static Usage of(Workspace workspace, Root root, InstantSource clock) {
    List<Overview> overviews = new ArrayList<>();
    List<String> unread = new ArrayList<>();
    for (Conversation conversation : workspace.conversations(_ -> {})) {
      for (Copy copy : conversation.copies()) {
        if (copy.root().equals(root)) {
          try {
            overviews.add(Overview.of(copy));
          } catch (StoreException e) {
            unread.add(String.valueOf(e.getMessage()));
          }
        }
      }
    }
    return of(root, overviews, unread, clock);
  }

  private static Usage of(
      Root root, List<Overview> overviews, List<String> unread, InstantSource clock) {
    Map<Sha256, Long> contents = new HashMap<>();
    Map<Sha256, Integer> users = new HashMap<>();
    for (Overview overview : overviews) {
      overview.referenced().forEach(each -> contents.put(each.hash(), each.sizeBytes()));
      overview.hashes().forEach(hash -> users.merge(hash, 1, Integer::sum));
    }
    long[] blobs = new long[5];
    Set<Object> folders = new HashSet<>();
    new BlobFolder(root.blobs(), clock)
        .each(
            blob -> {
              long size = blob.state().sizeBytes();
              blobs[0]++;
              blobs[1] += size;
              blobs[2] += (size + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
              if (!users.containsKey(blob.hash())) {
                blobs[3]++;
                blobs[4] += size;
              }
              folders.add(blob.file().getParent());
              folders.add(blob.hash().hex().substring(0, 2));
            },
            _ -> {});
    return new Usage(
        root,
        overviews.size(),
        overviews.stream().mapToLong(Overview::sizeBytes).sum(),
        overviews.stream().mapToLong(Overview::inline).sum(),
        overviews.stream().mapToLong(Overview::inlineBytes).sum(),
        overviews.stream().mapToLong(Overview::references).sum(),
        overviews.stream().mapToLong(Overview::referencedBytes).sum(),
        contents.size(),
        contents.values().stream().mapToLong(Long::longValue).sum(),
        blobs[0],
        blobs[1],
        blobs[2] + folders.size() * BLOCK_BYTES,
        blobs[3],
        blobs[4],
        overviews.stream().map(each -> new Share(each, alone(each, users, contents))).toList(),
        unread);
  }

  private static long alone(
      Overview overview, Map<Sha256, Integer> users, Map<Sha256, Long> contents) {
    long bytes = 0;
    for (Sha256 hash : overview.hashes()) {
      bytes += users.getOrDefault(hash, 0) == 1 ? contents.getOrDefault(hash, 0L) : 0;
    }
    return bytes;
  }
}
