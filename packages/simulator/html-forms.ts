/** A form of a page, as far as a scripted user needs it. */
export interface PageForm {
  action: string;
  /** Hidden fields. */
  hidden: [name: string, value: string][];
  /** Boxes and radio buttons. */
  checkboxes: { name: string; value: string; checked: boolean }[];
  buttons: { name: string; value: string }[];
}

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

/** Undoes `escapeHtml`. */
export function unescapeHtml(value: string): string {
  return value.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

function readAttributes(tag: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const { groups } of tag.matchAll(/\s(?<name>[a-z-]+)(?:="(?<value>[^"]*)")?/g)) {
    if (groups?.name !== undefined) attributes.set(groups.name, unescapeHtml(groups.value ?? ''));
  }
  return attributes;
}

/** Finds the forms of a page made by the simulator: lower-case tags, double-quoted attributes. */
export function readForms(html: string): PageForm[] {
  return [...html.matchAll(/<form(?<head>[^>]*)>(?<body>.*?)<\/form>/gs)].map(({ groups }) => {
    const form: PageForm = { action: '', hidden: [], checkboxes: [], buttons: [] };
    form.action = readAttributes(groups?.head ?? '').get('action') ?? '';
    for (const match of (groups?.body ?? '').matchAll(/<(?<tag>input|button)(?<rest>[^>]*)>/g)) {
      const attributes = readAttributes(match.groups?.rest ?? '');
      const name = attributes.get('name') ?? '';
      const value = attributes.get('value') ?? '';
      if (match.groups?.tag === 'button') form.buttons.push({ name, value });
      else if (['checkbox', 'radio'].includes(attributes.get('type') ?? '')) {
        form.checkboxes.push({ name, value, checked: attributes.has('checked') });
      } else form.hidden.push([name, value]);
    }
    return form;
  });
}

/** Visible text of a page in one line. */
export function readText(html: string): string {
  const body = html.replaceAll(/<(?:style|title)[^>]*>.*?<\/(?:style|title)>/gs, ' ');
  return unescapeHtml(body.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
}
