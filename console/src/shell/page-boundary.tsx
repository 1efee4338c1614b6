import { Component, type ReactNode } from 'react';
import { ErrorState } from '../components/error-state';

interface PageBoundaryProps {
  readonly location: string;
  readonly children: ReactNode;
}

/** Error boundary of a page: shows the error inside the shell, so that other pages stay reachable. */
export class PageBoundary extends Component<PageBoundaryProps, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidUpdate({ location }: PageBoundaryProps) {
    if (location !== this.props.location && this.state.error !== undefined)
      this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    // After an upgrade of the service, the files of the loaded version no longer exist. A reload gets the new ones.
    return <ErrorState error={error} retry={() => location.reload()} />;
  }
}
