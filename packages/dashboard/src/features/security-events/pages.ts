import { lazyPart } from '../../data/lazy-part.ts';
import type { Pages } from '../../model/feature-slots.ts';

export const pages: Pages = { '/security-events': lazyPart(() => import('./security-events-page.tsx')) };
