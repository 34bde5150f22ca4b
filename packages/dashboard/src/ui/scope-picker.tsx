import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Checkbox from '@cloudscape-design/components/checkbox';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReviewedScope } from '../gateway/library.ts';
import { type AppFacts, scopeNotices, shortScope } from '../model/scopes.ts';
import { ClassBadge } from './scope-list.tsx';

/** Chooses scopes: each with its meaning and review class, and what the choice will need, as it is made. */
export function ScopePicker({
  catalogue,
  chosen,
  app,
  asksUsers = true,
  onChange,
}: {
  catalogue: readonly ReviewedScope[];
  chosen: readonly string[];
  app: AppFacts;
  /** Users consent to them; a service account has them listed by an administrator. */
  asksUsers?: boolean;
  onChange: (chosen: readonly string[]) => void;
}) {
  const toggle = (scope: string, isOn: boolean): void =>
    onChange(isOn ? [...chosen, scope] : chosen.filter((one) => one !== scope));
  return (
    <SpaceBetween size="m">
      <div aria-live="polite">
        <SpaceBetween size="xs">
          {scopeNotices(chosen, catalogue, app).map(({ severity, text }) => (
            <Alert key={text} type={severity}>
              {text}
            </Alert>
          ))}
        </SpaceBetween>
      </div>
      <fieldset className="scopes">
        <legend>{asksUsers ? 'Scopes requested from users' : 'Scopes that administrators list'}</legend>
        <SpaceBetween size="s">
          {catalogue.map(({ scope, meaning, reviewClass }) => (
            <Checkbox
              key={scope}
              checked={chosen.includes(scope)}
              description={meaning}
              onChange={({ detail }) => toggle(scope, detail.checked)}
            >
              <span className="wrap">{shortScope(scope)}</span> <ClassBadge reviewClass={reviewClass} />
            </Checkbox>
          ))}
        </SpaceBetween>
      </fieldset>
      {asksUsers && (
        <Box color="text-body-secondary" fontSize="body-s">
          The gateway also requests openid and email, to distinguish accounts.
        </Box>
      )}
    </SpaceBetween>
  );
}
