import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { Component, type ReactNode } from 'react';

interface Props {
  /** Another value forgets the failure. */
  readonly resetKey: string;
  readonly children: ReactNode;
}

/** Keeps the frame when a page breaks, also when a part of the app can no longer be loaded after a new deployment. */
export class ErrorBoundary extends Component<Props, { readonly message: string | undefined }> {
  override state: { readonly message: string | undefined } = { message: undefined };

  static getDerivedStateFromError(error: unknown): { message: string } {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override componentDidUpdate(before: Props): void {
    if (before.resetKey !== this.props.resetKey && this.state.message !== undefined) {
      this.setState({ message: undefined });
    }
  }

  override render(): ReactNode {
    if (this.state.message === undefined) return this.props.children;
    const reload = <Button onClick={() => location.reload()}>Reload</Button>;
    return (
      <Alert type="error" header="This page could not be shown" action={reload}>
        {this.state.message}
      </Alert>
    );
  }
}
