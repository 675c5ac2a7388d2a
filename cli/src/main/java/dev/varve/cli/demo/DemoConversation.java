// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.demo;

import dev.varve.ContextId;
import dev.varve.ContextTitle;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.TurnId;
import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// The conversation that `varve demo` writes: a person, an assistant and its tools look for a wrong
/// date.
///
/// @param first the conversation itself
/// @param fork forked from `first` at `forkedAt`
/// @param forkOfFork forked from `fork`
/// @param secret a turn whose payload was patched
public record DemoConversation(
    ContextId first, ContextId fork, ContextId forkOfFork, TurnId forkedAt, TurnId secret) {

  private static final JsonFactory JSON = new JsonFactory();
  private static final DeclaredType TYPE = new DeclaredType("demo.Message", 1);

  private static final String SOURCE =
      """
      package shop;

      import java.math.BigDecimal;
      import java.time.LocalDate;
      import java.util.List;

      /** What a customer owes, and until when. */
      public final class Invoice {

        /** One position: what was sold, how often, and at which price. */
        public record Position(String article, int count, BigDecimal price) {
          public BigDecimal sum() {
            return price.multiply(BigDecimal.valueOf(count));
          }
        }

        private final LocalDate issued;
        private final List<Position> positions;

        public Invoice(LocalDate issued, List<Position> positions) {
          this.issued = issued;
          this.positions = List.copyOf(positions);
        }

        /** The sum of all positions, before tax. */
        public BigDecimal net() {
          return positions.stream().map(Position::sum).reduce(BigDecimal.ZERO, BigDecimal::add);
        }

        /** The sum of all positions, with 19 % tax. */
        public BigDecimal gross() {
          return net().multiply(new BigDecimal("1.19"));
        }

        /** The day by which it must be paid: a month after it was issued. */
        public LocalDate due() {
          return issued.plusDays(30);
        }
      }
      """;

  private static final String TEST_REPORT =
      """
      mvn -q test
      InvoiceTest.netIsTheSumOfAllPositions            passed    0.004 s
      InvoiceTest.netOfNoPositionsIsZero               passed    0.001 s
      InvoiceTest.grossAddsTax                         passed    0.002 s
      InvoiceTest.grossOfNoPositionsIsZero             passed    0.001 s
      InvoiceTest.aPositionIsPriceTimesCount           passed    0.001 s
      InvoiceTest.positionsCannotBeChangedAfterwards   passed    0.003 s
      InvoiceTest.dueInAMonthOfThirtyDays              passed    0.002 s
      InvoiceTest.dueInAMonthOfThirtyOneDays           FAILED    0.006 s
        expected: 2026-08-15
         but was: 2026-08-14
          at shop.InvoiceTest.dueInAMonthOfThirtyOneDays(InvoiceTest.java:71)
      InvoiceTest.dueInFebruary                        FAILED    0.004 s
        expected: 2026-03-15
         but was: 2026-03-17
          at shop.InvoiceTest.dueInFebruary(InvoiceTest.java:78)
      InvoiceTest.dueInALeapYear                       FAILED    0.004 s
        expected: 2028-03-15
         but was: 2028-03-16
          at shop.InvoiceTest.dueInALeapYear(InvoiceTest.java:85)
      Tests: 10, passed: 7, failed: 3
      """;

  public static DemoConversation write(Store store) {
    ContextId first = store.createContext("Fix the due date").id();
    say(
        store,
        first,
        "system",
        "You are a careful programmer. Read before you change; test after.");
    say(store, first, "user", "Three of the tests of Invoice fail. Why?");
    say(store, first, "tool", "read src/shop/Invoice.java\n" + SOURCE);
    say(store, first, "tool", TEST_REPORT);
    Turn secret = say(store, first, "tool", "env\nLANG=en_GB.UTF-8\nDEPLOY_TOKEN=tok_8f3a61c2\n");
    Turn cause = say(store, first, "assistant", "due() adds 30 days; the tests expect one month.");

    ContextId fork = fork(store, cause, "Change the tests instead");
    say(store, first, "user", "Then add a month.");
    say(store, fork, "user", "Thirty days is what our terms say. Change the tests.");
    Turn again = say(store, fork, "tool", "read src/shop/Invoice.java\n" + SOURCE);
    say(
        store,
        first,
        "tool",
        "edit src/shop/Invoice.java\n- issued.plusDays(30)\n+ issued.plusMonths(1)");

    ContextId forkOfFork = fork(store, again, "What do the terms say?");
    say(store, fork, "assistant", "The tests now expect 30 days, and pass.");
    say(store, forkOfFork, "user", "First look the terms up.");
    say(store, forkOfFork, "assistant", "terms.md, section 4: 'within 30 days'. You are right.");
    say(store, first, "assistant", "Done: due() adds a month, and all 10 tests pass.");

    store.patch(secret.id(), message("tool", "env\nLANG=en_GB.UTF-8\nDEPLOY_TOKEN=(removed)\n"));
    return new DemoConversation(first, fork, forkOfFork, cause.id(), secret.id());
  }

  private static ContextId fork(Store store, Turn at, String title) {
    return store.createContext(at.id(), store.put(new ContextTitle(title).about())).id();
  }

  private static Turn say(Store store, ContextId context, String role, String text) {
    return store.append(context, NewTurn.of(message(role, text), TYPE, Encoding.JSON));
  }

  private static Payload message(String role, String text) {
    StringWriter json = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), json)) {
      generator.writeStartObject();
      generator.writeStringProperty("role", role);
      generator.writeStringProperty("text", text);
      generator.writeEndObject();
    }
    return Payload.utf8(json.toString());
  }
}
