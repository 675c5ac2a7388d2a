// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.StoreException;
import dev.varve.json.JsonLine;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// Answers requests in their order, one line for each, until the input ends.
public final class RequestLoop {

  private static final int LINE_BYTES_MAX = 4 << 20;

  /// The status of an error that nobody expected (`EX_SOFTWARE` of sysexits.h).
  private static final int MISTAKE = 70;

  private final RewindHost host;
  private final ToIntFunction<RuntimeException> statuses;

  /// @param statuses the number that an answer reports for an error
  public RequestLoop(RewindHost host, ToIntFunction<RuntimeException> statuses) {
    this.host = host;
    this.statuses = statuses;
  }

  /// Runs until the input ends. An error is the answer to its request, and the next request is
  /// read.
  ///
  /// @param output takes each answer before the next request is read
  /// @throws StoreException.TooLarge if a line has more than 4 MiB: the next line cannot be found
  public void run(InputStream input, JsonLine.Output output) throws IOException {
    InputStream in = new BufferedInputStream(input);
    try (SessionAnswers answers = SessionAnswers.of(host)) {
      for (String line = line(in); line != null; line = line(in)) {
        if (!line.isBlank()) {
          answer(answers, line).print(output);
          answers.afterwards();
        }
      }
    }
  }

  /// The bytes up to the end of a line; null at the end of the input.
  private static @Nullable String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int b = in.read();
    for (; b >= 0 && b != '\n'; b = in.read()) {
      if (line.size() == LINE_BYTES_MAX) {
        throw new StoreException.TooLarge("a request", line.size() + 1L, LINE_BYTES_MAX);
      }
      line.write(b);
    }
    return b < 0 && line.size() == 0 ? null : line.toString(UTF_8);
  }

  private JsonLine answer(SessionAnswers answers, String line) {
    try {
      return answers.answer(RewindRequest.parse(line));
    } catch (RuntimeException e) {
      return refused(line, e);
    }
  }

  private JsonLine refused(String line, RuntimeException error) {
    int status = statuses.applyAsInt(error);
    return new JsonLine()
        .text("id", RewindRequest.id(line))
        .bool("ok", false)
        .number("status", status)
        .text("error", status == MISTAKE ? "a mistake in Varve: " + error : error.getMessage());
  }
}
