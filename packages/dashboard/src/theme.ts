/** How the page looks; `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

const STORAGE_KEY = 'dashboard-theme';
const DARK_CLASS = 'awsui-dark-mode';

/** The stored choice; anything unknown counts as `system`. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Stores a choice and shows it. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, theme);
  showTheme(theme);
}

/** Shows the stored choice and follows the system from then on. */
export function startTheme(): void {
  showTheme(storedTheme());
  darkSystem().addEventListener('change', () => showTheme(storedTheme()));
}

function showTheme(theme: Theme): void {
  const dark = theme === 'dark' || (theme === 'system' && darkSystem().matches);
  document.body.classList.toggle(DARK_CLASS, dark);
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
}

function darkSystem(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}
