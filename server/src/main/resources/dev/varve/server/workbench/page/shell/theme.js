// SPDX-License-Identifier: Apache-2.0
import { el } from '../drawing/dom.js';

const THEME = 'varve.theme';
const THEMES = ['system', 'light', 'dark'];

/** A button that goes through the themes; the choice stays in this browser. */
export function themeButton() {
  let theme = localStorage.getItem(THEME) ?? 'system';
  const button = el('button', { type: 'button', class: 'icon', onclick: () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
    localStorage.setItem(THEME, theme);
    apply();
  } });
  const apply = () => {
    document.documentElement.dataset['theme'] = theme;
    button.textContent = { system: '◐', light: '☀', dark: '☾' }[theme] ?? '◐';
    button.title = `Colours: ${theme}`;
    button.setAttribute('aria-label', `Colours: ${theme}`);
  };
  apply();
  return button;
}
