import type { ComponentType, SVGProps } from 'react';

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Width and height in pixels. */
  readonly size?: number;
  /** Width of the lines, where the icon has 24 units. */
  readonly stroke?: number;
}

export type Icon = ComponentType<IconProps>;

/** An icon of 24 by 24 units from the data of its path; hidden from screen readers, since all have text beside them. */
export function createIcon(path: string, isFilled = false): Icon {
  return ({ size = 24, stroke = 2, color = 'currentColor', ...others }) => {
    const paint = isFilled ? { fill: color } : { fill: 'none', stroke: color, strokeWidth: stroke };
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
        {...paint}
        {...others}
      >
        <path d={path} />
      </svg>
    );
  };
}
