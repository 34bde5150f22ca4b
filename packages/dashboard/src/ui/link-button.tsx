import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import { useNavigate } from 'react-router';
import { GOOGLE_CONSOLE } from './link.tsx';

/** A button that opens a section of Google's console in a new tab. */
export function ConsoleButton({
  section,
  children,
}: {
  section: 'audience' | 'branding' | 'clients' | 'scopes' | 'verification';
  children: string;
}) {
  return (
    <Button href={`${GOOGLE_CONSOLE}/${section}`} target="_blank" iconName="external" iconAlign="right">
      {children}
    </Button>
  );
}

/** A button that is a link to another page of the dashboard. */
export function LinkButton({ href, ...rest }: ButtonProps & { href: string }) {
  const navigate = useNavigate();
  return (
    <Button
      {...rest}
      href={href}
      onFollow={(event) => {
        event.preventDefault();
        navigate(href);
      }}
    />
  );
}
