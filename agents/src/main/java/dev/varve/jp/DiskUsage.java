// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.ConversationCopy;
import dev.varve.jp.place.Workspace;
import dev.varve.jp.place.WorkspaceRoot;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The space that a root takes, the contents that its conversations share, and the space saved by
/// that. No blob is opened: the sizes of contents are those that references state.
///
/// @param conversations the conversations, with the sizes of their `events.json`
/// @param inline the payloads in the files
/// @param referenced the payloads beside the files, counted once for each reference
/// @param contents the different contents among the referenced payloads
/// @param unread conversations that could not be read, each with the reason; no other number
///   includes them
public record DiskUsage(
    WorkspaceRoot root,
    SizedCount conversations,
    SizedCount inline,
    SizedCount referenced,
    SizedCount contents,
    BlobFiles blobs,
    List<Share> shares,
    List<String> unread) {

  private static final long BLOCK_BYTES = 4096;

  /// The files of blobs in the root.
  ///
  /// @param diskBytes the space that the files take in blocks of 4 KiB, with the folders around
  ///   them
  /// @param unreferenced the blobs to which no conversation of any root refers
  public record BlobFiles(SizedCount all, long diskBytes, SizedCount unreferenced) {}

  /// @param aloneBytes of the payloads' bytes, those that no other conversation of the root refers
  ///   to
  public record Share(CopyOverview overview, long aloneBytes) {}

  public DiskUsage {
    shares = List.copyOf(shares);
    unread = List.copyOf(unread);
  }

  public static DiskUsage of(Workspace workspace, WorkspaceRoot root, InstantSource clock) {
    List<CopyOverview> overviews = new ArrayList<>();
    List<String> unread = new ArrayList<>();
    Set<Sha256> wanted = new HashSet<>();
    for (Conversation conversation : workspace.conversations(_ -> {})) {
      for (ConversationCopy copy : conversation.copies()) {
        try {
          CopyOverview overview = CopyOverview.of(copy);
          wanted.addAll(overview.hashes());
          if (copy.root().equals(root)) {
            overviews.add(overview);
          }
        } catch (StoreException e) {
          if (copy.root().equals(root)) {
            unread.add(String.valueOf(e.getMessage()));
          }
        }
      }
    }
    return of(root, overviews, wanted, unread, clock);
  }

  private static DiskUsage of(
      WorkspaceRoot root,
      List<CopyOverview> overviews,
      Set<Sha256> wanted,
      List<String> unread,
      InstantSource clock) {
    Map<Sha256, Long> contents = new HashMap<>();
    Map<Sha256, Integer> users = new HashMap<>();
    for (CopyOverview overview : overviews) {
      overview.references().forEach(each -> contents.put(each.hash(), each.sizeBytes()));
      overview.hashes().forEach(hash -> users.merge(hash, 1, Integer::sum));
    }
    return new DiskUsage(
        root,
        SizedCount.of(overviews, CopyOverview::sizeBytes),
        SizedCount.sum(overviews, CopyOverview::inline),
        SizedCount.sum(overviews, CopyOverview::referenced),
        SizedCount.of(contents.values(), Long::longValue),
        blobFiles(new BlobFolder(root.blobs(), clock), wanted),
        overviews.stream().map(each -> new Share(each, alone(each, users, contents))).toList(),
        unread);
  }

  private static BlobFiles blobFiles(BlobFolder blobs, Set<Sha256> wanted) {
    List<Long> sizes = new ArrayList<>();
    List<Long> unreferenced = new ArrayList<>();
    Set<Object> folders = new HashSet<>();
    blobs.each(
        blob -> {
          sizes.add(blob.state().sizeBytes());
          if (!wanted.contains(blob.hash())) {
            unreferenced.add(blob.state().sizeBytes());
          }
          folders.add(blob.file().getParent());
          folders.add(blob.hash().hex().substring(0, 2));
        },
        _ -> {});
    long blocks = sizes.stream().mapToLong(size -> (size + BLOCK_BYTES - 1) / BLOCK_BYTES).sum();
    return new BlobFiles(
        SizedCount.of(sizes, Long::longValue),
        (blocks + folders.size()) * BLOCK_BYTES,
        SizedCount.of(unreferenced, Long::longValue));
  }

  private static long alone(
      CopyOverview overview, Map<Sha256, Integer> users, Map<Sha256, Long> contents) {
    long bytes = 0;
    for (Sha256 hash : overview.hashes()) {
      bytes += users.getOrDefault(hash, 0) == 1 ? contents.getOrDefault(hash, 0L) : 0;
    }
    return bytes;
  }
}
