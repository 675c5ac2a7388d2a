// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageEntryTest {

  private final PageEntry entry = PageEntry.reading();

  @Test
  void theCodeIsExchangedOnce() {
    assertThat(entry.redeem("")).isEmpty();
    assertThat(entry.redeem(entry.code() + "x")).isEmpty();
    assertThat(entry.redeem(entry.code())).isPresent();
    assertThat(entry.redeem(entry.code())).isEmpty();
  }

  @Test
  void theTokenReadsAndDoesNothingElse() {
    String token = entry.redeem(entry.code()).orElseThrow();
    Principal reader = entry.authenticate(token).orElseThrow();

    assertThat(reader.admit(Scope.READ)).isEqualTo(Principal.Admission.ADMITTED);
    assertThat(reader.admit(Scope.WRITE)).isEqualTo(Principal.Admission.FORBIDDEN);
    assertThat(reader.admit(Scope.ADMIN)).isEqualTo(Principal.Admission.FORBIDDEN);
    assertThat(reader.admit(Scope.RESTORE)).isEqualTo(Principal.Admission.FORBIDDEN);
  }

  @Test
  void theTokenOfAPageThatRestoresDoesThatAndNoMore() {
    PageEntry restoring = PageEntry.restoring();
    String token = restoring.redeem(restoring.code()).orElseThrow();
    Principal reader = restoring.authenticate(token).orElseThrow();

    assertThat(reader.admit(Scope.READ)).isEqualTo(Principal.Admission.ADMITTED);
    assertThat(reader.admit(Scope.RESTORE)).isEqualTo(Principal.Admission.ADMITTED);
    assertThat(reader.admit(Scope.WRITE)).isEqualTo(Principal.Admission.FORBIDDEN);
    assertThat(reader.admit(Scope.ADMIN)).isEqualTo(Principal.Admission.FORBIDDEN);
  }

  @Test
  void neitherNothingNorTheCodeIsAToken() {
    assertThat(entry.authenticate(null)).isEmpty();
    assertThat(entry.authenticate("")).isEmpty();
    assertThat(entry.authenticate(entry.code())).isEmpty();
    assertThat(PageEntry.reading().code()).isNotEqualTo(entry.code());
  }
}
