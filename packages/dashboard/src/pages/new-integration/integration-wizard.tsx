import SpaceBetween from '@cloudscape-design/components/space-between';
import Wizard from '@cloudscape-design/components/wizard';
import { type KeyboardEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../../data/use-action.ts';
import { useStepInHistory } from '../../data/use-step-in-history.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { suggestIntegrationId } from '../../model/integration-id.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { integrationHref } from '../../ui/link.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { ScopePicker } from '../../ui/scope-picker.tsx';
import { ConsoleStep } from './console-step.tsx';
import {
  appFacts,
  CONSOLE_STEP,
  clientProblems,
  type Draft,
  type DraftProblems,
  firstDraft,
  type GatewayFacts,
  newIntegration,
  problemsOfStep,
  refusedFields,
} from './draft.ts';
import { ProviderStep } from './provider-step.tsx';
import { ReviewStep } from './review-step.tsx';

/** The wizard that makes an integration. */
export function IntegrationWizard({ gatewayFacts }: { gatewayFacts: GatewayFacts }) {
  const { providers, taken, tryable } = gatewayFacts;
  const gateway = useGateway();
  const navigate = useNavigate();
  const notices = useNotices();
  const [step, setStep] = useStepInHistory();
  const [isChecked, setChecked] = useState(false);
  const [draft, setDraft] = useState(() =>
    firstDraft(providers[0], suggestIntegrationId(providers[0]?.name ?? '', taken), tryable),
  );
  /** What the gateway or the provider refused, until the field changes. */
  const [refused, setRefused] = useState<DraftProblems>({});
  /** The client that the provider was asked about last. */
  const [asked, setAsked] = useState<string | undefined>(undefined);
  const update = (change: Partial<Draft>): void => {
    setDraft((before) => ({ ...before, ...change }));
    setRefused((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !Object.hasOwn(change, field))),
    );
  };
  const problems = { ...refused, ...(isChecked ? problemsOfStep(draft, step, taken) : {}) };
  const provider = providers.find(({ name }) => name === draft.provider);
  const catalogue = provider?.scopes ?? [];
  const server = provider?.server.displayName ?? 'the provider';

  const create = useAction(async () => {
    try {
      const made = await gateway.integrations.create(newIntegration(draft));
      notices.success(`Created ${made.displayName}.`);
      navigate(integrationHref(made.uniqueKey));
    } catch (error) {
      const found = refusedFields(error);
      if (found === undefined) throw error;
      setRefused(found.problems);
      setStep(found.step);
    }
  });
  const client = JSON.stringify([draft.provider, draft.clientId.trim(), draft.clientSecret.trim()]);
  const check = useAction(async () => {
    const credentials = { clientId: draft.clientId.trim(), clientSecret: draft.clientSecret.trim() };
    const found = await gateway.providers.checkClient(draft.provider, credentials).then(
      (checked) => {
        if (checked.verdict === 'unreachable') notices.warning(checked.message);
        return clientProblems(checked);
      },
      (error: unknown) => {
        const refusal = refusedFields(error);
        if (refusal === undefined) throw error;
        return refusal.problems;
      },
    );
    setRefused(found);
    if (Object.keys(found).length > 0) {
      setStep(CONSOLE_STEP);
      return;
    }
    setAsked(client);
    setStep(CONSOLE_STEP + 1);
  });
  const goTo = (wanted: number): void => {
    const isStuck = wanted > step && Object.keys(problemsOfStep(draft, step, taken)).length > 0;
    setChecked(isStuck);
    create.clear();
    check.clear();
    if (isStuck) return;
    // Found in the step where it is typed, and not by the first user who connects.
    if (wanted > CONSOLE_STEP && draft.source === 'own' && asked !== client) void check.run();
    else setStep(wanted);
  };

  /** Enter in a field leads to the next step, as it submits dialogs. */
  const goOn = (event: KeyboardEvent<HTMLDivElement>): void => {
    const isTyped = event.target instanceof HTMLInputElement && !event.nativeEvent.isComposing;
    if (event.key !== 'Enter' || !isTyped || create.isRunning || check.isRunning) return;
    event.preventDefault();
    goTo(step + 1);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: The keys are those of the fields inside.
    <div onKeyDown={goOn}>
      <Wizard
        activeStepIndex={step}
        onNavigate={({ detail }) => goTo(detail.requestedStepIndex)}
        onCancel={() => navigate('/integrations')}
        onSubmit={() => void create.run()}
        isLoadingNextStep={create.isRunning || check.isRunning}
        submitButtonText="Create the integration"
        i18nStrings={{ navigationAriaLabel: 'Steps' }}
        steps={[
          {
            title: 'Provider and credentials',
            content: <ProviderStep draft={draft} problems={problems} gatewayFacts={gatewayFacts} onChange={update} />,
          },
          {
            title: 'Scopes',
            description:
              provider?.server.hasTestingMode === false
                ? 'Request only the scopes that your app needs.'
                : `Request only the scopes that your app needs: they decide how strictly ${server} reviews the app.`,
            content: (
              <ScopePicker
                catalogue={catalogue}
                chosen={draft.scopes}
                app={appFacts(draft)}
                onChange={(scopes) => update({ scopes })}
              />
            ),
            ...(problems.scopes === undefined ? {} : { errorText: problems.scopes }),
          },
          {
            title: `At ${server}`,
            content:
              provider === undefined ? null : (
                <SpaceBetween size="m">
                  <ErrorPanel error={check.error} />
                  <ConsoleStep draft={draft} problems={problems} provider={provider} onChange={update} />
                </SpaceBetween>
              ),
          },
          {
            title: 'Review',
            content: (
              <SpaceBetween size="m">
                <ErrorPanel error={create.error} />
                <ReviewStep draft={draft} catalogue={catalogue} />
              </SpaceBetween>
            ),
          },
        ]}
      />
    </div>
  );
}
