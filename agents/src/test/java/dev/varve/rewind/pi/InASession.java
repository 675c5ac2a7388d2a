// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import dev.varve.rewind.Repo;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// A session in a worktree with one file, once with git behind it and once with a store.
@ParameterizedClass
@EnumSource(Repo.Kind.class)
abstract class InASession {

  @TempDir Path folder;
  @Parameter Repo.Kind kind;
  Repo repo;
  FakePi pi;

  @BeforeEach
  final void makeASession() throws IOException {
    repo = Repo.in(folder, kind).write("f", "v0");
    pi = FakePi.in(repo);
  }

  final FakePi.Edit write(String text) {
    return () -> repo.write("f", text);
  }
}
