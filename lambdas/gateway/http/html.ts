/** Text that is safe as HTML: the only way anything from outside gets into a page. */
export class SafeHtml {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Interpolation = string | number | SafeHtml | readonly SafeHtml[] | undefined;

/** A template whose interpolations are escaped, unless they are already safe. */
export function html(parts: TemplateStringsArray, ...values: Interpolation[]): SafeHtml {
  let text = parts[0] ?? '';
  values.forEach((value, i) => {
    text += interpolated(value) + (parts[i + 1] ?? '');
  });
  return new SafeHtml(text);
}

function interpolated(value: Interpolation): string {
  if (value === undefined) return '';
  if (value instanceof SafeHtml) return value.text;
  if (typeof value === 'object') return value.map((item) => item.text).join('');
  return escapeHtml(String(value));
}

/** Escapes for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`\u2028\u2029]/g, (character) => `&#${character.charCodeAt(0)};`);
}
