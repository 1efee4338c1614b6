import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** The colour of the icon in ten shades. White text has enough contrast on shades 7 and 8. */
const pine = [
  '#e6f7f9',
  '#d0edf1',
  '#a3dbe2',
  '#72c7d1',
  '#45b0bd',
  '#219aa9',
  '#118796',
  '#0b7285',
  '#0a6070',
  '#094e5b',
] as const;

/** The header of a dialog is a `header` element, which screen readers would announce as the banner of the page. */
const DIALOG = {
  styles: { title: { fontWeight: 650, overflowWrap: 'anywhere' as const } },
  closeButtonProps: { 'aria-label': 'Close' },
  attributes: { header: { role: 'presentation' } },
};

/** Greys with a tint of the same colour, from text to background. */
const dark = [
  '#d5dadd',
  '#b4bcc2',
  '#96a0a8',
  '#6d7780',
  '#374047',
  '#2b3338',
  '#1f2529',
  '#171b1e',
  '#12171a',
  '#0d1113',
] as const;

export const theme = createTheme({
  colors: { pine, dark },
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    Modal: { defaultProps: { centered: true, ...DIALOG } },
    Drawer: { defaultProps: DIALOG },
    Paper: { defaultProps: { withBorder: true } },
    // A title in the colour of the alert has too little contrast. The icon and the background show that colour.
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
    Badge: { defaultProps: { variant: 'dot', tt: 'none' } },
  },
});

/**
 * The library's secondary text has too little contrast: WCAG AA requires 4.5 to 1. The colours of changes also differ in
 * lightness, for users with colour vision deficiency.
 */
export const colours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#fbfcfc',
    '--mantine-color-dimmed': '#556069',
    '--mantine-color-placeholder': '#66717b',
    '--mantine-color-anchor': 'var(--mantine-color-pine-8)',
    '--mantine-color-error': '#c22525',
    '--created': 'var(--mantine-color-pine-9)',
    '--updated': 'var(--mantine-color-pine-5)',
    '--archived': 'var(--mantine-color-gray-6)',
    '--restored': 'var(--mantine-color-indigo-3)',
    '--deleted': 'var(--mantine-color-orange-8)',
    '--rejected': 'var(--mantine-color-red-7)',
    '--grid': 'var(--mantine-color-gray-3)',
  },
  dark: {
    '--mantine-color-dimmed': '#a0a9b0',
    '--mantine-color-placeholder': '#96a0a8',
    '--mantine-color-anchor': 'var(--mantine-color-pine-3)',
    '--mantine-color-pine-light-color': 'var(--mantine-color-pine-3)',
    '--mantine-color-default-border': 'var(--mantine-color-dark-4)',
    '--mantine-color-error': '#ff8787',
    '--created': 'var(--mantine-color-pine-3)',
    '--updated': 'var(--mantine-color-pine-7)',
    '--archived': 'var(--mantine-color-gray-6)',
    '--restored': 'var(--mantine-color-indigo-4)',
    '--deleted': 'var(--mantine-color-orange-5)',
    '--rejected': 'var(--mantine-color-red-5)',
    '--grid': 'var(--mantine-color-dark-4)',
  },
});
