/** The brand on pages for end users. */
export interface Brand {
  readonly name: string | undefined;
  /** A picture as `data:` URI. */
  readonly logo: string | undefined;
  /** Custom properties of the accent, for each look: `--accent`, `--hover` and `--on-accent`. */
  readonly accent: { readonly light: string; readonly dark: string } | undefined;
}

/** A deployment's brand as its settings hold it. */
export interface BrandSettings extends Omit<Brand, 'logo'> {
  /** A `data:` URI, or the media type of the file `logo` next to the bundle. */
  readonly logo: string | undefined;
}
