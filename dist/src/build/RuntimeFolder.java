// SPDX-License-Identifier: Apache-2.0

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/// Makes a folder in which `varve` runs without an installed Java: a Java runtime, the jar, the
/// launcher, a class archive for a fast start, completions, man pages.
///
/// The same inputs give the same bytes. An AOT cache (JEP 514) differs from run to run, so the
/// folder holds a class archive (`java -Xshare:dump`) instead, made from a sorted list of classes.
/// Java uses a class archive only while the jar and the runtime have the times they had when the
/// archive was made; hence each file gets the time of the release.
///
/// Arguments: the project's root, the target folder, the version, the time of the release.
final class RuntimeFolder {

  /// The modules that the jar needs, as `jdeps --print-module-deps` lists them, without those that
  /// only optional features of libraries use, with the lanes of the vector module, with what Lucene
  /// looks up by name to learn about the JVM, with the names that the pool of connections mentions,
  /// and with the view of a jar as a folder, in which the HTTP library looks for its services.
  private static final String MODULES =
      "java.base,java.logging,java.management,java.naming,java.net.http,java.sql,jdk.incubator.vector,jdk.management,jdk.net,jdk.unsupported,jdk.zipfs";

  /// The list of drivers of databases; each jar has its own.
  private static final String DRIVERS = "META-INF/services/dev.varve.access.StoreDriver";

  /// The entries of an add-on for stores on Apache Cassandra, which most users do without: a jar
  /// that Java finds beside `varve.jar` if somebody puts the add-on there.
  private static final List<String> ADD_ON =
      List.of(
          "dev/varve/cassandra/",
          "com/datastax/",
          "com/fasterxml/jackson/core/",
          "com/fasterxml/jackson/databind/",
          "com/typesafe/config/",
          "io/netty/",
          "reference.conf");

  /// A class that loads only when two threads meet (a lock's queue, for instance) is in some runs'
  /// lists and not in others'. A class is taken when most of the runs loaded the class.
  private static final int TRAINING_RUNS = 5;

  /// The lambdas follow the classes that they stand in.
  private static final Comparator<String> CLASSES_FIRST =
      Comparator.<String, Boolean>comparing(line -> line.startsWith("@"))
          .thenComparing(Comparator.naturalOrder());

  private static final List<String> FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:-UsePerfData",
          "-Xlog:disable",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  /// Nothing of the builder's surroundings may show in the result. A time zone, for instance, loads
  /// classes of its own; this zone has summers and winters, as those of most users have.
  private static final Map<String, String> SURROUNDINGS =
      Map.of("LC_ALL", "C.UTF-8", "TZ", "Europe/Berlin", "PATH", "/usr/bin:/bin");

  private final Path root;
  private final Path folder;
  private final Path runtime;
  private final Path jar;
  private final FileTime released;

  private RuntimeFolder(Path root, Path folder, Instant released) {
    this.root = root;
    this.folder = folder;
    this.runtime = folder.resolve("runtime");
    this.jar = folder.resolve("varve.jar");
    this.released = FileTime.from(released);
  }

  public static void main(String[] args) throws Exception {
    Path target = Path.of(args[1]).toAbsolutePath();
    deleteTree(target);
    RuntimeFolder made =
        new RuntimeFolder(
            Path.of(args[0]), target.resolve("varve-" + args[2]), Instant.parse(args[3]));
    made.make();
  }

