// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.json.JsonKind;
import dev.varve.jp.json.JsonText;
import dev.varve.jp.json.Utf8;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// The payloads of an `events.json`: resources of chat requests, text and resources of tool
/// responses.
///
/// What is of an unknown kind or shape is not touched. What looks like a payload and is not one
/// (two discriminants, the same name twice, bad base64) is a problem of that object alone.
final class PayloadSites {

  /// The members of which a `content` object has exactly one.
  private static final List<String> DISCRIMINANTS = List.of("$blob", "text", "blob");

  private final JsonText text;
  private final List<Site> sites = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  private PayloadSites(JsonText text) {
    this.text = text;
  }

  /// @param sites in the order of the text
  record Found(List<Site> sites, List<Problem> problems) {}

  static Found in(JsonText text) {
    PayloadSites finder = new PayloadSites(text);
    if (!text.is(0, JsonKind.ARRAY)) {
      finder.problem(0, "", "expected an array of events, found " + text.kind(0).words());
      return new Found(List.of(), finder.problems);
    }
    int[] index = {0};
    text.each(0, event -> finder.event(event, "/" + index[0]++));
    return new Found(finder.sites, finder.problems);
  }

  private void event(int event, String pointer) {
    if (!text.is(event, JsonKind.OBJECT)) {
      return;
    }
    String type = text.memberText(event, "type").orElse("");
    if (!type.equals("chat_request") && !type.equals("tool_call_response")) {
      return;
    }
    if (isAmbiguous(event, pointer)) {
      return;
    }
    if (type.equals("chat_request")) {
      each(text.member(event, "resources"), pointer + "/resources", this::resource);
    } else {
      response(event, pointer);
    }
  }

  private interface Element {
    void take(int value, String pointer);
  }

  private void each(OptionalInt array, String pointer, Element element) {
    if (array.isPresent() && text.is(array.getAsInt(), JsonKind.ARRAY)) {
      int[] index = {0};
      text.each(array.getAsInt(), value -> element.take(value, pointer + "/" + index[0]++));
    }
  }

  private void response(int event, String pointer) {
    OptionalInt content = text.member(event, "content");
    if (content.isEmpty()) {
      problem(event, pointer, "a tool's response without content");
      return;
    }
    String here = pointer + "/content";
    int value = content.getAsInt();
    switch (text.kind(value)) {
      case STRING -> flat(event, value, here);
      case ARRAY -> each(content, here, this::block);
      case OBJECT -> wrapped(value, here, value, "");
      default -> problem(value, here, "expected text or blocks, found " + text.kind(value).words());
    }
  }

  private void flat(int event, int value, String pointer) {
    Optional<FlatText.Read> read =
        text.text(value)
            .flatMap(flat -> FlatText.read(flat, text.memberText(event, "timestamp").orElse("")));
    if (read.isEmpty()) {
      problem(value, pointer, "half of a surrogate pair: such text has no bytes");
      return;
    }
    Site.Kind kind =
        switch (read.get().spelling()) {
          case PLAIN -> Site.Kind.FLAT;
          case BASE64 -> Site.Kind.FLAT_BASE64;
          case BASE64_URL -> Site.Kind.FLAT_BASE64_URL;
        };
    add(pointer, Site.Shape.FLAT, kind, value, event, -1, -1, "", read.get().content());
  }

  private void block(int block, String pointer) {
    if (!text.is(block, JsonKind.OBJECT) || isAmbiguous(block, pointer)) {
      return;
    }
    switch (text.memberText(block, "type").orElse("")) {
      case "text" -> payload(block, pointer, block);
      case "resource" -> {
        OptionalInt resource = text.member(block, "resource");
        if (resource.isEmpty()) {
          problem(block, pointer, "a resource block without a resource");
        } else {
          resource(resource.getAsInt(), pointer + "/resource");
        }
      }
      default -> {
        // A question, or a kind that is not known yet.
      }
    }
  }

  private void resource(int resource, String pointer) {
    if (!text.is(resource, JsonKind.OBJECT)) {
      problem(resource, pointer, "expected a resource, found " + text.kind(resource).words());
    } else if (!isAmbiguous(resource, pointer)) {
      payload(resource, pointer, -1);
    }
  }

