import { Component, type ReactNode } from 'react';
import { ErrorState } from '../parts/error-state';

interface PageBoundaryProps {
  readonly location: string;
  readonly children: ReactNode;
}

/** A page that fails to load or to draw says so; the frame around it stays, and other pages are not concerned. */
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
    // After an upgrade of the service the files of an older page are gone.
    return <ErrorState error={error} retry={() => location.reload()} />;
  }
}
