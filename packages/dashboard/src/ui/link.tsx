import CloudscapeLink, { type LinkProps } from '@cloudscape-design/components/link';
import { useNavigate } from 'react-router';
import { shortKeyId } from '../data/use-key-names.ts';

/** A link to another page of the dashboard: a plain click stays in the app, every other kind is the browser's. */
export function PageLink({ href, ...rest }: LinkProps & { href: string }) {
  const navigate = useNavigate();
  return (
    <CloudscapeLink
      {...rest}
      href={href}
      onFollow={(event) => {
        if (event.detail.external === true) return;
        event.preventDefault();
        navigate(href);
      }}
    />
  );
}

/** Address of a connection's page. */
export function connectionHref(ref: { providerConfigKey: string; connectionId: string }): string {
  return `/connections/${encodeURIComponent(ref.providerConfigKey)}/${encodeURIComponent(ref.connectionId)}`;
}

/** Address of the list of connections that hold a text. */
export function searchHref(text: string): string {
  return `/connections?search=${encodeURIComponent(text)}`;
}

/** Address of the API reference with a connection's ids filled in. */
export function referenceHref(baseUrl: string, ref: { providerConfigKey: string; connectionId: string }): string {
  const ids = new URLSearchParams({ provider_config_key: ref.providerConfigKey, connection_id: ref.connectionId });
  return `${baseUrl}/docs?${ids}`;
}

/** Where the sections of Google's console are in which a to-do is done. */
export const GOOGLE_CONSOLE = 'https://console.cloud.google.com/auth';

/** Address of a secret key's page. @param id of the key, or its beginning */
export function keyHref(id: string): string {
  return `/keys/${encodeURIComponent(shortKeyId(id))}`;
}

/** Address of the page that erases an end user. @param endUserId in the integrator's system */
export function erasePersonHref(endUserId: string): string {
  return `/erase-person?end_user=${encodeURIComponent(endUserId)}`;
}

/** Address of an integration's page. */
export function integrationHref(uniqueKey: string): string {
  return `/integrations/${encodeURIComponent(uniqueKey)}`;
}

/** The part of an integration's page with the domains of its service account. */
export const DOMAINS_ANCHOR = 'domains';

export function domainsHref(uniqueKey: string): string {
  return `${integrationHref(uniqueKey)}#${DOMAINS_ANCHOR}`;
}

/** Address of what is on record of an object, which may be gone. @param id of an integration, connection, key or webhook */
export function auditHref(id: string): string {
  return `/audit?object=${encodeURIComponent(id)}`;
}
