// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.rewind.pi.RestoreMenu.Option;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a menu says before anything happens. The letters are those of docs/rewind-defects.md.
final class RestoreForecastTest extends InASession {

  @BeforeEach
  void makeAnotherFile() throws IOException {
    repo.write("gone", "g");
  }

  private RestoreForecast forecast(String prompt) {
    for (RestoreMenu.Offer offer : pi.forkMenu(prompt).options()) {
      if (offer.option() == Option.RESTORE_ALL && offer.forecast() != null) {
        return offer.forecast();
      }
    }
    throw new AssertionError("no way back is offered");
  }

  @Test
  void p3TheMenuSaysWhichFilesChangeAndWhichAreDeletedBeforeAnythingHappens() throws IOException {
    String prompt =
        pi.prompt(
            () -> {
              repo.write("f", "v1").write("new/a", "a").write("new/b", "b");
              Files.delete(repo.path("gone"));
            });
    Object before = repo.files();

    RestoreForecast forecast = forecast(prompt);

    assertThat(forecast.preview())
        .isEqualTo("Come back: gone; change: f; are deleted: new/a, new/b.");
    assertThat(forecast.confirm()).isNull();
    assertThat(repo.files()).isEqualTo(before);
  }

  @Test
  void p3OfManyTheFirstAreNamedAndAllAreCounted() throws IOException {
    String prompt =
        pi.prompt(
            () -> {
              for (int i = 100; i < 208; i++) {
                repo.write("n" + i, "n");
              }
            });

    RestoreForecast forecast = forecast(prompt);

    assertThat(forecast.preview())
        .isEqualTo("Are deleted: n100, n101, n102, n103, n104 and 103 more.");
    assertThat(forecast.confirm())
        .isEqualTo(
            "Paths: 108 deleted. Lines: 0 added, 108 removed. A snapshot is taken before; undo"
                + " brings them back.");
    assertThat(forecast.delete()).isEqualTo(108);
  }

  @Test
  void p3WhatWasEditedByHandSinceIsNotOverwrittenUnasked() throws IOException {
    String prompt = pi.prompt(() -> repo.write("f", "v1").write("g", "g"));
    repo.write("f", "by hand");

    RestoreForecast forecast = forecast(prompt);

    assertThat(forecast.edited()).isEqualTo(1);
    assertThat(forecast.preview()).endsWith(" Edited since the last snapshot: f.");
    assertThat(forecast.confirm())
        .isEqualTo(
            "Paths: 1 changed, 1 deleted. Lines: 1 added, 2 removed. Edited since the last"
                + " snapshot: f. A snapshot is taken before; undo brings them back.");
  }

  @Test
  void p3WhatIsKeptIsNamedToo() throws IOException {
    String rules = repo.isGit() ? ".gitignore" : ".varveignore";
    repo.write(rules, "*.log\n");
    String prompt = pi.prompt(() -> repo.write("f", "v1").write("x.log", "1").write(rules, ""));

    assertThat(forecast(prompt).preview()).contains("Kept as they are: x.log.");
  }
}
