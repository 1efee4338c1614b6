import css from './overview.module.css';

/** Colour sample of a series. */
export function Swatch({ colour }: { colour: string }) {
  return <span className={css.swatch} style={{ background: colour }} aria-hidden />;
}
