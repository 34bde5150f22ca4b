import type { Outcome, StackEvent } from './event.ts';
import type { Compared, Declaring, Kind } from './ports.ts';

/** A kind of resource, as requests of CloudFormation use it. */
export interface Run {
  perform(declaring: Declaring, event: StackEvent): Promise<Outcome>;
  /** @throws DeclarationError */
  compare(
    declaring: Declaring,
    properties: Readonly<Record<string, unknown>>,
    physicalId: string,
  ): Promise<Compared | undefined>;
}

/** A kind that a feature declares. */
export interface DeclaredKind {
  /** As templates name it. */
  readonly type: string;
  readonly run: Run;
}

export function runner<Properties>(kind: Kind<Properties>): Run {
  const perform: Run['perform'] = async (declaring, event) => {
    if (event.RequestType === 'Delete') {
      await kind.remove(declaring, event.PhysicalResourceId, event.ResourceProperties);
      return { status: 'SUCCESS', physicalId: event.PhysicalResourceId, attributes: {} };
    }
    const wanted = kind.read(event.ResourceProperties);
    const { physicalId, attributes } =
      event.RequestType === 'Create'
        ? await kind.create(declaring, wanted)
        : await kind.update(declaring, wanted, event.PhysicalResourceId, event.OldResourceProperties);
    return { status: 'SUCCESS', physicalId, attributes };
  };
  return {
    perform,
    compare: (declaring, properties, physicalId) => kind.compare(declaring, kind.read(properties), physicalId),
  };
}
