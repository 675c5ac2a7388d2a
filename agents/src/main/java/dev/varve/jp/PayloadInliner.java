// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.StoreException;
import dev.varve.jp.PayloadSite.Shape;
import dev.varve.jp.json.JsonText;
import dev.varve.jp.json.TextEdits;
import dev.varve.jp.json.Utf8Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/// Turns references into payloads. A payload gets the form that it had, if this form is known.
/// Otherwise a tool's response that is one text gets the form that JP writes today, and any other
/// payload becomes inline text or base64.
final class PayloadInliner {

  /// The most bytes of payload that one file may take in.
  static final long SIZE_BYTES_MAX = 256L << 20;

  private final JsonText text;
  private final PayloadSpellings spellings;
  private final BlobContent.Source source;
  private final TextEdits edits = new TextEdits();
  private final List<EventProblem> problems = new ArrayList<>();

  private PayloadInliner(JsonText text, PayloadSpellings spellings, BlobContent.Source source) {
    this.text = text;
    this.spellings = spellings;
    this.source = source;
  }

  /// @param bytes the bytes of the whole file; the same array if nothing was changed
  /// @param payloads the number of references that became payloads
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Result(byte[] bytes, int payloads, List<EventProblem> problems) {}

  /// Inlines the references that `which` selects. A reference whose content cannot be read stays,
  /// with a problem.
  ///
  /// @throws StoreException.TooLarge if the contents of the references have more than
  ///   [#SIZE_BYTES_MAX] together
  static Result inline(
      JsonText text,
      PayloadSpellings spellings,
      BlobContent.Source source,
      Predicate<PayloadSite> which) {
    PayloadSites.Found found = PayloadSites.in(text);
    List<PayloadSite> references =
        found.sites().stream().filter(PayloadSite::isReference).filter(which).toList();
    long sum = 0;
    for (PayloadSite site : references) {
      sum = Math.min(Long.MAX_VALUE / 2, sum + site.content().sizeBytes());
    }
    if (sum > SIZE_BYTES_MAX) {
      throw new StoreException.TooLarge("payloads of one file, in bytes", sum, SIZE_BYTES_MAX);
    }
    PayloadInliner inliner = new PayloadInliner(text, spellings, source);
    inliner.problems.addAll(found.problems());
    if (!references.isEmpty() && spellings.unreadable() > 0) {
      inliner.problem(
          references.getFirst(),
          PayloadSpellings.FILE
              + ": entries that cannot be read: "
              + spellings.unreadable()
              + "; their payloads come back in the usual form");
    }
    int payloads = 0;
    for (PayloadSite site : references) {
      payloads += inliner.site(site) ? 1 : 0;
    }
    byte[] bytes = payloads == 0 ? text.bytes() : inliner.edits.apply(text.bytes());
    return new Result(bytes, payloads, inliner.problems);
  }

  private boolean site(PayloadSite site) {
    if (text.member(site.container(), "encryption").isPresent()) {
      problem(site, "encrypted: stays a reference");
      return false;
    }
    byte[] content;
    try {
      content = site.content().resolve(source);
    } catch (StoreException.NotFound | StoreException.Corrupt | StoreException.TooLarge e) {
      problem(site, String.valueOf(e.getMessage()));
      return false;
    }
    PayloadForm usual = usual(text, site, content);
    Optional<PayloadSpellings.Entry> known =
        spellings.find(site).filter(entry -> SpellingProof.applies(text, site, entry));
    byte[] raw = known.isPresent() ? known.get().bytes() : null;
    if (known.isEmpty()) {
      put(site, usual, content);
    } else if (!SpellingProof.holds(text, site, known.get(), content)) {
      problem(site, SpellingProof.REFUSED);
      put(site, usual, content);
    } else if (raw != null) {
      Span span = span(text, site, known.get().form().shape());
      edits.replace(span.from, span.to, raw);
    } else {
      put(site, known.get().form(), content);
    }
    return true;
  }

