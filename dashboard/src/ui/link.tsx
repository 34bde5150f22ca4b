import CloudscapeLink, { type LinkProps } from '@cloudscape-design/components/link';
import { useNavigate } from 'react-router';

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

/** Address of a webhook's page. */
export function webhookHref(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`;
}

/** Address of an integration's page. */
export function integrationHref(uniqueKey: string): string {
  return `/integrations/${encodeURIComponent(uniqueKey)}`;
}