  /// The payload of a resource or of a text block: a `content` object, or a bare `text` or `blob`.
  private void payload(int holder, String pointer, int block) {
    List<Integer> bare = new ArrayList<>();
    for (String name : List.of("text", "blob")) {
      text.member(holder, name).ifPresent(bare::add);
    }
    OptionalInt content = text.member(holder, "content");
    if (bare.size() + (content.isPresent() ? 1 : 0) > 1) {
      problem(holder, pointer, "more than one of content, text and blob");
    } else if (content.isPresent()) {
      int value = content.getAsInt();
      if (text.is(value, JsonKind.OBJECT)) {
        wrapped(value, pointer + "/content", block, mimeType(holder));
      } else {
        problem(
            value,
            pointer + "/content",
            "expected an object with $blob, text or blob, found " + text.kind(value).words());
      }
    } else if (bare.size() == 1) {
      inline(bare.getFirst(), holder, pointer + "/", Site.Shape.BARE, -1, block, mimeType(holder));
    } else {
      problem(holder, pointer, "no content, text or blob");
    }
  }

  private String mimeType(int holder) {
    return text.memberText(holder, "mimeType").orElse("");
  }

  private void wrapped(int object, String pointer, int block, String mimeType) {
    if (isAmbiguous(object, pointer)) {
      return;
    }
    List<Integer> found = new ArrayList<>();
    for (String name : DISCRIMINANTS) {
      text.member(object, name).ifPresent(found::add);
    }
    if (found.size() != 1) {
      String many = found.isEmpty() ? "none" : Integer.toString(found.size());
      problem(object, pointer, "expected exactly one of $blob, text and blob, found " + many);
      return;
    }
    int value = found.getFirst();
    int size = text.member(object, "size").orElse(-1);
    if (text.isNamed(value, "$blob")) {
      reference(value, object, pointer, size, block, mimeType);
    } else {
      inline(value, object, pointer, Site.Shape.WRAPPED, size, block, mimeType);
    }
  }

  private void reference(
      int value, int object, String pointer, int size, int block, String mimeType) {
    Optional<Sha256> hash = text.text(value).flatMap(Sha256::find);
    if (hash.isEmpty()) {
      problem(value, pointer, "$blob: expected 64 lower-case hexadecimal digits");
      return;
    }
    Optional<Long> sizeBytes = size < 0 ? Optional.empty() : size(size);
    if (sizeBytes.isEmpty()) {
      problem(size < 0 ? object : size, pointer, "size: expected a whole number of bytes");
      return;
    }
    sites.add(
        new Site(
            pointer,
            Site.Shape.WRAPPED,
            Site.Kind.REFERENCE,
            value,
            object,
            size,
            block,
            mimeType,
            text.position(value),
            new Content.Reference(hash.get(), sizeBytes.get())));
  }

  private Optional<Long> size(int value) {
    String digits = text.is(value, JsonKind.NUMBER) ? text.spelling(value) : "";
    return digits.matches("[0-9]{1,18}") ? Optional.of(Long.parseLong(digits)) : Optional.empty();
  }

  /// @param pointer of the site; for a bare value up to its name
  private void inline(
      int value,
      int container,
      String pointer,
      Site.Shape shape,
      int size,
      int block,
      String mimeType) {
    boolean blob = text.isNamed(value, "blob");
    String here = shape == Site.Shape.BARE ? pointer + (blob ? "blob" : "text") : pointer;
    if (!text.is(value, JsonKind.STRING)) {
      problem(value, here, "expected a string, found " + text.kind(value).words());
      return;
    }
    Optional<String> string = text.text(value);
    Optional<byte[]> content = blob ? string.flatMap(FlatText::base64) : string.flatMap(Utf8::of);
    if (content.isEmpty()) {
      problem(
          value,
          here,
          blob
              ? "blob: not base64 (standard alphabet, padded, no white space)"
              : "half of a surrogate pair: such text has no bytes");
      return;
    }
    Site.Kind kind = blob ? Site.Kind.BLOB : Site.Kind.TEXT;
    add(here, shape, kind, value, container, size, block, mimeType, content.get());
  }

  private void add(
      String pointer,
      Site.Shape shape,
      Site.Kind kind,
      int value,
      int container,
      int size,
      int block,
      String mimeType,
      byte[] content) {
    sites.add(
        new Site(
            pointer,
            shape,
            kind,
            value,
            container,
            size,
            block,
            mimeType,
            text.position(value),
            new Content.Loaded(content)));
  }

  /// Of two members of one name some programs see the first and some the last, so that object is
  /// left alone.
  private boolean isAmbiguous(int object, String pointer) {
    Optional<String> twice = text.duplicate(object);
    twice.ifPresent(name -> problem(object, pointer, "two members of the name '" + name + "'"));
    return twice.isPresent();
  }

  private void problem(int value, String pointer, String what) {
    problems.add(new Problem(text.position(value), pointer, what));
  }
}
