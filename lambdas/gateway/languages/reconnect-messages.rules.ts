import { fill, LANGUAGES, type Language } from './language.rules.ts';

interface ReconnectMessageText {
  readonly subject: string;
  readonly greeting: string;
  /** For people whose name is not known. */
  readonly greetingUnnamed: string;
  readonly text: string;
}

/**
 * The default message to an end user whose connection needs a new authorization. Separate from the texts of pages, because the function
 * that fills it in does not read those files.
 */
export const RECONNECT_MESSAGES: Readonly<Record<Language, ReconnectMessageText>> = {
  en: {
    subject: 'Please reconnect {integration}',
    greeting: 'Hello {name},',
    greetingUnnamed: 'Hello,',
    text: 'Our access to {integration} has ended. To allow it again, please open this link:\n{link}\n\nIt works once, until {expires}.',
  },
  de: {
    subject: 'Bitte verbinden Sie {integration} noch einmal',
    greeting: 'Guten Tag {name},',
    greetingUnnamed: 'Guten Tag,',
    text: 'unser Zugriff auf {integration} ist beendet. Um ihn wieder zu erlauben, öffnen Sie bitte diesen Link:\n{link}\n\nEr funktioniert einmal, bis zum {expires}.',
  },
  fr: {
    subject: 'Merci de reconnecter {integration}',
    greeting: 'Bonjour {name},',
    greetingUnnamed: 'Bonjour,',
    text: 'Notre accès à {integration} a pris fin. Pour l’autoriser de nouveau, veuillez ouvrir ce lien :\n{link}\n\nIl ne fonctionne qu’une fois, jusqu’au {expires}.',
  },
  es: {
    subject: 'Vuelve a conectar {integration}',
    greeting: 'Hola, {name}:',
    greetingUnnamed: 'Hola:',
    text: 'Nuestro acceso a {integration} ha terminado. Para volver a permitirlo, abre este enlace:\n{link}\n\nFunciona una sola vez, hasta el {expires}.',
  },
  pt: {
    subject: 'Conecte {integration} de novo',
    greeting: 'Olá, {name}!',
    greetingUnnamed: 'Olá!',
    text: 'Nosso acesso a {integration} terminou. Para permiti-lo de novo, abra este link:\n{link}\n\nEle funciona uma única vez, até {expires}.',
  },
  ja: {
    subject: '{integration} の再接続のお願い',
    greeting: '{name} 様',
    greetingUnnamed: 'お世話になっております。',
    text: '{integration} へのアクセスの許可が終了しました。もう一度許可していただくには、次のリンクを開いてください。\n{link}\n\nこのリンクは {expires} まで、一度だけ使用できます。',
  },
};

/** Names in a message. */
export interface ReconnectMessageWords {
  /** Undefined where unknown. */
  readonly name: string | undefined;
  readonly integration: string;
  readonly link: string;
  readonly expiresAtMs: number;
}

/** The gateway's own message to an end user whose connection needs a new authorization, in their language. */
export function reconnectMessage(
  language: Language,
  { name, expiresAtMs, ...words }: ReconnectMessageWords,
): { readonly subject: string; readonly text: string } {
  const { subject, greeting, greetingUnnamed, text } = RECONNECT_MESSAGES[language];
  const hello = name === undefined ? greetingUnnamed : fill(greeting, { name });
  return {
    subject: fill(subject, words),
    text: `${hello}\n\n${fill(text, { ...words, expires: timeIn(language, expiresAtMs) })}`,
  };
}

/** A moment in this language's format, to the minute, marked as UTC. */
function timeIn(language: Language, atMs: number): string {
  return new Intl.DateTimeFormat(LANGUAGES[language].lang, {
    ...({ year: 'numeric', month: 'long', day: 'numeric' } as const),
    ...({ hour: 'numeric', minute: '2-digit', timeZone: 'UTC', timeZoneName: 'short' } as const),
  }).format(atMs);
}
