// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PiWatchTest {

  @TempDir Path folder;

  private final PiWatch watch = new PiWatch();

  private Path session(String name) throws IOException {
    return Files.writeString(folder.resolve(name), "x\n");
  }

  private static void grow(Path session) throws IOException {
    Files.writeString(session, "more\n", StandardOpenOption.APPEND);
  }

  @Test
  void whatGrewIsDueOnceItIsLeftAlone() throws IOException {
    Path one = session("one");
    Path two = session("two");
    List<Path> both = List.of(one, two);
    assertThat(watch.due(both)).isEqualTo(both);
    watch.done(both);
    assertThat(watch.due(both)).isEmpty();

    grow(two);
    assertThat(watch.due(both)).as("it may be being written").isEmpty();
    assertThat(watch.due(both)).containsExactly(two);
    watch.done(List.of(two));
    assertThat(watch.due(both)).isEmpty();
  }

  @Test
  void whatCouldNotBePublishedStaysDue() throws IOException {
    List<Path> one = List.of(session("one"));
    assertThat(watch.due(one)).isEqualTo(one);
    assertThat(watch.due(one)).isEqualTo(one);
    watch.done(one);
    grow(one.getFirst());
    watch.due(one);

    assertThat(watch.due(one)).isEqualTo(one);
    assertThat(watch.due(one)).isEqualTo(one);
  }

  @Test
  void whatIsAlwaysWrittenToIsDueNowAndThen() throws IOException {
    List<Path> one = List.of(session("one"));
    watch.done(watch.due(one));
    int due = 0;
    for (int look = 0; look < 3 * PiWatch.LOOKS_MAX + 3; look++) {
      grow(one.getFirst());
      List<Path> now = watch.due(one);
      watch.done(now);
      due += now.size();
    }

    assertThat(due).isBetween(2, 3);
  }

  @Test
  void whatComesLaterIsDueAndWhatIsGoneIsNot() throws IOException {
    Path one = session("one");
    watch.done(watch.due(List.of(one)));
    Path late = session("late");
    List<Path> both = List.of(one, late);
    watch.due(both);
    assertThat(watch.due(both)).containsExactly(late);

    Files.delete(late);
    assertThat(watch.due(both)).isEmpty();
  }
}
