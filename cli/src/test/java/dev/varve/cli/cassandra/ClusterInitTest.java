// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.cassandra;

import static dev.varve.cli.Call.varve;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.session.ExitCodes;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterInitTest {

  @TempDir Path folder;

  @Test
  void onlyAClusterIsPreparedForStores() {
    Call.Result inFolder = varve(folder, "cassandra", "init", "--replication", "dc1=3");
    Call.Result inDatabase =
        varve(
            folder,
            "cassandra",
            "init",
            "--store",
            "postgresql://ada:secret@h/d",
            "--replication",
            "dc1=3");

    assertThat(inFolder.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(inFolder.err()).contains("expected cassandra://HOST/KEYSPACE, found " + folder);
    assertThat(inDatabase.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(inDatabase.err())
        .contains("expected a store on a cluster, found postgresql://h/d")
        .doesNotContain("secret");
    assertThat(varve(folder, "cassandra").err()).contains("expected a command");
  }

  @Test
  void aReplicationIsLookedAtBeforeTheCluster() {
    Call.Result wrong =
        varve(
            folder,
            "cassandra",
            "init",
            "--store",
            "cassandra://ada:secret@192.0.2.1/team",
            "--replication",
            "three");

    assertThat(wrong.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(wrong.err()).contains("expected DC=COUNT").doesNotContain("secret");
  }
}
