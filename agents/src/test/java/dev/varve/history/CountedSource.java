// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.imports.CountedFile;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Counts the bytes that are read of a file.
public final class CountedSource implements HistorySource {

  private final HistorySource source;
  private final List<CountedFile> files = new ArrayList<>();
  private long streamed;

  public CountedSource(HistorySource source) {
    this.source = source;
  }

  /// The session with this source for its own transcript.
  public SessionFiles inPlaceOf(SessionFiles session) {
    HistoryFile main = session.main();
    List<HistoryFile> all = new ArrayList<>(session.files());
    all.set(0, new HistoryFile(main.slot(), main.name(), main.path(), main.kind(), this));
    return new SessionFiles(session.key(), session.home(), all);
  }

  @Override
  public FileStamp stamp() throws IOException {
    return source.stamp();
  }

  @Override
  public Optional<CountedFile> file() throws IOException {
    Optional<CountedFile> file = source.file();
    file.ifPresent(files::add);
    return file;
  }

  @Override
  public InputStream open() throws IOException {
    return new FilterInputStream(source.open()) {
      @Override
      public int read() throws IOException {
        streamed++;
        return super.read();
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = super.read(bytes, offset, length);
        streamed += Math.max(0, read);
        return read;
      }
    };
  }

  /// The bytes that were read as a stream: of a file of which only new lines are read, none.
  public long streamed() {
    return streamed;
  }

  /// The bytes that were read in any way.
  public long bytesRead() {
    return streamed + files.stream().mapToLong(CountedFile::bytesRead).sum();
  }
}
