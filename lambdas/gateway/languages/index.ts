import { de } from './de.rules.ts';
import { en } from './en.rules.ts';
import { es } from './es.rules.ts';
import { fr } from './fr.rules.ts';
import { ja } from './ja.rules.ts';
import type { Language } from './language.rules.ts';
import { pt } from './pt.rules.ts';
import type { Texts } from './texts.rules.ts';

/** All texts in all languages: for the build, which writes them into files; functions read those (`read-texts.ts`). */
export const TEXTS: Readonly<Record<Language, Texts>> = { en, de, fr, es, pt, ja };
