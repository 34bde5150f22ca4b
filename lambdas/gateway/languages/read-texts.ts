import type { Language, TextsFileName } from './language.rules.ts';
import type { Texts } from './texts.rules.ts';

/** The texts of a language, as the build wrote them. @throws Error where there is no such file */
export async function readTexts(
  builtText: (name: TextsFileName) => Promise<string>,
  language: Language,
): Promise<Texts> {
  const texts: Texts = JSON.parse(await builtText(`texts.${language}.json`));
  return texts;
}
