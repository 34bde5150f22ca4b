import { type ApiName, METHODS, type MethodRule } from './method-table.ts';

/** How media travels with a call. */
export type UploadPath = 'none' | 'simple' | 'resumable';

/** The parts of a raw path: which API, which upload prefix, and the decoded segments after the service path. */
export interface ApiPath {
  api: ApiName;
  upload: UploadPath;
  /** Under `/download/`, where Google's Java and Objective-C clients fetch media. */
  isDownload: boolean;
  segments: string[];
}

const DOWNLOAD_PREFIX = '/download/drive/v3/';
const PREFIXES: readonly [prefix: string, api: ApiName, upload: UploadPath][] = [
  [DOWNLOAD_PREFIX, 'drive', 'none'],
  ['/resumable/upload/drive/v3/', 'drive', 'resumable'],
  ['/upload/drive/v3/', 'drive', 'simple'],
  ['/drive/v3/', 'drive', 'none'],
  ['/calendar/v3/', 'calendar', 'none'],
];

/** Splits a raw path; `undefined` when it is under no API or not decodable. A `%2F` stays inside its segment. */
export function parseApiPath(path: string): ApiPath | undefined {
  const found = PREFIXES.find(([prefix]) => path.startsWith(prefix));
  if (found === undefined) return undefined;
  const [prefix, api, upload] = found;
  try {
    return {
      api,
      upload,
      isDownload: prefix === DOWNLOAD_PREFIX,
      segments: path.slice(prefix.length).split('/').map(decodeURIComponent),
    };
  } catch {
    return undefined;
  }
}

/** A method with the path parameters of a call. */
export interface MatchedMethod {
  rule: MethodRule;
  pathParameters: Record<string, string>;
}

const TEMPLATE_SEGMENT = /^(?:\{(?<name>\w+)\})?(?<literal>.*)$/;

interface Template {
  rule: MethodRule;
  segments: { name: string | undefined; literal: string }[];
}

function compile(rule: MethodRule): Template {
  const segments = rule.path.split('/').map((segment) => {
    const groups = TEMPLATE_SEGMENT.exec(segment)?.groups;
    return { name: groups?.name, literal: groups?.literal ?? '' };
  });
  return { rule, segments };
}

/** Literal text first, so that `files/trash` is not taken for a file id and `{id}:resolve` not for `{id}`. */
function rank(template: Template): string {
  return template.segments.map(({ name, literal }) => (name === undefined ? '0' : literal === '' ? '2' : '1')).join('');
}

const TEMPLATES: Record<ApiName, Template[]> = {
  drive: METHODS.drive.map(compile).sort((a, b) => rank(a).localeCompare(rank(b))),
  calendar: METHODS.calendar.map(compile).sort((a, b) => rank(a).localeCompare(rank(b))),
};

function matchSegments(template: Template, segments: readonly string[]): Record<string, string> | undefined {
  if (template.segments.length !== segments.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, { name, literal }] of template.segments.entries()) {
    const segment = segments[index] ?? '';
    if (name === undefined) {
      if (segment !== literal) return undefined;
    } else {
      const value = segment.slice(0, segment.length - literal.length);
      if (value === '' || !segment.endsWith(literal)) return undefined;
      values[name] = value;
    }
  }
  return values;
}

/** Finds the method of a call; `undefined` when the API has none for this verb and path. */
export function matchMethod(verb: string, path: ApiPath): MatchedMethod | undefined {
  for (const template of TEMPLATES[path.api]) {
    if (template.rule.verb !== verb || (path.upload !== 'none' && !template.rule.allowsUpload)) continue;
    if (path.isDownload && !template.rule.allowsMedia) continue;
    const pathParameters = matchSegments(template, path.segments);
    if (pathParameters !== undefined) return { rule: template.rule, pathParameters };
  }
  return undefined;
}
