import { lazyPart } from '../../data/lazy-part.ts';
import type { Pages } from '../../model/feature-slots.ts';

export const pages: Pages = { '/feeds': lazyPart(() => import('./feeds-page.tsx')) };
