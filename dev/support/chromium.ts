import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inflate } from '@sparticuz/chromium';
import { fontConfiguration, requireFonts } from './fonts.ts';

/** Archives of the package: the browser, its system libraries (Amazon Linux 2023), fonts, software graphics. */
const ARCHIVES = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'];

/** A browser that can be started: its program, what it is called with, and its environment. */
export interface ChromiumProgram {
  readonly executablePath: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/**
 * Chromium for a machine that has neither a browser nor its system libraries nor a font. Everything it needs lies
 * unpacked in one folder below the temporary one, made once for each version of the package.
 * @throws Error when that folder holds no font
 */
export async function chromiumProgram(): Promise<ChromiumProgram> {
  const folder = await unpackedChromium();
  requireFonts(join(folder, 'fonts'));
  return {
    executablePath: join(folder, 'chromium'),
    // The package's own flags switch the same-origin policy off, which the pages are to be used with.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: {
      ...definedEnvironment(),
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      // The package's own file names folders that exist in AWS Lambda only.
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  };
}

/** Unpacks alongside the final place and moves there in one step, so that parallel test files never see half of it. */
async function unpackedChromium(): Promise<string> {
  const packageFile = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const packageFolder = join(dirname(packageFile), '..');
  const { version }: { version: string } = createRequire(import.meta.url)(join(packageFolder, 'package.json'));
  const folder = join(tmpdir(), `gateway-browser-${version}-${process.getuid?.() ?? 0}`);
  if (existsSync(folder)) return folder;
  const half = mkdtempSync(`${folder}-`);
  try {
    await inflateInto(half, join(packageFolder, 'bin'));
    const configuration = fontConfiguration(join(folder, 'fonts'), join(folder, 'font-cache'));
    writeFileSync(join(half, 'fonts.conf'), configuration);
    renameSync(half, folder);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    // Another test file was faster: moving onto a full folder fails.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** The package unpacks into the temporary folder of the moment of the call. */
async function inflateInto(folder: string, archives: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  const unpacking = ARCHIVES.map((name) => inflate(join(archives, name)));
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  await Promise.all(unpacking);
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
