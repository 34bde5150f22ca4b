import { lazyPart } from '../../data/lazy-part.ts';
import type { Pages } from '../../model/feature-slots.ts';

export const pages: Pages = {
  '/webhooks': lazyPart(() => import('./webhooks-page.tsx')),
  '/webhooks/:webhookId': lazyPart(() => import('./webhook-page.tsx')),
};
