import type { AttentionButtons } from '../../model/feature-slots.ts';

export const attention: AttentionButtons = { feed: () => ({ label: 'Show the feeds', href: '/feeds' }) };
