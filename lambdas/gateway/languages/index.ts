import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import type { Language, Texts } from './language.rules.ts';
import { pt } from './pt.ts';

/** All texts in all languages, for the build, which writes them to files; functions read those (`readTexts`). */
export const TEXTS: Readonly<Record<Language, Texts>> = { en, de, fr, es, pt, ja };
