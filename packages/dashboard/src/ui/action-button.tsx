import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import { useWorkplace } from '../gateway/gateway-context.tsx';
import { LinkButton } from './link-button.tsx';

/** Why a button is grey for a person who may only look. */
export const VIEWERS_ONLY_LOOK = 'You signed in as a viewer: only operators change things.';

/** A button of something that only operators may do; a viewer sees it disabled, with the reason. */
export function ActionButton(props: ButtonProps) {
  const { session } = useWorkplace();
  return session.isViewer ? (
    <Button {...props} onClick={() => {}} disabled disabledReason={VIEWERS_ONLY_LOOK} />
  ) : (
    <Button {...props} />
  );
}

/** The same as a link to the page where it is done. */
export function ActionLink(props: ButtonProps & { href: string }) {
  const { session } = useWorkplace();
  const { href, ...rest } = props;
  return session.isViewer ? <ActionButton {...rest} /> : <LinkButton {...rest} href={href} />;
}
