import { createContext, type ReactNode, useContext } from 'react';
import type { FirstSteps } from '../data/first-steps.ts';
import type { Outages } from '../data/outages.ts';
import { deployed, hasFeature } from '../model/features.ts';
import type { Session } from '../session/session.ts';
import type { Gateway } from './gateway.ts';

/** Dependencies of every page. */
export interface Workplace {
  readonly gateway: Gateway;
  readonly session: Session;
  readonly firstSteps: FirstSteps;
  readonly outages: Outages;
  /** Features that the deployment leaves out. */
  readonly without: ReadonlySet<string>;
}

const WorkplaceContext = createContext<Workplace | undefined>(undefined);

/** Gives the pages below their gateway and sign-in. */
export function WorkplaceProvider({ value, children }: { value: Workplace; children: ReactNode }) {
  return <WorkplaceContext value={value}>{children}</WorkplaceContext>;
}

/** The gateway and sign-in of this page. @throws Error outside of a `WorkplaceProvider` */
export function useWorkplace(): Workplace {
  const value = useContext(WorkplaceContext);
  if (value === undefined) throw new Error('A page was rendered outside the dashboard.');
  return value;
}

/** Only the gateway. @throws Error outside a `WorkplaceProvider` */
export function useGateway(): Gateway {
  return useWorkplace().gateway;
}

/** Whether the deployment has a feature. @throws Error outside a `WorkplaceProvider` */
export function useFeature(feature: string): boolean {
  return hasFeature(feature, useWorkplace().without);
}

/** The parts of the features that the deployment has. @throws Error outside a `WorkplaceProvider` */
export function useParts<Part>(parts: Readonly<Record<string, Part>>): readonly Part[] {
  return deployed(parts, useWorkplace().without);
}
