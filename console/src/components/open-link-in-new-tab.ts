import type { MouseEvent } from 'react';

/** For `onClickCapture` of a dialog: a link that opens in its place would discard what was entered. */
export function openLinkInNewTab(event: MouseEvent): void {
  const link = (event.target as Element).closest('a');
  if (link === null) return;
  event.preventDefault();
  open(link.href, '_blank', 'noopener');
}
