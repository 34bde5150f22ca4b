import { createContext, type ReactNode, useContext } from 'react';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Webhook } from '../../gateway/library.ts';
import type { AuditSubject } from '../../model/feature-slots.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { auditHref, PageLink } from '../../ui/link.tsx';
import { webhookHref } from './webhook-href.ts';

/** Undefined until they are there. */
const Known = createContext<readonly Webhook[] | undefined>(undefined);

function Names({ children }: { children: ReactNode }) {
  const gateway = useGateway();
  const { load } = useLoad('names of webhooks', (signal) => gateway.webhooks.list({ signal }));
  return <Known value={load.kind === 'ready' ? load.value : undefined}>{children}</Known>;
}

/** A webhook by its description, or by the host that it sends to; one that was deleted by what is on record of it. */
function Subject({ id }: { id: string }) {
  const webhooks = useContext(Known);
  if (webhooks === undefined) return <span>A webhook</span>;
  const webhook = webhooks.find((one) => one.id === id);
  return webhook === undefined ? (
    <PageLink href={auditHref(id)}>A deleted webhook</PageLink>
  ) : (
    <PageLink href={webhookHref(id)}>
      <Breakable text={webhook.description ?? new URL(webhook.url).host} />
    </PageLink>
  );
}

export const auditSubject: AuditSubject = { member: 'webhook_id', Names, Subject };
