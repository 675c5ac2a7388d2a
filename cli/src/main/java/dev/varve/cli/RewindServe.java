// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.StoreException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve rewind serve`
@Command(
    name = "serve",
    description = {
      "Answers requests about a worktree, one JSON object a line on standard input, until it ends.",
      "",
      "For agents and their extensions: one process that stays is quicker than one a request. What"
          + " can be asked is told in docs/stdio.md."
    },
    footer = {
      "  varve rewind serve",
      "  echo '{\"id\":\"1\",\"do\":\"capture\"}' | varve rewind serve"
    })
final class RewindServe implements Callable<Integer> {

  private static final int LINE_BYTES_MAX = 4 << 20;

  private final Varve varve;

  @Mixin private final WorktreeOption worktree = new WorktreeOption();

  RewindServe(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() throws IOException {
    Terminal terminal = varve.terminal();
    try (SessionAnswers answers = SessionAnswers.at(worktree, varve);
        InputStream in = new BufferedInputStream(terminal.in())) {
      for (String line = line(in); line != null; line = line(in)) {
        if (!line.isBlank()) {
          answer(answers, line).print(terminal);
          terminal.flush();
          answers.afterwards();
        }
      }
    }
    return ExitCodes.OK;
  }

  /// Up to the line end; null at the end of input. A line that is too long cannot be answered: its
  /// end is not known.
  private static @Nullable String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int b = in.read();
    for (; b >= 0 && b != '\n'; b = in.read()) {
      if (line.size() == LINE_BYTES_MAX) {
        throw new Refusal(ExitCodes.USAGE, "a request of more than 4 MiB", null);
      }
      line.write(b);
    }
    return b < 0 && line.size() == 0 ? null : line.toString(UTF_8);
  }

  private static JsonLine answer(SessionAnswers answers, String line) {
    try {
      return answers.answer(RewindRequest.parse(line));
    } catch (Refusal e) {
      return refused(line, e.status(), e.getMessage());
    } catch (StoreException e) {
      return refused(line, ExitCodes.of(e), e.getMessage());
    } catch (RuntimeException e) {
      return refused(line, ExitCodes.INTERNAL, "a mistake in Varve: " + e);
    }
  }

  private static JsonLine refused(String line, int status, @Nullable String why) {
    return new JsonLine()
        .text("id", RewindRequest.id(line))
        .bool("ok", false)
        .number("status", status)
        .text("error", why);
  }
}
