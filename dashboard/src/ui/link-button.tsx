import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import { useNavigate } from 'react-router';

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
