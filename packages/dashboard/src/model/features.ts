import { FEATURE_IDS } from '../features/ids.ts';

/** Whether the gateway has a feature. @param without features that the deployment leaves out */
export function hasFeature(feature: string, without: ReadonlySet<string>): boolean {
  return FEATURE_IDS.includes(feature) && !without.has(feature);
}

/** Whether a page has something to show: it needs one of its features, or none. @param without features that are left out */
export function isDeployed(features: readonly string[] | undefined, without: ReadonlySet<string>): boolean {
  return features === undefined || features.some((one) => hasFeature(one, without));
}

/** Those of the parts of features that a deployment has, by the ids of their features. */
export function deployed<Part>(parts: Readonly<Record<string, Part>>, without: ReadonlySet<string>): readonly Part[] {
  return Object.entries(parts).flatMap(([id, part]) => (without.has(id) ? [] : [part]));
}

/** Inserts an item before another one, or last. @param isOther finds the other one */
export function inserted<Item>(all: readonly Item[], item: Item, isOther: (one: Item) => boolean): readonly Item[] {
  const at = all.findIndex(isOther);
  return at < 0 ? [...all, item] : all.toSpliced(at, 0, item);
}

/** What the overview shows where no row is. @param without features that are left out */
export function nothingNeedsYou(without: ReadonlySet<string>): string {
  const isThere = (feature: string) => hasFeature(feature, without);
  const [first, second] = [['webhooks', 'feeds'].filter(isThere), ['approvals'].filter(isThere)];
  const watched = ['clients', 'connections', ...first, 'quotas', ...second];
  return `Nothing needs you: ${listed([...watched, 'keys'])} are well.`;
}

/** Uses of Google's quotas by the gateway itself. @param without features that are left out */
export function ownUses(without: ReadonlySet<string>): readonly string[] {
  return hasFeature('feeds', without) ? ['feeds', 'checks'] : ['checks'];
}

/** Names as a list in a sentence. */
export function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');
}
