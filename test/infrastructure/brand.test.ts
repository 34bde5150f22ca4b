import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accentColors, contrast, LOGO_MAX_BYTES, readLogo } from '../../lib/brand.ts';
import { resolveGatewayOptions } from '../../lib/gateway-options.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-brand-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(content: string | Buffer): string {
  const path = join(folder, `logo-${readdirSync(folder).length}`);
  writeFileSync(path, content);
  return path;
}

describe('the logo', () => {
  test.each([
    [PNG, 'image/png'],
    [Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
    [Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'), 'image/webp'],
    [svg('<path d="M0 0h9v9z" fill="url(#g)"/><use href="#a"/>'), 'image/svg+xml'],
    [`<?xml version="1.0"?>\n<!-- made by hand -->\n${svg('')}`, 'image/svg+xml'],
  ])('the logo is known by what it holds', (content, mediaType) => {
    expect(readLogo(file(content)).mediaType).toBe(mediaType);
  });

  test.each([
    ['<script>x()</script>', 'contains a script'],
    ['<svg:script>x()</svg:script>', 'contains a script'],
    ['<foreignObject></foreignObject>', 'contains a script or foreign content'],
    ['<path onload="x()"/>', 'contains event handlers'],
    ['<a href="javascript:x()"/>', 'contains event handlers'],
    ['<image href="https://elsewhere.example/a.png"/>', 'refers to something outside'],
    ['<image xlink:href="//elsewhere.example/a.png"/>', 'refers to something outside'],
    ['<style>@import "https://elsewhere.example"</style>', 'refers to something outside'],
    ['<rect fill="url(https://elsewhere.example#g)"/>', 'refers to something outside'],
  ])('CS-11: the logo of SVG is refused with %s in it', (inside, problem) => {
    expect(() => readLogo(file(svg(inside)))).toThrow(problem);
    expect(() => readLogo(file(`<!DOCTYPE svg>${svg('')}`))).toThrow('is no PNG, JPEG, WebP or SVG picture');
  });

  test('the logo is refused where it is too large, none, or not there', () => {
    expect(readLogo(file(Buffer.concat([PNG, Buffer.alloc(LOGO_MAX_BYTES - PNG.length)]))).mediaType).toBe('image/png');
    expect(() => readLogo(file(Buffer.concat([PNG, Buffer.alloc(LOGO_MAX_BYTES)])))).toThrow(
      `and may have ${LOGO_MAX_BYTES}`,
    );
    expect(() => readLogo(file('GIF89a'))).toThrow('is no PNG, JPEG, WebP or SVG picture');
    expect(() => readLogo(join(folder, 'none'))).toThrow('cannot be read: ENOENT');
  });

  test('needs the name of the app, which is read out in its place', () => {
    expect(() => resolveGatewayOptions({ connectLogo: 'logo.svg' })).toThrow('connectLogo: also set connectAppName');
  });
});

describe('the accent', () => {
  test.each([
    [
      { light: '#ff8800' },
      /connectAccent\.light: #ff8800 has a contrast of 2\.3\d : 1 with the light page .* use #[0-9a-f]{6} or a darker one/,
    ],
    [
      { light: '#0b57d0', dark: '#0b57d0' },
      /connectAccent\.dark: #0b57d0 has a contrast of 2\.\d\d : 1 with the dark page .* lighter one/,
    ],
    [{ light: 'blue' }, /connectAccent\.light: must be a colour such as #0b57d0/],
  ])(
    'the accent that cannot be read is refused with its contrast and a shade that can: %j',
    (connectAccent, problem) => {
      expect(() => resolveGatewayOptions({ connectAccent })).toThrow(problem);
    },
  );

  test('the shade that a refusal names is accepted', () => {
    const message = (() => {
      try {
        resolveGatewayOptions({ connectAccent: { light: '#FF8800' } });
      } catch (error) {
        return String(error);
      }
      return '';
    })();
    const light = /use (#[0-9a-f]{6})/.exec(message)?.[1] ?? '';
    expect(resolveGatewayOptions({ connectAccent: { light } }).connectAccent).toEqual({ light });
  });

  test.each(['#0b57d0', '#a35700', '#000000', '#7b1fa2', '#00796b', '#c2185b'])(
    'the accent of %s can be read in both looks, and so can text on it, also under the pointer',
    (color) => {
      for (const [look, paper] of [
        ['light', '#ffffff'],
        ['dark', '#1d2024'],
      ] as const) {
        const { accent, hover, ink } = accentColors(look, color);
        expect(contrast(accent, paper)).toBeGreaterThanOrEqual(4.5);
        for (const ground of [accent, hover]) expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5);
      }
    },
  );
});

test('the looks are those of the pages', () => {
  const page = readFileSync(join(import.meta.dirname, '../../lambdas/gateway/http/html-page.ts'), 'utf8');
  for (const paper of ['--paper:#fff;', '--paper:#1d2024;']) expect(page).toContain(paper);
});
