import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useLoad } from '../data/use-load.ts';
import { FURTHER_SEARCHES } from '../features/further-searches.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { useGateway, useParts } from '../gateway/gateway-context.tsx';
import type { ConnectionSummary, Findings, LoggedCall } from '../gateway/library.ts';
import { probableCauseLabel } from '../model/causes.ts';
import type { FurtherHit, FurtherSearch } from '../model/feature-slots.ts';
import { detailsOf, titleOf } from '../model/person.ts';
import { Breakable } from './breakable.tsx';
import { ReconnectLinksDialog } from './connect/reconnect-links-dialog.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { auditHref, connectionHref, integrationHref, keyHref } from './link.tsx';

/** Asked after a pause in typing, so that not every letter is a search. */
const TYPING_PAUSE_MS = 200;
/** Ids of requests, as error answers print them. */
const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Finds people, integrations, keys and calls by any part of what they are called; arrows and Enter do all of it. */
export default function SearchDialog({
  takeEarly,
  onClose,
}: {
  /** What was typed while the dialog was being fetched; the keys after it go to the field. */
  takeEarly: () => string;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  /** Text that Enter was pressed on: its first hit is to open when it is there. */
  const [entered, setEntered] = useState<string | undefined>(undefined);
  const [mending, setMending] = useState<ConnectionSummary | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is there.
  useEffect(() => {
    dialog.current?.showModal();
    setTyped(takeEarly());
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  if (mending !== undefined) return <ReconnectLinksDialog refs={[mending]} isAtOnce onClose={onClose} />;
  return (
    <dialog
      ref={dialog}
      className="search-dialog"
      aria-label="Search"
      onClose={onClose}
      onKeyDown={moveFocus}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <input
        type="search"
        className="search-input"
        aria-label="Search users, integrations and keys"
        placeholder="Name, e-mail, id, organization, tag, request, file or event id"
        value={typed}
        maxLength={255}
        autoFocus
        data-hit
        onChange={(event) => {
          setEntered(undefined);
          setTyped(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing || typed.trim() === '') return;
          event.preventDefault();
          // What is typed need not have been searched for yet.
          setText(typed.trim());
          setEntered(typed.trim());
        }}
      />
      {text !== '' && <Hits key={text} text={text} onClose={onClose} onMend={setMending} entered={entered === text} />}
    </dialog>
  );
}

function Hits({
  text,
  onClose,
  onMend,
  entered,
}: {
  text: string;
  onClose: () => void;
  onMend: (connection: ConnectionSummary) => void;
  entered: boolean;
}) {
  const gateway = useGateway();
  const further = useParts(FURTHER_SEARCHES);
  const { load, reload } = useLoad(text, (signal) => searched(gateway, text, signal, further));
  const list = useRef<HTMLDivElement>(null);
  const isHit =
    load.kind === 'ready' &&
    (load.value.call !== undefined || load.value.hit !== undefined || !isNothing(load.value.found));
  useEffect(() => {
    if (entered && isHit) list.current?.querySelector<HTMLAnchorElement>('a[data-hit]')?.click();
  }, [entered, isHit]);
  if (load.kind === 'failed') return <ErrorPanel error={load.error} onRetry={reload} />;
  if (load.kind === 'loading') return <p role="status">Searching…</p>;
  const { call, hit, found } = load.value;
  const { connections, integrations, keys } = found;
  return (
    <div ref={list}>
      <p role="status" className="soft">
        {call !== undefined ? 'One call' : (hit?.summary ?? counted(found))}
      </p>
      <ul className="hits">
        {call !== undefined && (
          <Hit
            href={`${connectionHref(call)}?tab=calls&request=${encodeURIComponent(call.requestId)}`}
            kind="Request"
            title={call.requestId}
            details={[`${call.method} ${call.path}`, String(call.status), call.providerConfigKey]}
            onClose={onClose}
          />
        )}
        {connections.map((one) => (
          <Hit
            key={connectionHref(one)}
            href={connectionHref(one)}
            kind={one.providerConfigKey}
            title={titleOf(one)}
            details={[...detailsOf(one), one.status === 'active' ? 'Active' : stateOf(one), one.connectionId]}
            onClose={onClose}
          >
            {one.status !== 'active' && (
              <button type="button" className="hit-action" data-hit onClick={() => onMend(one)}>
                Reconnect link<span className="visually-hidden"> for {titleOf(one)}</span>
              </button>
            )}
          </Hit>
        ))}
        {integrations.map((one) => (
          <Hit
            key={one.uniqueKey}
            href={integrationHref(one.uniqueKey)}
            kind="Integration"
            title={one.displayName}
            details={[one.uniqueKey]}
            onClose={onClose}
          />
        ))}
        {keys.map((one) => (
          <Hit
            key={one.id}
            href={keyHref(one.id)}
            kind="Secret key"
            title={one.name}
            details={[one.revokedAt === undefined ? one.right : 'revoked']}
            onClose={onClose}
          />
        ))}
        {hit !== undefined && (
          <Hit href={hit.href} kind={hit.kind} title={text} details={[hit.detail]} onClose={onClose} />
        )}
        {call === undefined && hit === undefined && isNothing(found) && (
          <Hit
            href={auditHref(text)}
            kind="Audit"
            title="Look for it in the audit trail"
            details={[DELETED]}
            onClose={onClose}
          />
        )}
        {found.total > connections.length && (
          <Hit
            href={`/connections?search=${encodeURIComponent(text)}`}
            kind="List"
            title="All connections that match"
            onClose={onClose}
          />
        )}
      </ul>
    </div>
  );
}

interface Searched {
  /** The logged call of a request id. */
  readonly call: LoggedCall | undefined;
  /** What a feature found. */
  readonly hit: FurtherHit | undefined;
  readonly found: Findings;
}

/** Looks a request id up among calls, too, and lets features search for what is found nowhere else; a request that is not logged is no failure. */
async function searched(
  gateway: Gateway,
  text: string,
  signal: AbortSignal,
  further: readonly FurtherSearch[],
): Promise<Searched> {
  const [call, found] = await Promise.all([
    REQUEST_ID.test(text) ? gateway.calls.get(text, { signal }).catch(() => undefined) : undefined,
    gateway.connections.search(text, { signal }),
  ]);
  const isElsewhere = call === undefined && isNothing(found);
  const hits = await Promise.all(
    further.map(({ isFor, find }) => (isElsewhere && isFor(text) ? find(gateway, text, signal) : undefined)),
  );
  return { call, hit: hits.find((one) => one !== undefined), found };
}

function Hit({
  href,
  kind,
  title,
  details = [],
  onClose,
  children,
}: {
  href: string;
  kind: string;
  title: string;
  details?: readonly string[];
  onClose: () => void;
  children?: ReactNode;
}) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent): void => {
    // Other clicks are the browser's: a new tab, a new window.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onClose();
    navigate(href);
  };
  return (
    <li className="hit">
      <a href={href} data-hit onClick={follow}>
        <b>
          <Breakable text={title} />
        </b>{' '}
        <span className="soft">{kind}</span>
        {details.length > 0 && (
          <span className="soft hit-details">
            <Breakable text={details.join(' · ')} />
          </span>
        )}
      </a>
      {children}
    </li>
  );
}

function stateOf({ cause }: ConnectionSummary): string {
  return cause === undefined ? 'Needs a new authorization' : probableCauseLabel(cause);
}

const DELETED = 'What was deleted is there by its id, or by the id of its end user';

function isNothing({ total, integrations, keys }: Findings): boolean {
  return total + integrations.length + keys.length === 0;
}

function counted(found: Findings): string {
  const { total, totalIsComplete, integrations, keys } = found;
  const others = integrations.length + keys.length;
  if (isNothing(found)) return 'No match.';
  const connections = `${total.toLocaleString('en')}${totalIsComplete ? '' : ' or more'} ${total === 1 ? 'connection' : 'connections'}`;
  return others === 0 ? connections : `${connections}, ${others} integrations and keys`;
}

/** The arrows go from hit to hit, and back to the text. */
function moveFocus(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const hits = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-hit]')];
  const at = hits.findIndex((hit) => hit.matches(':focus'));
  const next = hits[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
