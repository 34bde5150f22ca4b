import type { ComponentType, ReactNode } from 'react';
import type { Gateway } from '../gateway/gateway.ts';
import type { Attention, AuditEvent, ConnectionRef, Readiness, SecretKey } from '../gateway/library.ts';

/** A page in the navigation. */
export interface NavigationEntry {
  readonly path: string;
  readonly name: string;
  /** Paths of pages that belong to it and do not lie below its own. */
  readonly also?: readonly string[];
  /** The page is there as long as the deployment has one of these. */
  readonly features?: readonly string[];
}

/** A button and where it leads. */
export interface AttentionButton {
  readonly label: string;
  readonly href: string;
}

/** A page of a feature. */
export interface FeaturePage {
  readonly path: string;
  /** Whether another address with this path begins the page again. */
  readonly startsAgain?: true;
  /** Path of the navigation's entry that is lit on it, where it does not lie below that. */
  readonly entry?: string;
  /** Features of which one is enough for the page. @default its own */
  readonly features?: readonly string[];
}

/** An entry of a feature in the navigation: last in a section, or before another entry. */
export interface FeatureEntry extends NavigationEntry {
  readonly section: string;
  readonly before?: string;
}

/** What a feature adds to the frame, as plain data. */
export interface DashboardFeature {
  readonly pages?: readonly FeaturePage[];
  readonly entries?: readonly FeatureEntry[];
}

/** Pages of a feature by their paths, each loaded lazily: the list is part of every start. */
export type Pages = Readonly<Record<string, ComponentType>>;

/** What stands behind the names of entries in the navigation, by their paths. */
export type EntryCounts = Readonly<Record<string, ComponentType>>;

/** Buttons of a feature's problems in the overview, by their kinds. */
export type AttentionButtons = Readonly<Record<string, (of: Attention) => AttentionButton>>;

/** A tab of a connection's page. */
export interface ConnectionTab {
  readonly id: string;
  readonly label: string;
  /** Id of the tab that it stands before. */
  readonly before: string;
  readonly Panel: ComponentType<{ readonly connectionRef: ConnectionRef }>;
}

/** A tab of a key's page, behind the others. */
export interface KeyTab {
  readonly id: string;
  readonly label: string;
  readonly Panel: ComponentType<{ readonly keyId: string }>;
}

/** Something to do with a key: a button on its page, and a column of the agents' keys. */
export interface KeyAction {
  readonly id: string;
  readonly label: string;
  readonly column: { readonly header: string; readonly label: string; readonly otherwise: string };
  /** What the button of a column does, for screen readers. */
  readonly ariaLabel: (key: SecretKey) => string;
  readonly isFor: (key: SecretKey) => boolean;
  readonly Dialog: ComponentType<{ readonly secretKey: SecretKey; readonly onClose: () => void }>;
}

/** A kind of key that is made in a dialog of its own. */
export interface NewKey {
  readonly label: string;
  readonly Dialog: ComponentType<{ readonly onClose: () => void }>;
}

/** A link below the title of the integrations. */
export interface IntegrationsLink {
  readonly label: string;
  readonly href: string;
}

/** A note about going live; it draws nothing where it has nothing to note. */
export type ReadinessNote = ComponentType<{ readonly readiness: Readiness }>;

/** What events are about that only a feature has. */
export interface AuditSubject {
  /** Member of such an event, which has the id. */
  readonly member: keyof AuditEvent['data'];
  /** Loads the names once for all rows. */
  readonly Names: ComponentType<{ readonly children: ReactNode }>;
  readonly Subject: ComponentType<{ readonly id: string }>;
}

/** A search of a feature, for texts that are found nowhere else. */
export interface FurtherSearch {
  readonly isFor: (text: string) => boolean;
  readonly find: (gateway: Gateway, text: string, signal: AbortSignal) => Promise<FurtherHit | undefined>;
}

/** What it finds. */
export interface FurtherHit {
  /** The result in a few words. */
  readonly summary: string;
  readonly href: string;
  readonly kind: string;
  readonly detail: string;
}
