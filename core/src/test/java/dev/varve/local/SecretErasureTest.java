// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.ErasedBlob;
import dev.varve.Payload;
import dev.varve.Turn;
import dev.varve.View;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Secrets, which are erased in whatever form they were written.
final class SecretErasureTest extends ErasureTrial {
  private static final String SECRET = "AKIA/IOSFODNN\"7EXAMPLE";

  @Test
  void aSecretIsErasedInEveryForm() throws IOException {
    String json = "{\"k\":\"" + SECRET.replace("\"", "\\\"") + "\"}";
    String nested = "{\"l\":\"" + json.replace("\\", "\\\\").replace("\"", "\\\"") + "\"}";
    String base64 =
        Base64.getEncoder().encodeToString(("x" + json).getBytes(StandardCharsets.UTF_8));
    ContextId context = store.createContext().id();
    for (String text : List.of("as it is: " + SECRET, json, nested, "{\"b\":\"" + base64 + "\"}")) {
      store.append(context, turn(text));
    }
    Turn kept = store.append(context, turn("nothing secret"));
    byte[] large = noise(400_000, 3);
    byte[] secret = SECRET.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(secret, 0, large, 123_456, secret.length);
    BlobHash chunked = putStream(large);

    EraseReceipt receipt = erase(secret(SECRET));

    assertThat(receipt.plan().turns()).hasSize(4);
    assertThat(receipt.plan().going())
        .filteredOn(going -> going.cause() == ErasedBlob.Cause.SECRET)
        .hasSizeGreaterThan(5);
    assertThat(store.has(chunked)).isFalse();
    assertThat(store.turn(kept.id(), View.LATEST).tombstone()).isFalse();
    assertThat(plan(secret(SECRET)).counts().blobs()).isZero();
    for (String form : List.of(SECRET, SECRET.replace("\"", "\\\""), base64.substring(12, 30))) {
      PackReader.assertNowhere(DiskImage.of(disk), form.getBytes(StandardCharsets.UTF_8));
    }
  }

  /// The cuts are where the content says; a secret of 40 bytes is moved over more than two chunks.
  @Test
  void aSecretAcrossChunksIsFoundWhereverTheCutIs() throws IOException {
    byte[] content = noise(140_000, 5);
    byte[] secret = noise(40, 6);
    EraseRequest request = new EraseRequest(Set.of(), Set.of(), List.of(Payload.wrap(secret)));
    BlobHash plain = putStream(content);
    for (int at = 3; at < content.length - 40; at += 9_871) {
      byte[] with = content.clone();
      System.arraycopy(secret, 0, with, at, secret.length);
      BlobHash hash = putStream(with);
      assertThat(plan(request).going()).extracting(ErasePlan.GoingBlob::hash).contains(hash);
    }
    erase(request);
    assertThat(store.read(plain).readAllBytes()).isEqualTo(content);
  }
}
