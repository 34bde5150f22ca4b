/** Address of a webhook's page. */
export function webhookHref(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`;
}
