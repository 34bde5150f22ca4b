import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ConnectionRef, Provider, TriedCall } from '../../gateway/library.ts';
import { snippets } from '../../model/snippets.ts';
import { prettyBody, tryTargetProblem } from '../../model/try-call.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { CopyBlock } from '../../ui/copy.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { ReferenceLink } from '../../ui/reference-link.tsx';
import { Status } from '../../ui/status.tsx';

/** A GET at the provider as the connection's user, with the answer made readable. */
export function TryPanel({ connectionRef, provider }: { connectionRef: ConnectionRef; provider: Provider }) {
  const gateway = useGateway();
  const presets = provider.sampleCalls;
  const [target, setTarget] = useState(presets[0]?.target ?? '/');
  const [answer, setAnswer] = useState<TriedCall | undefined>(undefined);
  const [isChecked, setChecked] = useState(false);
  const problem = tryTargetProblem(target);
  const send = useAction(async () => {
    setAnswer(undefined);
    setAnswer(await gateway.connections.try(connectionRef, target));
  });
  const submit = (): void => {
    setChecked(true);
    if (problem === undefined) void send.run();
  };
  return (
    <Container>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <SpaceBetween size="m">
          <SpaceBetween direction="horizontal" size="xs">
            {presets.map((preset) => (
              <Button
                key={preset.target}
                formAction="none"
                variant="inline-link"
                onClick={() => setTarget(preset.target)}
              >
                {preset.label}
              </Button>
            ))}
          </SpaceBetween>
          <FormField
            stretch
            label="GET"
            description="Path and query at the provider. Only GET requests can be tried here."
            errorText={isChecked ? problem : undefined}
            secondaryControl={<ActionButton loading={send.isRunning}>Send</ActionButton>}
          >
            <Input value={target} spellcheck={false} onChange={({ detail }) => setTarget(detail.value)} />
          </FormField>
          <ErrorPanel error={send.error} />
          <div aria-live="polite">
            {answer !== undefined && <Answer answer={answer} from={provider.server.displayName} />}
          </div>
          {problem === undefined && (
            <ExpandableSection headerText="The same call from your backend">
              <Tabs
                ariaLabel="Languages"
                tabs={snippets({
                  baseUrl: gateway.baseUrl,
                  proxyUrl: gateway.proxyUrl,
                  integrationId: connectionRef.providerConfigKey,
                  connectionId: connectionRef.connectionId,
                  firstCall: target,
                }).map(({ id, label, code }) => ({
                  id,
                  label,
                  content: <CopyBlock text={code} what={`this call in ${label}`} />,
                }))}
              />
            </ExpandableSection>
          )}
          <ReferenceLink connectionRef={connectionRef} />
        </SpaceBetween>
      </form>
    </Container>
  );
}

function Answer({ answer, from }: { answer: TriedCall; from: string }) {
  const isGood = answer.status >= 200 && answer.status < 300;
  return (
    <SpaceBetween size="xs">
      <SpaceBetween direction="horizontal" size="m">
        <Status type={isGood ? 'success' : 'error'}>
          {from} answered {answer.status}
        </Status>
        <Box color="text-body-secondary">
          {answer.contentType} {answer.durationMs} ms
        </Box>
      </SpaceBetween>
      {answer.truncated && <Box>The answer is longer; only its beginning is shown.</Box>}
      <CopyBlock what="answer" text={prettyBody(answer.body)} />
    </SpaceBetween>
  );
}
