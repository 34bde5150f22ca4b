import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Largest logo in bytes: every page that end users see carries it. */
export const LOGO_MAX_BYTES = 32 * 1024;

/** Contrast that text needs with what is behind it (WCAG 2.2, 1.4.3). */
const TEXT_CONTRAST = 4.5;

/** Backgrounds and text colours of the pages, by look: the accent has to be readable on the paper, and the ink on the accent. */
const LOOKS = {
  light: { paper: '#ffffff', away: '#000000' },
  dark: { paper: '#1d2024', away: '#ffffff' },
} as const;
const INKS = ['#ffffff', '#111111'] as const;

export type Look = keyof typeof LOOKS;

/** A picture for the pages: what it is and its bytes. */
export interface Logo {
  readonly mediaType: string;
  readonly content: Buffer;
}

/**
 * Reads the logo of the pages for end users.
 *
 * @param path of a PNG, JPEG, WebP or SVG file, from the folder the program runs in
 * @throws Error that names the problem
 */
export function readLogo(path: string): Logo {
  let content: Buffer;
  try {
    content = readFileSync(resolve(path));
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (content.length > LOGO_MAX_BYTES) {
    throw new Error(
      `${path} has ${content.length} bytes and may have ${LOGO_MAX_BYTES}, because it is part of every page; use a smaller picture: it is shown 40 pixels high`,
    );
  }
  const mediaType = mediaTypeOf(content);
  if (mediaType === undefined) throw new Error(`${path} is no PNG, JPEG, WebP or SVG picture`);
  if (mediaType === 'image/svg+xml') {
    const problem = problemOfSvg(content.toString('utf8'));
    if (problem !== undefined) throw new Error(`${path} ${problem}`);
  }
  return { mediaType, content };
}

/** Detected from the content, not from the file name. */
function mediaTypeOf(content: Buffer): string | undefined {
  const start = content.subarray(0, 12).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^RIFF.{4}WEBP/s.test(start)) return 'image/webp';
  const text = content.toString('utf8').replace(/^\uFEFF/, '');
  return /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/.test(text) ? 'image/svg+xml' : undefined;
}

/** A picture in an `img` element runs no script and loads nothing; one that contains a script or a link is refused anyway. */
function problemOfSvg(text: string): string | undefined {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return 'declares a document type or entities; remove them';
  if (/<(?:\w+:)?(?:script|foreignObject|iframe|embed|object|audio|video)[\s/>]/i.test(text)) {
    return 'contains a script or foreign content; export the picture without them';
  }
  if (/\son\w+\s*=|javascript:/i.test(text)) return 'contains event handlers; export the picture without them';
  if (
    /(?:href|src)\s*=\s*["']\s*(?!#|data:image\/(?:png|jpeg|webp))[^"'\s]|url\(\s*["']?\s*(?!#)[^)\s"']|@import/i.test(
      text,
    )
  ) {
    return 'refers to something outside the file; embed it in the picture';
  }
  return undefined;
}

/** The colours of one look: the accent, the same under the pointer, and text on it. */
export interface AccentColors {
  readonly accent: string;
  readonly hover: string;
  readonly ink: string;
}

/** Why a colour cannot be the accent of a look; undefined when it can. */
export function accentProblem(look: Look, color: string): string | undefined {
  const { paper } = LOOKS[look];
  const ratio = contrast(color, paper);
  if (ratio >= TEXT_CONTRAST) return undefined;
  return `${color} has a contrast of ${ratio.toFixed(2)} : 1 with the ${look} page (${paper}), and text needs ${TEXT_CONTRAST} : 1; use ${readableShade(look, color)} or a ${look === 'light' ? 'darker' : 'lighter'} one`;
}

/** The colours of a look by its accent; without one, by a shade of the other look's that can be read. */
export function accentColors(look: Look, color: string): AccentColors {
  const accent = readableShade(look, color);
  const ink = contrast(accent, INKS[0]) >= contrast(accent, INKS[1]) ? INKS[0] : INKS[1];
  // Mixed away from the ink, so that the text on it stays readable.
  return { accent, hover: mixed(accent, ink === INKS[0] ? '#000000' : '#ffffff', 0.15), ink };
}

/** The first shade of a colour towards black or white that is readable on the page. */
function readableShade(look: Look, color: string): string {
  const { paper, away } = LOOKS[look];
  for (let share = 0; share < 1; share += 0.02) {
    const shade = mixed(color, away, share);
    if (contrast(shade, paper) >= TEXT_CONTRAST) return shade;
  }
  return away;
}

function mixed(color: string, other: string, share: number): string {
  const [a, b] = [channels(color), channels(other)];
  const hex = a.map((value, i) =>
    Math.round(value + ((b[i] ?? 0) - value) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${hex.join('')}`;
}

/** Contrast ratio of two colours (WCAG 2.2, "contrast ratio"). */
export function contrast(a: string, b: string): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
