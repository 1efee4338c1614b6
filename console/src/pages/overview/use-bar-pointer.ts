import { type ChangeEvent, type KeyboardEvent, type PointerEvent, useState } from 'react';

/** The bar that the user points at with a mouse, a finger, or the arrow keys on the range input under the chart. */
export function useBarPointer(bars: number, barAt: (offset: number) => number) {
  const [pointed, point] = useState<number>();
  const last = bars - 1;
  const pointAt = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const bar = barAt(clientX - currentTarget.getBoundingClientRect().left);
    point(bar >= 0 && bar <= last ? bar : undefined);
  };
  return {
    pointed: pointed === undefined ? undefined : Math.min(pointed, last),
    pointer: {
      onPointerMove: pointAt,
      onPointerDown: pointAt,
      // After a tap, the tooltip stays open for reading.
      onPointerLeave: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && point(undefined),
    },
    keys: {
      value: pointed ?? last,
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => point(Number(currentTarget.value)),
      onFocus: () => point((bar) => bar ?? last),
      onBlur: () => point(undefined),
      onKeyDown: ({ key }: KeyboardEvent) => key === 'Escape' && point(undefined),
    },
  };
}
