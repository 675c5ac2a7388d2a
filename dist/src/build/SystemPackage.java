// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/// Makes the installer of Windows (`msi`) or macOS (`pkg`) from the self-contained folder, with the
/// JDK's own `jpackage`. The type `app-image`, which any system makes, is the folder that the
/// installers install.
///
/// The command in the package is the launcher of `jpackage`, a program that starts Java with one
/// set of options for all commands.
///
/// Arguments: the type, the self-contained folder, the folder for the result, the version.
final class SystemPackage {

  /// The options that suit every command: both compilers, and a heap that is bounded.
  private static final List<String> JAVA_OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-Xmx1g",
          "-XX:-UsePerfData",
          "-Xlog:disable",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:SharedArchiveFile=$APPDIR/java.jsa");

  /// The files of the self-contained folder for which `jpackage` has its own, and the class archive
  /// with the jar's classes: Java uses it only while the jar keeps its time, and neither `jpackage`
  /// nor an installer keeps times.
  private static final Set<String> LEFT_OUT = Set.of("runtime", "varve", "varve.cmd", "varve.jsa");

  private final String type;
  private final Path folder;
  private final Path target;
  private final String version;

  private SystemPackage(String type, Path folder, Path target, String version) {
    this.type = type;
    this.folder = folder;
    this.target = target;
    this.version = version;
  }

  public static void main(String[] args) throws Exception {
    new SystemPackage(args[0], Path.of(args[1]), Path.of(args[2]), args[3]).make();
  }

  private void make() throws IOException, InterruptedException {
    Path made = target.resolve(type);
    deleteTree(made);
    Path input = made.resolve("input");
    copyTo(input);
    dumpClasses(input.resolve("java.jsa"));
    jpackage(arguments(input, made));
    deleteTree(input);
    if (!type.equals("app-image")) {
      Path file = made.resolve("varve-" + number() + "." + type);
      Files.move(
          file,
          target.resolve("varve-" + version + "." + type),
          StandardCopyOption.REPLACE_EXISTING);
      deleteTree(made);
    }
  }

  private List<String> arguments(Path input, Path made) {
    List<String> arguments = new ArrayList<>(List.of("--type", type, "--name", "varve"));
    arguments.addAll(List.of("--app-version", number(), "--vendor", "The Varve authors"));
    arguments.addAll(List.of("--description", "The archive of what AI agents said and did"));
    arguments.addAll(List.of("--runtime-image", folder.resolve("runtime").toString()));
    arguments.addAll(List.of("--input", input.toString(), "--main-jar", "varve.jar"));
    arguments.addAll(List.of("--dest", made.toString()));
    for (String option : JAVA_OPTIONS) {
      arguments.addAll(List.of("--java-options", option));
    }
    if (!type.equals("app-image")) {
      arguments.addAll(List.of("--license-file", folder.resolve("LICENSE").toString()));
    }
    if (type.equals("msi")) {
      arguments.add("--win-per-user-install");
    }
    if (System.getProperty("os.name").startsWith("Windows")) {
      arguments.add("--win-console");
    }
    return arguments;
  }

  /// The version as the system's installer counts. macOS refuses a first number of zero, so that
  /// each first number is one higher there.
  private String number() {
    String plain = version.replaceFirst("-.*", "");
    if (!type.equals("pkg")) {
      return plain;
    }
    int dot = plain.indexOf('.');
    return Integer.parseInt(plain.substring(0, dot)) + 1 + plain.substring(dot);
  }

  private void copyTo(Path input) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        Path inside = folder.relativize(file);
        if (!LEFT_OUT.contains(inside.getName(0).toString())) {
          Files.createDirectories(input.resolve(inside).getParent());
          Files.copy(file, input.resolve(inside));
        }
      }
    }
  }

  /// Writes a class archive with the classes of the runtime only, for which no time counts.
  private void dumpClasses(Path archive) throws IOException, InterruptedException {
    Process dump =
        new ProcessBuilder(
                folder.resolve("runtime/bin/java").toString(),
                "-XX:+UseSerialGC",
                "-Xlog:disable",
                "-Xshare:dump",
                "-XX:SharedArchiveFile=" + archive)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    int status = dump.waitFor();
    if (status != 0) {
      throw new IllegalStateException("java -Xshare:dump ended with " + status);
    }
  }

  private static void jpackage(List<String> arguments) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    int status =
        ToolProvider.findFirst("jpackage")
            .orElseThrow(() -> new IllegalStateException("This JDK has no jpackage."))
            .run(out, out, arguments.toArray(String[]::new));
    if (status != 0) {
      throw new IllegalStateException("jpackage ended with " + status + ": " + said);
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
