import { Component, type ReactNode } from 'react';

interface Props {
  /** Another value forgets the failure. */
  readonly resetKey?: string;
  /** Rendered instead of failed children. */
  readonly instead: (error: unknown) => ReactNode;
  readonly children: ReactNode;
}

/** Draws something else instead of children that broke while they were drawn. */
export class FailureCatcher extends Component<Props, { readonly failure: { readonly error: unknown } | undefined }> {
  override state: { readonly failure: { readonly error: unknown } | undefined } = { failure: undefined };

  static getDerivedStateFromError(error: unknown): { failure: { error: unknown } } {
    return { failure: { error } };
  }

  override componentDidUpdate(before: Props): void {
    if (before.resetKey !== this.props.resetKey && this.state.failure !== undefined) {
      this.setState({ failure: undefined });
    }
  }

  override render(): ReactNode {
    return this.state.failure === undefined ? this.props.children : this.props.instead(this.state.failure.error);
  }
}
