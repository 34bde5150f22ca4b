import { useState } from 'react';
import { chooseTheme, storedTheme, type Theme } from '../theme.ts';

const THEMES: readonly (readonly [theme: Theme, name: string])[] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** Light, dark, or as the system. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme);
  return (
    <select
      className="theme-switch"
      aria-label="Colours"
      value={theme}
      onChange={({ target }) => {
        const chosen = THEMES.find(([one]) => one === target.value)?.[0] ?? 'system';
        setTheme(chosen);
        chooseTheme(chosen);
      }}
    >
      {THEMES.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  );
}