  private void make() throws Exception {
    Files.createDirectories(folder);
    link();
    String launcher = system().equals("win") ? "varve.cmd" : "varve";
    for (String name : List.of(launcher, "LICENSE", "NOTICE")) {
      Files.copy(root.resolve(name), folder.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
    }
    copyJar(root.resolve("cli/target/varve.jar"));
    Files.copy(root.resolve("docs/install.md"), folder.resolve("INSTALL.md"));
    stamp();
    dumpClasses();
    for (String shell : List.of("bash", "zsh", "fish")) {
      Path file = folder.resolve("completions/varve." + shell);
      Files.createDirectories(file.getParent());
      run(file, List.of("-cp", jar.toString(), "dev.varve.cli.Main", "completion", shell));
    }
    Path pages = Files.createDirectories(folder.resolve("man/man1"));
    run(
        null,
        List.of(
            "-cp",
            jar.toString(),
            "dev.varve.cli.ManPages",
            pages.toString(),
            released.toString()));
    stamp();
  }

  /// Copies the jar without the native libraries of other platforms and without unused files.
  private void copyJar(Path source) throws IOException {
    String system = system();
    String own = system + "/" + System.getProperty("os.arch") + "/";
    String databases = "org/sqlite/native/";
    String arch = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x86_64";
    String folder = Map.of("linux", "Linux/", "darwin", "Mac/", "win", "Windows/").get(system);
    String ownDatabase = databases + folder + arch + "/";
    int found = 0;
    Path addOn = this.folder.getParent().resolveSibling("varve-cassandra.jar");
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(source));
        ZipOutputStream beside = new ZipOutputStream(Files.newOutputStream(addOn));
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        String name = entry.getName();
        boolean isLibrary =
            name.contains("/libzstd-jni-") || name.startsWith(databases) && !entry.isDirectory();
        if (isLibrary && !name.startsWith(own) && !name.startsWith(ownDatabase) || isUnused(name)) {
          continue;
        }
        found += isLibrary ? 1 : 0;
        if (name.equals(DRIVERS)) {
          List<String> drivers = new String(in.readAllBytes(), UTF_8).lines().toList();
          put(out, name, drivers.stream().filter(line -> !line.contains(".cassandra.")));
          put(beside, name, drivers.stream().filter(line -> line.contains(".cassandra.")));
          continue;
        }
        ZipOutputStream target = ADD_ON.stream().anyMatch(name::startsWith) ? beside : out;
        target.putNextEntry(entry(name));
        in.transferTo(target);
        target.closeEntry();
      }
    }
    if (found != 2) {
      throw new IllegalStateException("no native library of zstd or SQLite for " + own);
    }
  }

  /// This system, as the folders of native libraries are named.
  private static String system() {
    String name = System.getProperty("os.name");
    return name.startsWith("Linux") ? "linux" : name.startsWith("Windows") ? "win" : "darwin";
  }

  private ZipEntry entry(String name) {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(LocalDateTime.ofInstant(released.toInstant(), ZoneOffset.UTC));
    return entry;
  }

  private void put(ZipOutputStream jar, String name, Stream<String> lines) throws IOException {
    jar.putNextEntry(entry(name));
    jar.write(lines.collect(Collectors.joining("\n", "", "\n")).getBytes(UTF_8));
    jar.closeEntry();
  }

  /// Returns whether a file of a library is never read: the messages of the database's driver in
  /// other languages than English, maps for debuggers of scripts, marks for checkers of sources,
  /// and the forms of a script that no page asks for.
  private static boolean isUnused(String name) {
    return name.startsWith("org/postgresql/translation/")
        || name.startsWith("org/checkerframework/")
        || name.startsWith("META-INF/maven/") && !name.contains("LICENSE")
        || name.startsWith("META-INF/resources/webjars/")
            && (name.endsWith(".map") || name.endsWith(".umd.js") || name.endsWith(".cjs"));
  }

  private void link() throws IOException {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    int status =
        ToolProvider.findFirst("jlink")
            .orElseThrow(() -> new IllegalStateException("this JDK has no jlink"))
            .run(
                out,
                out,
                "--add-modules",
                MODULES,
                "--strip-debug",
                "--disable-plugin",
                "generate-jli-classes", // its classes differ from run to run
                "--exclude-files", // functions of vectors that nothing here computes
                "**/libjsvml.so",
                "--no-header-files",
                "--no-man-pages",
                "--compress",
                "zip-9",
                "--output",
                runtime.toString());
    if (status != 0) {
      throw new IllegalStateException("jlink ended with " + status + ": " + said);
    }
    try (Stream<Path> files = Files.walk(runtime)) {
      for (Path library : files.filter(file -> file.toString().endsWith(".so")).toList()) {
        StrippedLibrary.strip(library);
      }
    }
  }

  /// The classes that the commands of a training run load go into one file that Java maps. The
  /// search is left out: Lucene's classes would take 11 MB.
  private void dumpClasses() throws IOException, InterruptedException {
    Path list = folder.resolveSibling("classes.txt");
    Map<String, Integer> runs = new TreeMap<>(CLASSES_FIRST);
    for (int run = 0; run < TRAINING_RUNS; run++) {
      run(
          folder.resolveSibling("training.log"),
          List.of(
              "-XX:DumpLoadedClassList=" + list,
              "-cp",
              "./varve.jar",
              "dev.varve.cli.AotTraining",
              "search"));
      settled(Files.readAllLines(list)).forEach(line -> runs.merge(line, 1, Integer::sum));
    }
    runs.values().removeIf(count -> count <= TRAINING_RUNS / 2);
    Files.write(list, runs.keySet());
    run(
        null,
        List.of(
            "-Xint", // the interpreter alone: what is compiled meanwhile would leave traces
            "-Xshare:dump",
            "-XX:SharedClassListFile=" + list,
            "-XX:SharedArchiveFile=" + folder.resolve("varve.jsa"),
            "-cp",
            "./varve.jar"));
  }

  /// The lines of a list of classes without what differs from run to run: resolved constants
  /// (`@cp`), numbers, and the forms that count the calls of a method handle.
  private static Set<String> settled(List<String> lines) {
    return lines.stream()
        .filter(line -> !line.startsWith("#") && !line.contains("source:"))
        .filter(line -> !line.startsWith("@") || line.startsWith("@lambda"))
        .filter(line -> !line.contains("DelegatingMethodHandle$Holder"))
        .map(line -> line.replaceFirst(" id: \\d+$", ""))
        .collect(Collectors.toSet());
  }

  private void run(Path output, List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(runtime.resolve("bin/java").toString());
    command.addAll(FLAGS);
    command.addAll(arguments);
    ProcessBuilder process =
        new ProcessBuilder(command)
            .directory(folder.toFile()) // the class archive names the jar as the command does
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    process.environment().clear();
    process.environment().putAll(SURROUNDINGS);
    process.redirectOutput(
        output == null
            ? ProcessBuilder.Redirect.DISCARD
            : ProcessBuilder.Redirect.to(output.toFile()));
    int status = process.start().waitFor();
    if (status != 0) {
      throw new IllegalStateException(arguments + " ended with " + status);
    }
  }

  private void stamp() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.setLastModifiedTime(path, released);
      }
    }
  }

  private static void deleteTree(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