  /// Returns whether a form fits its place: a flat string only where a list of blocks is one text,
  /// a bare payload only where `content` is a member.
  static boolean fits(JsonText text, PayloadForm form, PayloadSite site) {
    return switch (form.shape()) {
      case FLAT -> isOneText(text, site);
      case WRAPPED -> true;
      case BARE -> text.isNamed(site.container(), "content") && isBareable(text, site);
    };
  }

  /// Returns whether nothing is lost if the object around the reference is removed.
  private static boolean isBareable(JsonText text, PayloadSite site) {
    return text.count(site.container()) == (site.size() >= 0 ? 2 : 1);
  }

  private void put(PayloadSite site, PayloadForm form, byte[] content) {
    byte[] string = form.string(content);
    int value = site.value();
    switch (form.shape()) {
      case FLAT -> {
        Span span = span(text, site, Shape.FLAT);
        edits.replace(span.from, span.to, string);
      }
      case WRAPPED -> {
        edits.replace(text.nameFrom(value), text.nameTo(value), '"' + form.member() + '"');
        edits.replace(text.from(value), text.to(value), string);
        removeMember(site.size());
      }
      case BARE -> {
        int object = site.container();
        edits.replace(text.nameFrom(object), text.nameTo(object), '"' + form.member() + '"');
        edits.replace(text.from(object), text.to(object), string);
      }
    }
  }

  /// Removes a member together with its comma.
  private void removeMember(int value) {
    OptionalInt previous = text.previous(value);
    OptionalInt next = text.next(value);
    int from = previous.isPresent() ? text.to(previous.getAsInt()) : text.nameFrom(value);
    int to =
        previous.isEmpty() && next.isPresent() ? text.nameFrom(next.getAsInt()) : text.to(value);
    edits.replace(from, to, "");
  }

  private void problem(PayloadSite site, String what) {
    problems.add(new EventProblem(text.position(site.value()), site.pointer(), what));
  }

  /// Bytes of a text.
  record Span(int from, int to) {}

  /// Finds the part of the text that a form of this shape replaces.
  static Span span(JsonText text, PayloadSite reference, Shape shape) {
    int object = reference.container();
    return switch (shape) {
      case FLAT -> {
        int list = reference.block() < 0 ? object : Math.max(0, text.parent(reference.block()));
        yield new Span(text.from(list), text.to(list));
      }
      case WRAPPED -> new Span(text.from(object), text.to(object));
      case BARE -> new Span(Math.max(0, text.nameFrom(object)), text.to(object));
    };
  }

  /// The form of a payload of which only the place and the content are known.
  static PayloadForm usual(JsonText text, PayloadSite site, byte[] content) {
    boolean isText = new Utf8Bytes(content).isText();
    if (isText && isOneText(text, site)) {
      return PayloadForm.BASE64;
    }
    return isText && (site.block() >= 0 || isTextual(site.mimeType()))
        ? PayloadForm.TEXT
        : PayloadForm.BLOB;
  }

  /// Returns whether a tool's response is a list of one text block with nothing but its text, so
  /// that a flat string says the same.
  static boolean isOneText(JsonText text, PayloadSite site) {
    int block = site.block();
    if (block < 0
        || text.parent(block) < 0
        || block == site.container() && site.shape() != Shape.BARE) {
      return false;
    }
    boolean bare = site.shape() == Shape.BARE;
    return text.count(text.parent(block)) == 1
        && text.count(block) == 2
        && (bare || text.count(site.container()) == (site.size() >= 0 ? 2 : 1));
  }

  private static boolean isTextual(String mimeType) {
    String type = mimeType.toLowerCase(Locale.ROOT).replaceFirst(";.*", "").strip();
    return type.isEmpty()
        || type.startsWith("text/")
        || type.endsWith("+json")
        || type.endsWith("+xml")
        || List.of(
                "application/json",
                "application/xml",
                "application/javascript",
                "application/toml",
                "application/yaml",
                "application/x-sh")
            .contains(type);
  }
}
