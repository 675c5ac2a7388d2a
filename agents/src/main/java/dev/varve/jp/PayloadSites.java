// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.json.JsonKind;
import dev.varve.jp.json.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The payloads of an `events.json`: resources of chat requests, text and resources of tool
/// responses.
///
/// Values of an unknown kind or shape are not touched. A value that looks like a payload and is
/// none (two discriminants, the same name twice, bad base64) is a problem of that object alone.
final class PayloadSites {

  /// The members of which a `content` object has exactly one.
  private static final List<String> DISCRIMINANTS = List.of("$blob", "text", "blob");

  private static final String LONE_SURROGATE = "half of a surrogate pair: such text has no bytes";

  private final JsonText text;
  private final List<PayloadSite> sites = new ArrayList<>();
  private final List<EventProblem> problems = new ArrayList<>();

  private PayloadSites(JsonText text) {
    this.text = text;
  }

  /// @param sites in the order of the text
  record Found(List<PayloadSite> sites, List<EventProblem> problems) {}

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
    long sizeBytes = PayloadInput.sizeBytes(text, value);
    if (sizeBytes < 0) {
      problem(value, pointer, LONE_SURROGATE);
      return;
    }
    FlatText.Found found =
        FlatText.find(
            () -> new PayloadInput(text, value),
            sizeBytes,
            text.memberText(event, "timestamp").orElse(""));
    PayloadSite.Kind kind =
        switch (found.spelling()) {
          case PLAIN -> PayloadSite.Kind.FLAT;
          case BASE64 -> PayloadSite.Kind.FLAT_BASE64;
          case BASE64_URL -> PayloadSite.Kind.FLAT_BASE64_URL;
        };
    BlobContent content = new BlobContent.Inline(text, value, found.spelling(), found.sizeBytes());
    add(new PayloadSite(pointer, PayloadSite.Shape.FLAT, kind, value, event, -1, -1, "", content));
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
      inline(
          bare.getFirst(),
          holder,
          pointer + "/",
          PayloadSite.Shape.BARE,
          -1,
          block,
          mimeType(holder));
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
      inline(value, object, pointer, PayloadSite.Shape.WRAPPED, size, block, mimeType);
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
    BlobContent content = new BlobContent.Reference(hash.get(), sizeBytes.get());
    add(
        new PayloadSite(
            pointer,
            PayloadSite.Shape.WRAPPED,
            PayloadSite.Kind.REFERENCE,
            value,
            object,
            size,
            block,
            mimeType,
            content));
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
      PayloadSite.Shape shape,
      int size,
      int block,
      String mimeType) {
    boolean blob = text.isNamed(value, "blob");
    String here = shape == PayloadSite.Shape.BARE ? pointer + (blob ? "blob" : "text") : pointer;
    if (!text.is(value, JsonKind.STRING)) {
      problem(value, here, "expected a string, found " + text.kind(value).words());
      return;
    }
    long spelledBytes = PayloadInput.sizeBytes(text, value);
    OptionalLong sizeBytes =
        spelledBytes < 0
            ? OptionalLong.empty()
            : blob
                ? FlatText.base64Size(new PayloadInput(text, value))
                : OptionalLong.of(spelledBytes);
    if (sizeBytes.isEmpty()) {
      problem(value, here, blob ? "blob: expected canonical base64" : LONE_SURROGATE);
      return;
    }
    PayloadSite.Kind kind = blob ? PayloadSite.Kind.BLOB : PayloadSite.Kind.TEXT;
    FlatText.Spelling spelling = blob ? FlatText.Spelling.BASE64 : FlatText.Spelling.PLAIN;
    BlobContent content = new BlobContent.Inline(text, value, spelling, sizeBytes.getAsLong());
    add(new PayloadSite(here, shape, kind, value, container, size, block, mimeType, content));
  }

  private void add(PayloadSite site) {
    sites.add(site);
  }

  /// Of two members of one name some programs see the first and some the last, so that object is
  /// left alone.
  private boolean isAmbiguous(int object, String pointer) {
    Optional<String> twice = text.duplicate(object);
    twice.ifPresent(name -> problem(object, pointer, "two members of the name '" + name + "'"));
    return twice.isPresent();
  }

  private void problem(int value, String pointer, String what) {
    problems.add(new EventProblem(text.position(value), pointer, what));
  }
}
