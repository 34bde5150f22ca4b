import Box from '@cloudscape-design/components/box';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ConsoleFacts, consoleSteps } from '../model/console-steps.ts';
import { CopyBlock } from './copy.tsx';

/** What to do in Google's console, step by step, with the values to paste there. */
export function ConsoleGuide({ facts }: { facts: ConsoleFacts }) {
  return (
    <ol className="steps">
      {consoleSteps(facts).map(({ title, detail, href, copy }) => (
        <li key={title}>
          <SpaceBetween size="xxs">
            <Box variant="strong">
              {href === undefined ? (
                title
              ) : (
                <Link external externalIconAriaLabel="Opens in a new tab" href={href}>
                  {title}
                </Link>
              )}
            </Box>
            <Box color="text-body-secondary">{detail}</Box>
            {copy !== undefined && <CopyBlock text={copy} what={title} />}
          </SpaceBetween>
        </li>
      ))}
    </ol>
  );
}
