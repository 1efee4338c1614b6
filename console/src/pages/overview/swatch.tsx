import css from './overview.module.css';

/** The colour of something in the charts, beside its name. */
export function Swatch({ colour }: { colour: string }) {
  return <span className={css.swatch} style={{ background: colour }} aria-hidden />;
}
