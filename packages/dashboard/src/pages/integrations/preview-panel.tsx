import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import type { SelectProps } from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { LANGUAGES } from '../../model/languages.ts';
import { Choice } from '../../ui/choice.tsx';
import { CopyBlock } from '../../ui/copy.tsx';

const LOOKS = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies SelectProps.Option[];
const WIDTHS = [
  { value: 'phone', label: 'Phone' },
  { value: 'wide', label: 'Width of this page' },
] as const satisfies SelectProps.Option[];

const COMMANDS = `npm run deploy -- -c gateway:connectAppName='Example CRM' -c gateway:connectLogo=logo.svg \\
  -c 'gateway:connectAccent={"light": "#7b1fa2"}'
npm start -- --connect-app-name 'Example CRM' --connect-logo logo.svg --connect-accent '#7b1fa2'`;

/** The connect page as end users see it: the gateway's own, with a session of nobody. */
export function PreviewPanel() {
  const { baseUrl } = useGateway();
  const [isOpen, setOpen] = useState(false);
  const [language, setLanguage] = useState('en');
  const [look, setLook] = useState('light');
  const [width, setWidth] = useState('phone');
  return (
    <ExpandableSection
      variant="container"
      headerText="What end users see"
      headerDescription="The connect page with your name, logo and colour."
      expanded={isOpen}
      onChange={({ detail }) => setOpen(detail.expanded)}
    >
      {isOpen && (
        <SpaceBetween size="m">
          <div className="preview-choices">
            <Choice label="Language" options={LANGUAGES} value={language} onChoose={setLanguage} />
            <Choice label="Look" options={LOOKS} value={look} onChoose={setLook} />
            <Choice label="Width" options={WIDTHS} value={width} onChoose={setWidth} />
          </div>
          <iframe
            className={width === 'phone' ? 'preview phone' : 'preview'}
            title="Preview of the connect page"
            src={`${baseUrl}/connect?${new URLSearchParams({ preview: '1', language, theme: look })}`}
          />
          <Box>
            Its buttons do nothing. Name, logo and colour are options of the deployment, so you change them by
            deploying; on a laptop, they are options of npm start:
          </Box>
          <CopyBlock text={COMMANDS} what="commands that set the brand" />
        </SpaceBetween>
      )}
    </ExpandableSection>
  );
}
