// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.BlobTrash;
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
import java.util.function.LongConsumer;

/// Reads every blob of a root and holds every reference of its conversations against them. Changes
/// nothing.
public final class WorkspaceCheck {

  /// @param blobs how many were read, `blobBytes` the size of their contents
  /// @param references how many were followed, in how many `conversations`
  /// @param unreferenced sound blobs that no conversation of any root refers to
  /// @param problems damaged blobs, references that lead nowhere or to another size; each a
  ///   sentence with a path
  /// @param odd what lies below `blobs/` and is no blob
  public record Report(
      WorkspaceRoot root,
      long blobs,
      long blobBytes,
      long conversations,
      long references,
      long unreferenced,
      List<String> problems,
      List<String> odd) {

    public Report {
      problems = List.copyOf(problems);
      odd = List.copyOf(odd);
    }
  }

  private final Workspace workspace;
  private final WorkspaceRoot root;
  private final InstantSource clock;

  /// The size of each sound content.
  private final Map<Sha256, Long> sizes = new HashMap<>();

  private final Set<Sha256> damaged = new HashSet<>();
  private final List<String> problems = new ArrayList<>();
  private final List<String> odd = new ArrayList<>();
  private long references;
  private long conversations;

  private WorkspaceCheck(Workspace workspace, WorkspaceRoot root, InstantSource clock) {
    this.workspace = workspace;
    this.root = root;
    this.clock = clock;
  }

  /// @param progress receives the number of blobs read
  public static Report of(
      Workspace workspace, WorkspaceRoot root, InstantSource clock, LongConsumer progress) {
    return new WorkspaceCheck(workspace, root, clock).report(progress);
  }

  private Report report(LongConsumer progress) {
    BlobFolder folder = new BlobFolder(root.blobs(), clock);
    folder.each(
        blob -> {
          try {
            sizes.put(blob.hash(), folder.verify(blob));
          } catch (StoreException.Corrupt | StoreException.Io e) {
            damaged.add(blob.hash());
            problems.add(String.valueOf(e.getMessage()));
          }
          progress.accept(sizes.size() + damaged.size());
        },
        each -> odd.add(each.path() + ": " + each.what()));
    Set<Sha256> referenced = new HashSet<>();
    for (Conversation conversation : workspace.conversations(_ -> {})) {
      for (ConversationCopy copy : conversation.copies()) {
        if (copy.root().equals(root)) {
          follow(copy, referenced);
        } else {
          referenced.addAll(hashes(copy));
        }
      }
    }
    long unreferenced = sizes.keySet().stream().filter(hash -> !referenced.contains(hash)).count();
    return new Report(
        root,
        sizes.size() + damaged.size(),
        sizes.values().stream().mapToLong(Long::longValue).sum(),
        conversations,
        references,
        unreferenced,
        problems,
        odd);
  }

  /// The references of a copy in the other root, whose own verification reports its faults.
  private static Set<Sha256> hashes(ConversationCopy copy) {
    try {
      return CopyOverview.of(copy).hashes();
    } catch (StoreException e) {
      return Set.of();
    }
  }

  private void follow(ConversationCopy copy, Set<Sha256> referenced) {
    CopyOverview overview;
    try {
      overview = CopyOverview.of(copy);
    } catch (StoreException e) {
      problems.add(String.valueOf(e.getMessage()));
      return;
    }
    conversations++;
    overview.problems().forEach(problem -> problems.add(copy.events() + ":" + problem));
    referenced.addAll(overview.hashes());
    Set<Sha256> named = new HashSet<>();
    for (BlobContent.Reference reference : overview.references()) {
      references++;
      Long size = sizes.get(reference.hash());
      if (size != null && size != reference.sizeBytes()) {
        problems.add(
            copy.events()
                + ": "
                + reference.hash()
                + " has "
                + size
                + " bytes, its reference says "
                + reference.sizeBytes());
      }
      named.add(reference.hash());
    }
    named.addAll(overview.hashes());
    for (Sha256 hash : named) {
      if (!sizes.containsKey(hash) && !damaged.contains(hash)) {
        problems.add(copy.events() + ": blob " + hash + " is missing" + elsewhere(hash));
      }
    }
  }

  private String elsewhere(Sha256 hash) {
    for (WorkspaceRoot other : workspace.roots()) {
      BlobFolder folder = new BlobFolder(other.blobs(), clock);
      try {
        if (!other.equals(root) && folder.find(hash).isPresent()) {
          return "; the " + other.kind().words() + " root has it";
        }
        if (new BlobTrash(other.blobs(), clock).find(hash).isPresent()) {
          return "; it lies in the trash of the " + other.kind().words() + " root";
        }
      } catch (StoreException e) {
        return ""; // the verification of that root reports the fault
      }
    }
    return "";
  }
}
