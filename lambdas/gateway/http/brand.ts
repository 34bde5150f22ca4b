import type { Brand } from './html-page.ts';

/** A deployment's brand as its settings hold it. */
export interface BrandSettings extends Omit<Brand, 'logo'> {
  /** A `data:` URI, or the media type of the file `logo` beside the bundle. */
  readonly logo: string | undefined;
}

/** The brand with its logo, which is read once per process. */
export function brandSource(
  settings: BrandSettings,
  readFile: (name: 'logo') => Promise<Buffer>,
): () => Promise<Brand> {
  const { logo } = settings;
  if (logo === undefined || logo.startsWith('data:')) return () => Promise.resolve(settings);
  let read: string | undefined;
  return async () => {
    read ??= `data:${logo};base64,${(await readFile('logo')).toString('base64')}`;
    return { ...settings, logo: read };
  };
}
