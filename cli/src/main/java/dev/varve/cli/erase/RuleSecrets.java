// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.EraseRequest;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.secrets.AllowList;
import dev.varve.secrets.DocumentPlace;
import dev.varve.secrets.IdentifierFields;
import dev.varve.secrets.RuleSet;
import dev.varve.secrets.SecretFinding;
import dev.varve.secrets.SecretScan;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The credentials that rules of the scan for credentials find in the blobs of a store, as secrets
/// to erase: each then goes wherever it stands, also in content that the rule does not understand.
final class RuleSecrets {

  /// The blobs that are listed at once.
  private static final int PAGE = 1_000;

  /// The most secrets of one erasure.
  private static final int SECRETS_MAX = 1000;

  /// Longer lines are searched in parts of this size, each of which begins with the end of the part
  /// before.
  private static final int PART_BYTES = 4 << 20;

  private static final int OVERLAP_BYTES = 8 << 10;

  private final BulkStore store;
  private final Set<String> rules;
  private final SecretScan scan;
  private final Set<String> found = new LinkedHashSet<>();
  private long unfit;

  /// @throws StoreException.NotFound if there is no such rule
  RuleSecrets(BulkStore store, List<String> rules) {
    RuleSet all = RuleSet.builtIn();
    for (String rule : rules) {
      if (!all.ids().contains(rule)) {
        throw new StoreException.NotFound("rule", rule);
      }
    }
    this.store = store;
    this.rules = Set.copyOf(rules);
    this.scan = new SecretScan(all, AllowList.EMPTY, IdentifierFields.NONE, this::take);
  }

  private void take(SecretFinding finding, String secret) {
    int bytes = Payload.utf8(secret).sizeBytes();
    if (!rules.contains(finding.rule())) {
      return;
    }
    if (bytes < EraseRequest.SECRET_BYTES_MIN || bytes > EraseRequest.SECRET_BYTES_MAX) {
      unfit++;
    } else if (found.add(secret) && found.size() > SECRETS_MAX) {
      throw new StoreException.TooLarge("secrets of one erasure", found.size(), SECRETS_MAX);
    }
  }

  /// Reads all blobs.
  ///
  /// @return the secrets, each once
  List<Payload> find() throws IOException {
    List<BlobHash> page = store.blobs(null, PAGE);
    while (!page.isEmpty()) {
      for (BlobHash blob : page) {
        try (InputStream in = store.read(blob)) {
          search(in);
        }
      }
      page = store.blobs(page.getLast(), PAGE);
    }
    return found.stream().map(Payload::utf8).toList();
  }

  /// Findings that are too short or too long to be searched for.
  long unfit() {
    return unfit;
  }

  private void search(InputStream in) throws IOException {
    byte[] bytes = new byte[PART_BYTES];
    int length = in.readNBytes(bytes, 0, bytes.length);
    while (length > 0) {
      boolean more = length == bytes.length;
      int end = more ? lineEnd(bytes, length) : length;
      lines(bytes, end);
      if (!more) {
        return;
      }
      boolean wholeLines = bytes[end - 1] == '\n';
      int carried = length - end + (wholeLines ? 0 : OVERLAP_BYTES);
      System.arraycopy(bytes, length - carried, bytes, 0, carried);
      int read = in.readNBytes(bytes, carried, bytes.length - carried);
      if (read == 0) {
        lines(bytes, carried);
        return;
      }
      length = carried + read;
    }
  }

  private static int lineEnd(byte[] bytes, int length) {
    for (int at = length; at > length / 2; at--) {
      if (bytes[at - 1] == '\n') {
        return at;
      }
    }
    return length;
  }

  private void lines(byte[] bytes, int length) {
    DocumentPlace place = new DocumentPlace("", 1, "");
    int start = 0;
    for (int at = 0; at < length; at++) {
      if (bytes[at] == '\n' || at == length - 1) {
        byte[] line = Arrays.copyOfRange(bytes, start, at + 1);
        if (!scan.json(line, 0, line.length, place)) {
          scan.raw(line, 0, line.length, place);
        }
        start = at + 1;
      }
    }
  }
}
